import { Badge, Skeleton, Table, Text } from '@mantine/core'
import { idOf } from '../../api/lists.ts'
import { nameOf, useNames } from '../../api/names.ts'
import { defangText } from '../../domain/defang-text.ts'
import { joinInWords } from '../../domain/match-reasons.ts'
import { EntityName, type NamedEntity } from '../../intelligence/named-entity.tsx'
import { useNamedEntities } from '../../intelligence/use-named-entities.ts'
import { Moment } from '../../ui/moment.tsx'
import { PageLink } from '../../ui/page-link.tsx'
import { TableFrame } from '../../ui/table-frame.tsx'
import type { ConsolidationEvent } from './event.ts'
import { spelled, titleOf } from './names.ts'

interface EventTableProps {
  readonly events: readonly ConsolidationEvent[]
  /** Whether to leave out the column of the policy. */
  readonly isOfPolicy: boolean
}

/** Which entities came to contribute to which unified entities, why, and whether that was undone. */
export function EventTable({ events, isOfPolicy }: EventTableProps) {
  const entities = useNamedEntities(
    events.flatMap(({ entity_id, unified_entity_id }) => [entity_id, unified_entity_id]),
  )
  return (
    <TableFrame minWidth={860}>
      <Table aria-label="Consolidation history">
        <Table.Thead>
          <Table.Tr>
            <Table.Th w={140}>Time</Table.Th>
            <Table.Th>Entity</Table.Th>
            <Table.Th>Unified entity</Table.Th>
            <Table.Th w={260}>Reason</Table.Th>
            <Table.Th w={160}>{isOfPolicy ? 'By' : 'Policy or user'}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {events.map((event) => (
            <Table.Tr key={event.id}>
              <Table.Td>
                <Moment at={event.created_at} />
              </Table.Td>
              <Table.Td maw={260}>
                <Name url={event.entity_id} entities={entities} />
              </Table.Td>
              <Table.Td maw={260}>
                <Name url={event.unified_entity_id} entities={entities} />
              </Table.Td>
              <Table.Td>
                <Why event={event} titles={titlesOf(event, entities)} />
              </Table.Td>
              <Table.Td>
                <By event={event} isOfPolicy={isOfPolicy} />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </TableFrame>
  )
}

/** The titles of both entities, for the spelling of names. */
const titlesOf = (
  { entity_id, unified_entity_id }: ConsolidationEvent,
  entities: ReadonlyMap<string, NamedEntity> | undefined,
): readonly string[] =>
  [entity_id, unified_entity_id].flatMap((url) => {
    const entity = entities?.get(idOf(url))
    return entity ? [titleOf(entity)] : []
  })

interface NameProps {
  readonly url: string
  readonly entities: ReadonlyMap<string, NamedEntity> | undefined
}

function Name({ url, entities }: NameProps) {
  if (!entities) return <Skeleton h={14} w={140} />
  const entity = entities.get(idOf(url))
  if (entity) return <EntityName entity={entity} />
  return (
    <Text size="sm" c="dimmed">
      No longer exists
    </Text>
  )
}

interface WhyProps {
  readonly event: ConsolidationEvent
  readonly titles: readonly string[]
}

function Why({ event: { reason, undone_at, undone_by, undone_reason }, titles }: WhyProps) {
  const users = useNames('users')
  return (
    <>
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        {reason ? joinInWords(spelled(reason, titles)) : '–'}
      </Text>
      {undone_at !== null && (
        <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
          <Badge size="xs" variant="light" color="yellow" radius="xs" mr={4}>
            Undone
          </Badge>
          <Moment at={undone_at} />
          {undone_by !== null && ` by ${nameOf(users, undone_by)}`}
          {undone_reason && `: ${defangText(undone_reason)}`}
        </Text>
      )}
    </>
  )
}

function By({
  event: { method, policy, created_by },
  isOfPolicy,
}: {
  readonly event: ConsolidationEvent
  readonly isOfPolicy: boolean
}) {
  const users = useNames('users')
  const policies = useNames('consolidation-rules')
  if (method === 'user-assigned') return created_by === null ? 'A user' : nameOf(users, created_by)
  if (policy === null || isOfPolicy) return 'Policy'
  return <PageLink to={`/consolidation-rules/${idOf(policy)}`}>{defangText(nameOf(policies, policy))}</PageLink>
}
