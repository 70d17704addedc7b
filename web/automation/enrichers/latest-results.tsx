import { SegmentedControl, Skeleton, Stack, Table, Text } from '@mantine/core'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { endlessQuery, idOf, listQuery } from '../../api/lists.ts'
import type { Enricher, Enrichment, Observable } from '../../api/resources.ts'
import { useMay } from '../../api/session.ts'
import { defangText } from '../../domain/defang-text.ts'
import { observableTypeName } from '../../domain/observables.ts'
import { MaliciousnessBadge } from '../../ui/badges.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ListEnd } from '../../ui/list-end.tsx'
import { LoadFault } from '../../ui/load-fault.tsx'
import { Moment } from '../../ui/moment.tsx'
import { PageLink } from '../../ui/page-link.tsx'
import { TableFrame } from '../../ui/table-frame.tsx'
import { strongestVerdict } from './enricher-result.ts'
import { EnrichmentState } from './enrichment-state.tsx'

const VIEWS = [
  { value: '', label: 'All' },
  { value: 'FOUND', label: 'Found' },
  { value: 'EMPTY', label: 'Not known' },
  { value: 'FAILED', label: 'Failed' },
  { value: 'SKIPPED', label: 'Skipped' },
  { value: 'PENDING', label: 'In the queue' },
]

const PAGE_SIZE = 50

/** The results of an enricher, latest first. */
export function LatestResults({ enricher }: { readonly enricher: Enricher }) {
  const [state, setState] = useState('')
  const list = useInfiniteQuery(
    endlessQuery<Enrichment>('enrichments', {
      'filter[enricher]': enricher.id,
      ...(state && { 'filter[state]': state }),
      sort: '-looked_up_at',
      limit: PAGE_SIZE,
    }),
  )
  const rows = list.data?.pages.flatMap(({ data }) => data)
  return (
    <Stack gap="sm">
      <SegmentedControl
        aria-label="State"
        data={VIEWS}
        value={state}
        onChange={setState}
        style={{ alignSelf: 'start', maxWidth: '100%', overflowX: 'auto' }}
      />
      <LoadFault query={list} />
      {list.isPending && <Skeleton h={200} role="status" aria-label="Loading" />}
      {rows?.length === 0 && (
        <EmptyState title={state === '' ? 'No results yet' : 'No matching results'}>
          {state === '' && 'Open an observable or select entities in the search, and choose “Enrich”.'}
        </EmptyState>
      )}
      {rows && rows.length > 0 && <ResultTable rows={rows} />}
      <ListEnd list={list} />
    </Stack>
  )
}

function ResultTable({ rows }: { readonly rows: readonly Enrichment[] }) {
  const may = useMay()
  const ids = [...new Set(rows.map(({ observable }) => idOf(observable)))].slice(-PAGE_SIZE * 4)
  const { data } = useQuery({
    ...listQuery<Pick<Observable, 'id' | 'display_value' | 'type'>>('observables', {
      'filter[id]': ids,
      attributes: 'id,display_value,type',
      limit: ids.length,
    }),
    enabled: may('read extracts'),
  })
  const values = new Map((data?.data ?? []).map((each) => [String(each.id), each]))
  return (
    <TableFrame minWidth={760}>
      <Table highlightOnHover>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Observable</Table.Th>
            <Table.Th>State</Table.Th>
            <Table.Th>Verdict</Table.Th>
            <Table.Th ta="end">Findings</Table.Th>
            <Table.Th>Looked up</Table.Th>
            <Table.Th>Valid until</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map((enrichment) => {
            const id = idOf(enrichment.observable)
            const verdict = strongestVerdict(enrichment.findings)
            return (
              <Table.Tr key={enrichment.id}>
                <Table.Td maw={340} style={{ overflowWrap: 'anywhere' }}>
                  <PageLink to={`/observables/${id}`} className="code">
                    {values.get(id)?.display_value ?? `Observable ${id}`}
                  </PageLink>
                  <Text size="xs" c="dimmed">
                    {observableTypeName(values.get(id)?.type ?? '')}
                  </Text>
                </Table.Td>
                <Table.Td maw={300}>
                  <EnrichmentState enrichment={enrichment} />
                  {enrichment.reason && (
                    <Text size="xs" c="dimmed">
                      {defangText(enrichment.reason)}
                    </Text>
                  )}
                </Table.Td>
                <Table.Td>{verdict === null ? '–' : <MaliciousnessBadge maliciousness={verdict} />}</Table.Td>
                <Table.Td ta="end">{enrichment.findings.length.toLocaleString('en')}</Table.Td>
                <Table.Td>
                  <Moment at={enrichment.looked_up_at} />
                </Table.Td>
                <Table.Td>
                  <Moment at={enrichment.expires_at} />
                </Table.Td>
              </Table.Tr>
            )
          })}
        </Table.Tbody>
      </Table>
    </TableFrame>
  )
}
