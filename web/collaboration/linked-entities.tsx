import { ActionIcon, Group, Skeleton, Stack, Text, Title } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { call } from '../api/call.ts'
import { invalidate } from '../api/invalidate.ts'
import { idOf, listQuery } from '../api/lists.ts'
import { useMay } from '../api/session.ts'
import { entityTitle } from '../domain/entity-title.ts'
import { EntityPicker } from '../intelligence/entity-picker.tsx'
import { EntityName, NAMED_ATTRIBUTES, type NamedEntity } from '../intelligence/named-entity.tsx'
import { ErrorFaults } from '../ui/faults.tsx'
import { Icon } from '../ui/icon.tsx'
import { showErrorToast, showToast } from '../ui/toasts.tsx'

interface LinkedEntitiesProps {
  /** The object they are linked to, such as `tickets/7`. */
  readonly of: string
  /** URLs of the linked entities. */
  readonly urls: readonly string[]
  readonly mayChange: boolean
}

/** At most this many of the linked entities are shown. */
const MAX_SHOWN_ENTITIES = 100

/** The entities linked to an object, with controls to add and remove them. */
export function LinkedEntities({ of, urls, mayChange }: LinkedEntitiesProps) {
  const may = useMay()
  const ids = urls.map(idOf)
  const found = useQuery({
    ...listQuery<NamedEntity>('entities', {
      'filter[id]': ids.slice(0, MAX_SHOWN_ENTITIES),
      attributes: NAMED_ATTRIBUTES,
      limit: MAX_SHOWN_ENTITIES,
    }),
    enabled: ids.length > 0 && may('read entities'),
  })
  const link = useMutation({
    mutationFn: ({ id, isLinked }: { id: string; isLinked: boolean }) =>
      call(isLinked ? 'PUT' : 'DELETE', `${of}/entities/${id}`),
    onError: showErrorToast,
    onSettled: () => invalidate(of),
  })
  const remove = (entity: NamedEntity) =>
    link.mutate(
      { id: entity.id, isLinked: false },
      {
        onSuccess: () =>
          showToast(`“${entityTitle(entity)}” removed`, () => link.mutateAsync({ id: entity.id, isLinked: true })),
      },
    )
  if (!may('read entities')) return null
  const shown = ids.length === 0 ? [] : (found.data?.data ?? []).filter(({ id }) => ids.includes(id))
  return (
    <Stack gap="xs" component="section" aria-label="Entities">
      <Title order={2} size="h4">
        Entities
      </Title>
      <ErrorFaults error={found.error} />
      {found.isLoading && <Skeleton h={40} role="status" aria-label="Loading entities" />}
      {ids.length === 0 && (
        <Text size="sm" c="dimmed">
          No linked entities.{mayChange && ' Search by title to add one.'}
        </Text>
      )}
      {shown.map((entity) => (
        <Group key={entity.id} justify="space-between" wrap="nowrap" gap="xs">
          <EntityName entity={entity} />
          {mayChange && (
            <ActionIcon
              size="sm"
              variant="subtle"
              color="gray"
              aria-label={`Remove ${entityTitle(entity)}`}
              onClick={() => remove(entity)}
            >
              <Icon name="close" size={12} />
            </ActionIcon>
          )}
        </Group>
      ))}
      {ids.length > MAX_SHOWN_ENTITIES && (
        <Text size="xs" c="dimmed">
          {(ids.length - MAX_SHOWN_ENTITIES).toLocaleString('en')} more not shown.
        </Text>
      )}
      {mayChange && (
        <EntityPicker label="Add entity" chosen={ids} onPick={({ id }) => link.mutate({ id, isLinked: true })} />
      )}
    </Stack>
  )
}
