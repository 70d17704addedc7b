import { Badge, Skeleton, Stack, Table, Text, Title } from '@mantine/core'
import { type UseQueryResult, useQueries } from '@tanstack/react-query'
import { LoadFault } from '../../ui/load-fault.tsx'
import { PageLink } from '../../ui/page-link.tsx'
import { PlainText } from '../../ui/plain-text.tsx'
import { TableFrame } from '../../ui/table-frame.tsx'
import { nodeIdOf } from '../analyses/analysis.ts'
import { DEFAULT_MATRIX, MATRICES, matrixName } from '../matrices.ts'
import { type NamedNode, namedNodesQuery, placeOf } from '../nodes.ts'
import { useFirstRows } from '../show-more.tsx'
import type { Defense } from './defense.ts'

/** That a defense works against a technique in one place. */
export interface Relationship {
  readonly technique: string
  readonly type: 'mitigates' | 'detects'
  readonly description: string
}

interface DefenseTechniquesProps {
  readonly defense: Defense
  readonly relationships: UseQueryResult<Relationship[]>
}

/** A technique in all places in which a defense works against it. */
interface Row {
  readonly node: NamedNode
  readonly matrix: string
  readonly name: string
  readonly tactics: readonly string[]
  readonly description: string
}

/** What a defense works against. */
export function DefenseTechniques({ defense, relationships }: DefenseTechniquesProps) {
  const domains = MATRICES.map(({ value }) => value).filter((matrix) => defense.domains.includes(matrix))
  const found = useQueries({ queries: domains.map((matrix) => namedNodesQuery(matrix)) })
  const isLoaded = found.every(({ data }) => data)
  const rows = domains.flatMap((matrix, i) => rowsOf(matrix, found[i]?.data ?? new Map(), relationships.data))
  const { shown, more } = useFirstRows(rows)
  if (relationships.error) return <LoadFault query={relationships} />
  if (!relationships.data || !isLoaded) return <Skeleton h={160} role="status" aria-label="Loading techniques" />
  if (relationships.data.length === 0) return null
  const what = relationships.data[0]?.type === 'mitigates' ? 'Mitigated techniques' : 'Detected techniques'
  const hasTexts = rows.some(({ description }) => description !== '')
  return (
    <Stack gap="xs">
      <Title order={2} size="h4">
        {what}{' '}
        <Text component="span" size="sm" c="dimmed">
          {rows.length.toLocaleString('en')}
        </Text>
      </Title>
      <TableFrame minWidth={640}>
        <Table aria-label={what}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th w={100}>Id</Table.Th>
              <Table.Th>Technique</Table.Th>
              <Table.Th w={240}>Tactics</Table.Th>
              {hasTexts && <Table.Th>Description</Table.Th>}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {shown.map(({ node, matrix, name, tactics, description }) => (
              <Table.Tr key={node.id}>
                <Table.Td className="code">{node.external_id}</Table.Td>
                <Table.Td>
                  <PageLink
                    to="/attack"
                    search={{ matrix: matrix === DEFAULT_MATRIX ? undefined : matrix, node: node.id }}
                  >
                    {name}
                  </PageLink>{' '}
                  {domains.length > 1 && (
                    <Badge variant="default" radius="xs" fw={500}>
                      {matrixName(matrix)}
                    </Badge>
                  )}
                </Table.Td>
                <Table.Td>
                  <Text size="xs">{tactics.join(', ')}</Text>
                </Table.Td>
                {hasTexts && (
                  <Table.Td>
                    <Text size="xs" lineClamp={3} component="div">
                      <PlainText text={description} />
                    </Text>
                  </Table.Td>
                )}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </TableFrame>
      {more}
    </Stack>
  )
}

function rowsOf(
  matrix: string,
  nodes: ReadonlyMap<string, NamedNode>,
  relationships: readonly Relationship[] = [],
): readonly Row[] {
  const places = relationships.flatMap(({ technique, description }) => {
    const { node, technique: parent, tactic } = placeOf(nodes, nodeIdOf(technique))
    return node ? [{ node, parent, tactic, description }] : []
  })
  return [...Map.groupBy(places, ({ node }) => node.external_id).values()]
    .flatMap(([first, ...others]): Row[] =>
      first
        ? [
            {
              node: first.node,
              matrix,
              name: first.parent ? `${first.parent.name}: ${first.node.name}` : first.node.name,
              tactics: [first, ...others].flatMap(({ tactic }) => (tactic ? [tactic.name] : [])),
              description: first.description,
            },
          ]
        : [],
    )
    .toSorted((a, b) => a.node.external_id.localeCompare(b.node.external_id, 'en', { numeric: true }))
}
