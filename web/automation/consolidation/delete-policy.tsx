import { Button, Group, List, Loader, Modal, Stack, Text } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { oneQuery } from '../../api/lists.ts'
import { useMay } from '../../api/session.ts'
import { defangText } from '../../domain/defang-text.ts'
import { entityTypeName } from '../../domain/entity-types.ts'
import { ErrorFaults } from '../../ui/faults.tsx'
import { LoadFault } from '../../ui/load-fault.tsx'
import { showToast } from '../../ui/toasts.tsx'
import { deleteRules, renewRules } from '../rule-actions.ts'
import { type Dissolution, dissolutionInWords } from './dissolution.ts'
import { POLICIES, type Policy } from './policy.ts'

/** Deletes a policy, after it has shown what that takes apart. */
export function DeletePolicy({ policy }: { readonly policy: Policy }) {
  const [isAsked, setIsAsked] = useState(false)
  return (
    <>
      <Button variant="light" color="red" onClick={() => setIsAsked(true)}>
        Delete…
      </Button>
      {isAsked && <Dialog policy={policy} onClose={() => setIsAsked(false)} />}
    </>
  )
}

function Dialog({ policy, onClose }: { readonly policy: Policy; readonly onClose: () => void }) {
  const navigate = useNavigate()
  const name = defangText(policy.name)
  const canCount = useMay()('read entities')
  const dissolution = useQuery({
    ...oneQuery<Dissolution>(`${POLICIES.path}/${policy.id}/dissolution`),
    enabled: canCount,
    staleTime: 0,
    retry: false,
  })
  const deleted = useMutation({
    mutationFn: async () => {
      await deleteRules(POLICIES, [policy.id])
      await navigate({ to: POLICIES.page })
      showToast(`“${name}” deleted. Its unified entities are being removed.`)
      await renewRules(POLICIES)
    },
  })
  const isReady = !canCount || (dissolution.data !== undefined && !dissolution.isFetching)
  return (
    <Modal opened onClose={onClose} title={`Delete “${name}”?`}>
      <Stack>
        {dissolution.isFetching && <Loader size="sm" aria-label="Counting unified entities" />}
        <LoadFault query={dissolution} />
        {isReady && dissolution.data && <Forecast dissolution={dissolution.data} />}
        {!canCount && (
          <Text size="sm">
            Its unified entities will be removed. Counting them requires the permission “read entities”.
          </Text>
        )}
        <Text size="sm">
          The contributors stay as they are. What users have consolidated by hand stays consolidated. This cannot be
          undone.
        </Text>
        <ErrorFaults error={deleted.error} />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button color="red" disabled={!isReady} loading={deleted.isPending} onClick={() => deleted.mutate()}>
            Delete policy
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}

const Forecast = ({ dissolution }: { readonly dissolution: Dissolution }) => (
  <Stack gap={4} role="status">
    <Text fw={600}>{dissolutionInWords(dissolution)}</Text>
    {dissolution.by_type.length > 0 && (
      <List size="sm">
        {dissolution.by_type.map(({ type, count }) => (
          <List.Item key={type}>
            {entityTypeName(type)}: {count.toLocaleString('en')}
          </List.Item>
        ))}
      </List>
    )}
  </Stack>
)
