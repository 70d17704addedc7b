import { Button, Group, List, Modal, Stack, Text } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { call } from '../../api/call.ts'
import { listQuery } from '../../api/lists.ts'
import { queries } from '../../api/queries.ts'
import { entityTitle } from '../../domain/entity-title.ts'
import { ErrorFaults } from '../../ui/faults.tsx'
import { showToast } from '../../ui/toasts.tsx'
import type { TabProps } from './entity.tsx'
import { invalidateEntities } from './entity-queries.ts'

interface DeleteEntityProps extends TabProps {
  readonly isOpen: boolean
  readonly onClose: () => void
}

/** Deletes an entity after confirmation, and lists what is affected. */
export function DeleteEntity({ entity, isOpen, onClose }: DeleteEntityProps) {
  const { id } = entity
  const navigate = useNavigate()
  const relationships = useQuery({
    ...listQuery('relationships', { 'filter[entities]': id, limit: 1 }),
    enabled: isOpen,
  })
  const deleted = useMutation({
    mutationFn: () => call('DELETE', `entities/${id}`),
    onSuccess: async () => {
      await navigate({ to: '/' })
      queries.removeQueries({ queryKey: [`entities/${id}`] })
      void invalidateEntities()
      showToast(`“${entityTitle(entity)}” deleted`)
    },
  })
  const goes = [
    counted(relationships.data?.total_count ?? 0, 'relationship', 'will be deleted', 'will be deleted'),
    counted(entity.observables.length, 'observable', 'will be unlinked', 'will be unlinked'),
    counted(
      entity.attachments.length,
      'attachment',
      'will be kept without this entity',
      'will be kept without this entity',
    ),
    counted(entity.datasets.length, 'dataset', 'will no longer contain it', 'will no longer contain it'),
  ].filter((text) => text !== undefined)
  return (
    <Modal opened={isOpen} onClose={onClose} title={`Delete “${entityTitle(entity)}”?`}>
      <Stack>
        {goes.length > 0 && (
          <List size="sm">
            {goes.map((text) => (
              <List.Item key={text}>{text}</List.Item>
            ))}
          </List>
        )}
        <Text>All versions of the entity are deleted. This cannot be undone.</Text>
        <ErrorFaults error={deleted.error} />
        <Group justify="flex-end">
          <Button variant="default" data-autofocus onClick={onClose}>
            Cancel
          </Button>
          <Button color="red" loading={deleted.isPending} onClick={() => deleted.mutate()}>
            Delete entity
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}

const counted = (count: number, noun: string, one: string, many: string): string | undefined => {
  if (count === 0) return undefined
  return count === 1 ? `1 ${noun} ${one}.` : `${count.toLocaleString('en')} ${noun}s ${many}.`
}
