import { Button, Group, Skeleton, Stack, Table, Text, Tooltip } from '@mantine/core'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { endlessQuery } from '../../api/lists.ts'
import { nameOf, useNames } from '../../api/names.ts'
import type { Enrichment, Entity, Observable } from '../../api/resources.ts'
import { defangText } from '../../domain/defang-text.ts'
import { MaliciousnessBadge } from '../../ui/badges.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Icon } from '../../ui/icon.tsx'
import { ListEnd } from '../../ui/list-end.tsx'
import { LoadFault } from '../../ui/load-fault.tsx'
import { PageLink } from '../../ui/page-link.tsx'
import { TableFrame } from '../../ui/table-frame.tsx'
import { sortFindings, strongestVerdict } from '../enrichers/enricher-result.ts'
import { EnrichmentState } from '../enrichers/enrichment-state.tsx'
import { EnrichDialog, useMayEnrich } from './enrich-dialog.tsx'
import { enrichmentsQuery } from './enrichment-queries.ts'
import { matrixOf } from './matrix.ts'

type Listed = Pick<Observable, 'id' | 'type' | 'display_value' | 'meta'>

const PAGE_SIZE = 100

/** What enrichers say about the observables of an entity. */
export function EnrichmentTab({ entity }: { readonly entity: Entity }) {
  const mayEnrich = useMayEnrich()
  const [isChoosing, setIsChoosing] = useState(false)
  const list = useInfiniteQuery(
    endlessQuery<Listed>('observables', {
      'filter[entities]': entity.id,
      limit: PAGE_SIZE,
      attributes: 'id,type,display_value,meta',
    }),
  )
  const observables = list.data?.pages.flatMap(({ data }) => data)
  const enrich = mayEnrich && (
    <Button
      variant="default"
      leftSection={<Icon name="enrichers" size={14} />}
      onClick={() => setIsChoosing(true)}
      disabled={!observables?.length}
    >
      Enrich now
    </Button>
  )
  return (
    <Stack>
      <LoadFault query={list} />
      {list.isPending && <Skeleton h={200} role="status" aria-label="Loading" />}
      {observables?.length === 0 && (
        <EmptyState title="No observables">
          Enrichers look up the observables of an entity. Add some under “Observables” first.
        </EmptyState>
      )}
      {observables && observables.length > 0 && (
        <>
          <Group justify="flex-end">{enrich}</Group>
          <ResultMatrix observables={observables} />
          <ListEnd list={list} />
        </>
      )}
      {isChoosing && (
        <EnrichDialog
          title="Enrich the observables of this entity"
          target={{ entities: [entity.id] }}
          onClose={() => setIsChoosing(false)}
        />
      )}
    </Stack>
  )
}

function ResultMatrix({ observables }: { readonly observables: readonly Listed[] }) {
  const names = useNames('enrichers')
  const results = useQuery({
    ...enrichmentsQuery(observables.map(({ id }) => id)),
    placeholderData: (before) => before,
  })
  const { enrichers, rows } = matrixOf(observables, results.data?.data ?? [])
  if (results.error) return <LoadFault query={results} />
  if (results.isPending) return <Skeleton h={160} role="status" aria-label="Loading enrichment" />
  return (
    <>
      {enrichers.length === 0 && (
        <Text size="sm" c="dimmed">
          No enricher has looked up any of these observables yet.
        </Text>
      )}
      <TableFrame minWidth={320 + 150 * enrichers.length}>
        <Table verticalSpacing={6} highlightOnHover>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Observable</Table.Th>
              <Table.Th>Shown verdict</Table.Th>
              {enrichers.map((id) => (
                <Table.Th key={id}>{nameOf(names, `enrichers/${id}`)}</Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {rows.map(({ observable, results: own }) => (
              <Table.Tr key={observable.id}>
                <Table.Td maw={340} style={{ overflowWrap: 'anywhere' }}>
                  <PageLink to={`/observables/${observable.id}`} className="code">
                    {observable.display_value}
                  </PageLink>
                  <Text size="xs" c="dimmed">
                    {observable.type}
                  </Text>
                </Table.Td>
                <Table.Td>
                  <MaliciousnessBadge maliciousness={observable.meta.maliciousness} />
                </Table.Td>
                {enrichers.map((id) => (
                  <Table.Td key={id}>
                    <Cell result={own.get(id)} />
                  </Table.Td>
                ))}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </TableFrame>
    </>
  )
}

function Cell({ result }: { readonly result: Enrichment | undefined }) {
  if (!result)
    return (
      <Text size="sm" c="dimmed" component="span">
        –
      </Text>
    )
  const verdict = strongestVerdict(result.findings)
  const said = sortFindings(result.findings).verdicts.map(({ reason }) => reason)
  const reason = defangText([result.reason ?? '', ...said].filter(Boolean).join(' '))
  const shown =
    verdict === null ? <EnrichmentState enrichment={result} /> : <MaliciousnessBadge maliciousness={verdict} />
  if (reason === '') return shown
  return (
    <Tooltip label={reason} multiline maw={360}>
      <span>{shown}</span>
    </Tooltip>
  )
}
