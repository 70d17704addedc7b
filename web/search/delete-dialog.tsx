import { Button, Group, Loader, Modal, Stack, Text, TextInput } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Consolidation } from '../domain/consolidations.ts'
import { ErrorFaults } from '../ui/faults.tsx'
import { leftOutMessage } from './bulk-change.ts'
import { exactQueries } from './exact-queries.ts'
import { countByQuery } from './run-changes.ts'
import type { Selection } from './selection.ts'
import type { Bulk } from './use-bulk.ts'

interface DeleteDialogProps {
  readonly isOpen: boolean
  readonly selection: Selection
  readonly whole: string
  readonly view: Consolidation
  readonly bulk: Bulk
  readonly onClose: () => void
}

/** From this number on, the user has to type the count to confirm. */
const CONFIRM_COUNT_FROM = 1_000

const PATH = 'entities/by-query/delete'

/** Counts the entities to delete, asks for confirmation, and deletes them. */
export function DeleteDialog({ isOpen, ...rest }: DeleteDialogProps) {
  return (
    <Modal opened={isOpen} onClose={rest.onClose} title="Delete selected entities?">
      <DeleteForm {...rest} />
    </Modal>
  )
}

function DeleteForm({ selection, whole, view, bulk, onClose }: Omit<DeleteDialogProps, 'isOpen'>) {
  const preview = useQuery({
    queryKey: ['entities', 'preview', selection.isAll, [...selection.ids], whole, view],
    queryFn: async () => countByQuery(PATH, await exactQueries(selection, whole, view)),
    staleTime: 0,
    gcTime: 0,
  })
  const [typed, setTyped] = useState('')
  const count = preview.data?.count ?? 0
  const leftOut = leftOutMessage(preview.data?.unified ?? 0)
  const removed = useMutation({ mutationFn: () => bulk.remove(count), onSuccess: onClose })
  const isSure = count > 0 && (count <= CONFIRM_COUNT_FROM || Number(typed.replaceAll(/[^\d]/g, '')) === count)
  if (preview.isPending) return <Loader aria-label="Counting" />
  return (
    <Stack>
      <ErrorFaults error={preview.error ?? removed.error} />
      {preview.data !== undefined && (
        <Text>
          This deletes {count === 1 ? '1 entity' : `${count.toLocaleString('en')} entities`} and all relationships from
          and to
          {count === 1 ? ' it' : ' them'}. It cannot be undone.
        </Text>
      )}
      {leftOut !== '' && <Text size="sm">{leftOut}</Text>}
      {count > CONFIRM_COUNT_FROM && (
        <TextInput
          label={`Type ${count.toLocaleString('en')} to confirm`}
          inputMode="numeric"
          autoComplete="off"
          value={typed}
          onChange={({ currentTarget }) => setTyped(currentTarget.value)}
        />
      )}
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button color="red" disabled={!isSure} loading={removed.isPending} onClick={() => removed.mutate()}>
          Delete entities
        </Button>
      </Group>
    </Stack>
  )
}
