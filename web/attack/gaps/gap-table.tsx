import { Stack, Table, Text, Tooltip } from '@mantine/core'
import { PageLink } from '../../ui/page-link.tsx'
import { TableFrame } from '../../ui/table-frame.tsx'
import { counted } from '../analyses/analysis.ts'
import { NodeName } from '../node-name.tsx'
import type { NamedNode } from '../nodes.ts'
import { useFirstRows } from '../show-more.tsx'
import { type Gap, logSourceName } from './gap.ts'
import { MeasureBar } from './measure-bar.tsx'

interface GapTableProps {
  readonly gaps: readonly Gap[]
  readonly nodes: ReadonlyMap<string, NamedNode> | undefined
  /** The query parameters of the matrix page for the same scope. */
  readonly search: Readonly<Record<string, string | undefined>>
}

/** Techniques with a gap, the largest first. */
export function GapTable({ gaps, nodes, search }: GapTableProps) {
  const { shown, more } = useFirstRows(gaps)
  return (
    <Stack gap="sm">
      <TableFrame minWidth={1_000}>
        <Table aria-label="Gaps">
          <Table.Thead>
            <Table.Tr>
              <Table.Th w={44} ta="right">
                #
              </Table.Th>
              <Table.Th>Technique</Table.Th>
              <Table.Th w={90} ta="right">
                Entities
              </Table.Th>
              <Table.Th w={118}>Threat</Table.Th>
              <Table.Th w={118}>Covered</Table.Th>
              <Table.Th w={118}>Gap</Table.Th>
              <Table.Th w={240}>Missing log sources</Table.Th>
              <Table.Th w={70} aria-label="Matrix" />
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {shown.map((gap, i) => (
              <Table.Tr key={gap.id}>
                <Table.Td ta="right" c="dimmed">
                  {i + 1}
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
        <Text key={source.id} size="xs" truncate="end" maw={224} className="code">
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
