import { Skeleton, Table } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { idOf } from '../../api/lists.ts'
import type { Enrichment, Observable } from '../../api/resources.ts'
import { useMay } from '../../api/session.ts'
import { TableFrame } from '../../ui/table-frame.tsx'
import { enrichersQuery } from '../enrichers/enricher-queries.ts'
import { ResultRow } from './result-row.tsx'
import { VerdictRow } from './verdict-row.tsx'
import { linesOf, type SourceVerdict } from './verdicts.ts'

interface ResultTableProps {
  readonly results: readonly Enrichment[]
  readonly verdicts: readonly SourceVerdict[]
  readonly observable: Pick<Observable, 'type' | 'value'>
}

const COLUMNS = 6

/** What enrichers and other sources say about one observable, side by side, the strongest verdict first. */
export function ResultTable({ results, verdicts, observable }: ResultTableProps) {
  const may = useMay()
  const { data, isLoading } = useQuery({ ...enrichersQuery, enabled: may('read enrichers') })
  // Without the sources of the enrichers, their verdicts would appear twice for a moment.
  if (isLoading) return <Skeleton h={100} role="status" aria-label="Loading verdicts" />
  const enrichers = data?.data ?? []
  return (
    <TableFrame minWidth={600}>
      <Table verticalSpacing="xs">
        <Table.Thead>
          <Table.Tr>
            <Table.Th w={36} aria-label="Details" />
            <Table.Th>Source</Table.Th>
            <Table.Th miw={140}>Verdict</Table.Th>
            <Table.Th>Reason</Table.Th>
            <Table.Th>When</Table.Th>
            <Table.Th aria-label="Actions" />
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {linesOf(results, verdicts, enrichers).map((line) =>
            line.kind === 'verdict' ? (
              <VerdictRow key={line.key} verdict={line.verdict} />
            ) : (
              <ResultRow
                key={line.key}
                row={line.result}
                observable={observable}
                enricher={enrichers.find(({ id }) => String(id) === idOf(line.result.enricher))}
                columns={COLUMNS}
              />
            ),
          )}
        </Table.Tbody>
      </Table>
    </TableFrame>
  )
}
