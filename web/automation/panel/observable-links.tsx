import { Table, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { idOf, listQuery } from '../../api/lists.ts'
import { nameOf, useNames } from '../../api/names.ts'
import type { Observable, ObservableLink } from '../../api/resources.ts'
import { observableTypeName } from '../../domain/observables.ts'
import { MaliciousnessBadge } from '../../ui/badges.tsx'
import { ErrorFaults } from '../../ui/faults.tsx'
import { Moment } from '../../ui/moment.tsx'
import { PageLink } from '../../ui/page-link.tsx'
import { TableFrame } from '../../ui/table-frame.tsx'
import { relationName } from '../enrichers/enricher-result.ts'
import { linksQuery, MAX_LINKS } from './enrichment-queries.ts'

type Other = Pick<Observable, 'id' | 'type' | 'display_value' | 'meta'>

/** The observables that enrichers link to one, in both directions. */
export function ObservableLinks({ id }: { readonly id: string }) {
  const from = useQuery(linksQuery('observable', id))
  const to = useQuery(linksQuery('target', id))
  const links = [...(from.data?.data ?? []), ...(to.data?.data ?? [])]
  const others = links.map((link) => otherOf(link, id))
  const { data: known } = useQuery({
    ...listQuery<Other>('observables', {
      'filter[id]': [...new Set(others)],
      attributes: 'id,type,display_value,meta',
      limit: 2 * MAX_LINKS,
    }),
    enabled: others.length > 0,
  })
  const byId = new Map((known?.data ?? []).map((each) => [String(each.id), each]))
  if (from.error ?? to.error) return <ErrorFaults error={from.error ?? to.error} />
  if (links.length === 0) return null
  const total = (from.data?.total_count ?? 0) + (to.data?.total_count ?? 0)
  return (
    <div>
      <Title order={3} size="h6" mb="xs">
        Linked observables
      </Title>
      <TableFrame minWidth={560}>
        <Table verticalSpacing={6}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Relation</Table.Th>
              <Table.Th>Observable</Table.Th>
              <Table.Th>Maliciousness</Table.Th>
              <Table.Th>Last seen</Table.Th>
              <Table.Th>Enricher</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {links.map((link) => (
              <LinkRow key={link.id} link={link} id={id} other={byId.get(otherOf(link, id))} />
            ))}
          </Table.Tbody>
        </Table>
      </TableFrame>
      {total > links.length && (
        <Text size="xs" c="dimmed" mt={4}>
          The latest {links.length} of {total.toLocaleString('en')} links are shown.
        </Text>
      )}
    </div>
  )
}

const otherOf = ({ observable, target }: ObservableLink, id: string): string =>
  idOf(observable) === id ? idOf(target) : idOf(observable)

interface LinkRowProps {
  readonly link: ObservableLink
  /** The observable of the page. */
  readonly id: string
  readonly other: Other | undefined
}

function LinkRow({ link, id, other }: LinkRowProps) {
  const names = useNames('enrichers')
  const isFrom = idOf(link.observable) === id
  return (
    <Table.Tr>
      <Table.Td>
        <Text size="sm" component="span" aria-hidden>
          {isFrom ? '→ ' : '← '}
        </Text>
        {relationName(link.relation)}
        {!isFrom && (
          <Text size="xs" c="dimmed">
            from the other one
          </Text>
        )}
      </Table.Td>
      <Table.Td style={{ overflowWrap: 'anywhere' }}>
        <PageLink to={`/observables/${otherOf(link, id)}`} className="code">
          {other?.display_value ?? `Observable ${otherOf(link, id)}`}
        </PageLink>
        <Text size="xs" c="dimmed">
          {observableTypeName(other?.type ?? '')}
        </Text>
      </Table.Td>
      <Table.Td>{other && <MaliciousnessBadge maliciousness={other.meta.maliciousness} />}</Table.Td>
      <Table.Td>
        <Moment at={link.last_seen} />
      </Table.Td>
      <Table.Td>{link.enricher === null ? '–' : nameOf(names, link.enricher)}</Table.Td>
    </Table.Tr>
  )
}
