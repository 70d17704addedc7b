import { Badge, Stack, Table, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { defangText } from '../../domain/defang-text.ts'
import { PageLink } from '../../ui/page-link.tsx'
import { TableFrame } from '../../ui/table-frame.tsx'
import { type NamedNode, namedNodesQuery } from '../nodes.ts'
import { useFirstRows } from '../show-more.tsx'
import type { ChangeReport, NamingQuery, UsedNode, Uses } from './change-report.ts'
import { OUTCOMES, pageOfQuery, queryKindName, usesInWords } from './uses.ts'

interface UsesTableProps {
  readonly report: ChangeReport
  readonly matrix: string
}

/** A node in use, with what happens to it. */
interface Row extends Uses {
  readonly id: string
  readonly outcome: UsedNode['outcome'] | 'renamed'
  readonly name?: string
  /** What it becomes. */
  readonly after: readonly string[]
}

/** What needs attention comes first. */
const ORDER = ['review', 'kept', 'renamed', 'remapped'] as const

/** The nodes that change and that something uses here. */
export function UsesTable({ report, matrix }: UsesTableProps) {
  const { uses, renamed_uses } = report
  const { data: stored } = useQuery(namedNodesQuery(matrix))
  const nodes = useMemo(() => withReported(stored, report), [stored, report])
  const rows: readonly Row[] = [
    ...uses.map((node): Row => ({ ...node, after: node.successors })),
    ...renamed_uses.map((node): Row => ({ ...node, outcome: 'renamed', name: node.before, after: [node.after] })),
  ].toSorted((a, b) => ORDER.indexOf(a.outcome) - ORDER.indexOf(b.outcome) || b.entities - a.entities)
  const { shown, more } = useFirstRows(rows)
  return (
    <Stack gap="sm">
      <TableFrame minWidth={860}>
        <Table aria-label="Nodes in use">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Node</Table.Th>
              <Table.Th w={180}>What happens</Table.Th>
              <Table.Th>Becomes</Table.Th>
              <Table.Th>Used by</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {shown.map((row) => (
              <Table.Tr key={`${row.outcome} ${row.id}`}>
                <Table.Td>
                  <Node id={row.id} nodes={nodes} {...(row.name !== undefined && { name: row.name })} />
                </Table.Td>
                <Table.Td>
                  <OutcomeBadge outcome={row.outcome} />
                </Table.Td>
                <Table.Td>
                  <Becomes row={row} nodes={nodes} />
                </Table.Td>
                <Table.Td>
                  <UsedBy row={row} />
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </TableFrame>
      {more}
    </Stack>
  )
}

function OutcomeBadge({ outcome }: { readonly outcome: Row['outcome'] }) {
  const { label, color } = outcome === 'renamed' ? { label: 'Renamed', color: 'orange' } : OUTCOMES[outcome]
  return (
    <Badge variant="light" radius="xs" color={color}>
      {label}
    </Badge>
  )
}

interface NodeProps {
  readonly id: string
  readonly name?: string
  /** Names by id. */
  readonly nodes: ReadonlyMap<string, string>
}

/** The names of nodes that one of both versions has: which of them is stored depends on whether the load is in force. */
function withReported(
  stored: ReadonlyMap<string, NamedNode> | undefined,
  { revoked, deprecated, ...report }: ChangeReport,
) {
  const reported = [...report.new, ...report.live_again, ...revoked, ...deprecated]
  const names = new Map(reported.map(({ id, name }) => [id, name]))
  for (const { id, name } of stored?.values() ?? []) names.set(id, name)
  for (const { name, from, to } of report.moved) for (const id of [...from, ...to]) names.set(id, names.get(id) ?? name)
  return names
}

function Becomes({ row, nodes }: { readonly row: Row; readonly nodes: ReadonlyMap<string, string> }) {
  if (row.outcome === 'renamed') return <Text size="sm">{row.after[0]}</Text>
  if (row.after.length === 0)
    return (
      <Text size="sm" c="dimmed">
        No successor
      </Text>
    )
  return row.after.map((id) => <Node key={id} id={id} nodes={nodes} />)
}

/** A node by its id, with its name and that of its technique. */
function Node({ id, name, nodes }: NodeProps) {
  const technique = id.replace(/\.\d+$/, '')
  return (
    <Text size="sm" component="div" style={{ overflowWrap: 'anywhere' }}>
      <Text component="span" inherit className="code" c="dimmed">
        {id}
      </Text>{' '}
      {name ?? [...new Set([nodes.get(technique), nodes.get(id)])].filter(Boolean).join(': ')}
    </Text>
  )
}

function UsedBy({ row }: { readonly row: Row }) {
  const text = usesInWords(row)
  return (
    <>
      {text !== '' &&
        (row.entities > 0 ? (
          <PageLink to="/" search={{ q: `meta.attacks:"${row.id}"` }}>
            {text}
          </PageLink>
        ) : (
          <Text size="sm">{text}</Text>
        ))}
      {row.queries.map((query) => (
        <NamedQuery key={`${query.kind} ${query.id}`} query={query} />
      ))}
    </>
  )
}

/** An object with a query that names the node. It finds the successors as well, so that there is nothing to do. */
function NamedQuery({ query }: { readonly query: NamingQuery }) {
  const page = pageOfQuery(query)
  const name = defangText(query.name)
  return (
    <Text size="xs" c="dimmed">
      Still found by {queryKindName(query.kind).toLowerCase()}{' '}
      {page ? (
        <PageLink to={page} inherit>
          {name}
        </PageLink>
      ) : (
        `“${name}”`
      )}
    </Text>
  )
}
