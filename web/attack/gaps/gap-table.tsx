import { Stack, Table, Text, Tooltip } from '@mantine/core'
import { PageLink } from '../../ui/page-link.tsx'
import { SortHeading } from '../../ui/sort-heading.tsx'
import { TableFrame } from '../../ui/table-frame.tsx'
import { counted } from '../analyses/analysis.ts'
import { NodeName } from '../node-name.tsx'
import type { NamedNode } from '../nodes.ts'
import { useFirstRows } from '../show-more.tsx'
import { type Gap, logSourceName } from './gap.ts'
import type { SORTS } from './gap-search.ts'
import { MeasureBar } from './measure-bar.tsx'

interface GapTableProps {
  readonly gaps: readonly Gap[]
  /** The places of gaps among all of the scope, by the id of the node. */
  readonly ranks: ReadonlyMap<string, number>
  readonly nodes: ReadonlyMap<string, NamedNode> | undefined
  /** The column that is sorted by, after a minus if it descends; empty for the gap. */
  readonly sort: string
  readonly onSort: (sort: string) => void
  /** The query parameters of the matrix page for the same scope. */
  readonly search: Readonly<Record<string, string | undefined>>
}

/** Techniques with a gap. */
export function GapTable({ gaps, ranks, nodes, sort, onSort, search }: GapTableProps) {
  const { shown, more } = useFirstRows(gaps)
  const sorting = (column: (typeof SORTS)[number]) =>
    ({
      direction: sort === column ? 'ascending' : sort === `-${column}` ? 'descending' : 'none',
      onSort: () => onSort(sort === `-${column}` ? column : `-${column}`),
    }) as const
  return (
    <Stack gap="sm">
      <TableFrame minWidth={1_080}>
        <Table aria-label="Gaps">
          <Table.Thead>
            <Table.Tr>
              <Table.Th w={44} ta="right">
                #
              </Table.Th>
              <Table.Th>Technique</Table.Th>
              <SortHeading w={90} ta="right" label="Entities" {...sorting('count')} />
              <SortHeading w={118} label="Threat" {...sorting('threat')} />
              <SortHeading w={118} label="Covered" {...sorting('share')} />
              <SortHeading
                w={118}
                label="Gap"
                direction={sort === '' ? 'descending' : 'none'}
                onSort={() => onSort('')}
              />
              <Table.Th w={320}>Missing log sources</Table.Th>
              <Table.Th w={70} aria-label="Matrix" />
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {shown.map((gap) => (
              <Table.Tr key={gap.id}>
                <Table.Td ta="right" c="dimmed">
                  {ranks.get(gap.id)}
                </Table.Td>
                <Table.Td>
                  <NodeName id={gap.id} nodes={nodes} />
                </Table.Td>
                <Table.Td ta="right">{gap.count.toLocaleString('en')}</Table.Td>
                <Table.Td>
                  <MeasureBar kind="threat" share={gap.threat} />
                </Table.Td>
                <Table.Td>
                  <Tooltip label={coveredBy(gap)} multiline maw={320}>
                    <div>
                      <MeasureBar kind="covered" share={gap.share} />
                    </div>
                  </Tooltip>
                </Table.Td>
                <Table.Td>
                  <MeasureBar kind="gap" share={gap.gap} />
                </Table.Td>
                <Table.Td>
                  <Missing gap={gap} />
                </Table.Td>
                <Table.Td>
                  <PageLink
                    to="/attack"
                    search={{ ...search, node: gap.id }}
                    aria-label={`Show ${nodes?.get(gap.id)?.name ?? gap.id} in the matrix`}
                  >
                    Matrix
                  </PageLink>
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

/** What the coverage of a technique consists of, in words. */
const coveredBy = (gap: Gap): string =>
  `Best score ${gap.best_score} of 4 among ${counted(gap.mitigations, 'mitigation', 'mitigations')} and ${counted(gap.detections, 'detection strategy', 'detection strategies')}. ${gap.possible_analytics} of ${counted(gap.analytics, 'analytic', 'analytics')} possible with the collected log sources.`

/** How many log sources are named in a row. */
const MAX_NAMED = 2

function Missing({ gap: { missing_log_sources: missing, analytics } }: { readonly gap: Gap }) {
  if (missing.length === 0)
    return (
      <Text size="xs" c="dimmed">
        {analytics === 0 ? 'No analytics' : 'None'}
      </Text>
    )
  const left = missing.length - MAX_NAMED
  return (
    <div title={missing.map(logSourceName).join('\n')}>
      {missing.slice(0, MAX_NAMED).map((source) => (
        <Text key={source.id} size="xs" truncate="end" maw={304} className="code">
          {logSourceName(source)}
        </Text>
      ))}
      {left > 0 && (
        <Text size="xs" c="dimmed">
          and {left} more
        </Text>
      )}
    </div>
  )
}
