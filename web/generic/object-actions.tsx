import { Button, Group, Modal, Stack, Text } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../api/call.ts'
import { ErrorFaults } from '../ui/faults.tsx'
import { Answer } from './answer.tsx'
import type { ActionModel } from './collections.ts'
import { FieldsForm } from './fields-form.tsx'
import { useMayDo } from './use-api.ts'

interface ObjectActionsProps {
  readonly actions: readonly ActionModel[]
  readonly id: string
  /** The API path whose cached data the action may change. */
  readonly touched: string
}

/** Buttons for the actions of an object; each explains what it does before running it. */
export function ObjectActions({ actions, id, touched }: ObjectActionsProps) {
  const mayDo = useMayDo()
  return actions
    .filter(mayDo)
    .map((action) => <ActionButton key={`${action.method} ${action.name}`} action={action} id={id} touched={touched} />)
}

interface ActionButtonProps {
  readonly action: ActionModel
  readonly id: string
  readonly touched: string
}

function ActionButton({ action, id, touched }: ActionButtonProps) {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <>
      <Button variant="default" size="xs" onClick={() => setIsOpen(true)}>
        {action.label}
      </Button>
      <Modal opened={isOpen} onClose={() => setIsOpen(false)} title={action.label} size="lg">
        <ActionForm action={action} id={id} touched={touched} onClose={() => setIsOpen(false)} />
      </Modal>
    </>
  )
}

type Sent = Readonly<Record<string, unknown>>

function ActionForm({ action, id, touched, onClose }: ActionButtonProps & { readonly onClose: () => void }) {
  const queries = useQueryClient()
  const done = useMutation({
    mutationFn: (data: Sent | undefined) =>
      call<{ data?: unknown } | undefined>(action.method, action.path(id), data && { data }),
    onSuccess: () => queries.invalidateQueries({ queryKey: [touched] }),
  })
  if (done.isSuccess)
    return (
      <Stack>
        {done.data?.data === undefined ? <Text>The action completed.</Text> : <Answer value={done.data.data} />}
        <Group justify="flex-end">
          <Button onClick={onClose}>Close</Button>
        </Group>
      </Stack>
    )
  return (
    <Stack>
      <Text>{action.summary}.</Text>
      {action.inputs.length > 0 ? (
        <FieldsForm
          fields={action.inputs}
          submit={action.label}
          send={(data) => done.mutateAsync(data)}
          onDone={() => undefined}
          onCancel={onClose}
        />
      ) : (
        <>
          <ErrorFaults error={done.error} />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button
              {...(action.method === 'DELETE' && { color: 'red' })}
              loading={done.isPending}
              onClick={() => done.mutate(undefined)}
              data-autofocus
            >
              {action.label}
            </Button>
          </Group>
        </>
      )}
    </Stack>
  )
}
