import { Modal, Radio, Skeleton, Stack, Text, TextInput } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../api/call.ts'
import { ErrorFaults } from '../../ui/faults.tsx'
import { FormActions } from '../../ui/form-actions.tsx'
import { LoadFault } from '../../ui/load-fault.tsx'
import { adaptersQuery, type Detonator } from './detonator-queries.ts'

interface AddDetonatorProps {
  readonly onClose: () => void
  readonly onAdded: (detonator: Detonator) => void
}

/** Adds a detonator, such as a second server of the same kind. It is inactive until its settings are complete. */
export function AddDetonator({ onClose, onAdded }: AddDetonatorProps) {
  const adapters = useQuery(adaptersQuery)
  const [chosen, setAdapter] = useState('')
  const adapter = chosen || (adapters.data?.[0]?.name ?? '')
  const [name, setName] = useState('')
  const added = useMutation({
    mutationFn: async () => {
      const data = { adapter, is_active: false, ...(name.trim() !== '' && { task_name: name.trim() }) }
      return (await call<{ data: Detonator }>('POST', 'detonators', { data })).data
    },
    onSuccess: onAdded,
  })
  return (
    <Modal opened onClose={onClose} title="Create detonator">
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          added.mutate()
        }}
      >
        <Stack>
          <LoadFault query={adapters} />
          {adapters.isPending && <Skeleton h={160} role="status" aria-label="Loading sandboxes" />}
          <Radio.Group label="Sandbox" value={adapter} onChange={setAdapter}>
            <Stack gap="xs" mt="xs">
              {adapters.data?.map((each) => (
                <Radio key={each.name} value={each.name} label={each.title} description={each.description} />
              ))}
            </Stack>
          </Radio.Group>
          <TextInput
            label="Name"
            description="The name of the sandbox if it is empty."
            value={name}
            onChange={({ currentTarget }) => setName(currentTarget.value)}
          />
          <Text size="sm" c="dimmed">
            Address and credentials are entered in the next step.
          </Text>
          <ErrorFaults error={added.error} />
          <FormActions
            submit="Create detonator"
            isSending={added.isPending}
            isReady={adapter !== ''}
            onCancel={onClose}
          />
        </Stack>
      </form>
    </Modal>
  )
}
