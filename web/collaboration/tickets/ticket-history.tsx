import { Skeleton, Stack, Text, Timeline, Title } from '@mantine/core'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { endlessQuery, idOf, listQuery } from '../../api/lists.ts'
import { nameOf, useNames } from '../../api/names.ts'
import { useMay } from '../../api/session.ts'
import { entityTitle } from '../../domain/entity-title.ts'
import { NAMED_ATTRIBUTES, type NamedEntity } from '../../intelligence/named-entity.tsx'
import { ErrorFaults } from '../../ui/faults.tsx'
import { ListEnd } from '../../ui/list-end.tsx'
import { Moment, utcTime } from '../../ui/moment.tsx'
import { changeInWords, type TicketChange } from './change-in-words.ts'

/** The history of a ticket, latest first. */
export function TicketHistory({ id }: { readonly id: string }) {
  const list = useInfiniteQuery(endlessQuery<TicketChange>(`tickets/${id}/history`, { limit: 30 }))
  const users = useNames('users')
  const workspaces = useNames('workspaces')
  const changes = list.data?.pages.flatMap(({ data }) => data)
  const entities = useTitles(changes ?? [])
  const shown = (field: string, value: unknown): string => {
    if (field === 'due_at') return utcTime(String(value))
    const names = { assignee: users, stakeholders: users, workspaces }[field]
    if (names) return nameOf(names, String(value))
    if (field !== 'entities') return String(value)
    const title = entities.get(idOf(String(value)))
    return title === undefined ? 'an entity that is not visible to you' : `“${title}”`
  }
  return (
    <Stack gap="sm" component="section" aria-label="History">
      <Title order={2} size="h4">
        History
      </Title>
      <ErrorFaults error={list.error} />
      {list.isPending && <Skeleton h={60} role="status" aria-label="Loading history" />}
      {changes?.length === 0 && (
        <Text size="sm" c="dimmed">
          No changes yet.
        </Text>
      )}
      {changes && changes.length > 0 && (
        <Timeline bulletSize={10} lineWidth={2}>
          {changes.map((change) => (
            <Timeline.Item key={change.id}>
              <Text size="sm">{changeInWords(change, shown)}</Text>
              <Text size="xs" c="dimmed">
                {change.created_by === null ? 'Unknown user' : nameOf(users, change.created_by)},{' '}
                <Moment at={change.created_at} />
              </Text>
            </Timeline.Item>
          ))}
        </Timeline>
      )}
      <ListEnd list={list} />
    </Stack>
  )
}

const TITLES = 100

/** The titles of entities in the history, if they are visible. */
function useTitles(changes: readonly TicketChange[]): ReadonlyMap<string, string> {
  const may = useMay()
  const urls = changes.flatMap(({ field, before, after }) => (field === 'entities' ? [String(before ?? after)] : []))
  const ids = [...new Set(urls.map(idOf))].slice(0, TITLES)
  const { data } = useQuery({
    ...listQuery<NamedEntity>('entities', { 'filter[id]': ids, attributes: NAMED_ATTRIBUTES, limit: TITLES }),
    enabled: ids.length > 0 && may('read entities'),
  })
  return new Map(data?.data.map((entity) => [entity.id, entityTitle(entity)]))
}
