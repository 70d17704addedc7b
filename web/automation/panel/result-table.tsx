import { ActionIcon, Group, Stack, Table, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Fragment, useState } from 'react'
import { idOf } from '../../api/lists.ts'
import { nameOf, useNames } from '../../api/names.ts'
import type { Enricher, Enrichment, Observable } from '../../api/resources.ts'
import { useMay } from '../../api/session.ts'
import { defangText } from '../../domain/defang-text.ts'
import { defang } from '../../domain/observables.ts'
import { MaliciousnessBadge } from '../../ui/badges.tsx'
import { CopyAs } from '../../ui/copy-as.tsx'
import { Moment } from '../../ui/moment.tsx'
import { PageLink } from '../../ui/page-link.tsx'
import { TableFrame } from '../../ui/table-frame.tsx'
import { enrichersQuery } from '../enrichers/enricher-queries.ts'
import { sortFindings, strongestVerdict } from '../enrichers/enricher-result.ts'
import { EnrichmentState } from '../enrichers/enrichment-state.tsx'
import { Findings } from '../enrichers/findings.tsx'
import { RawAnswer } from './raw-answer.tsx'
import { sortResults } from './sort-results.ts'
import { sourcePage } from './source-page.ts'

interface ResultTableProps {
  readonly rows: readonly Enrichment[]
  readonly observable: Pick<Observable, 'type' | 'value'>
}

const COLUMNS = 6

/** The results of enrichers for one observable, side by side, the strongest verdict first. */
export function ResultTable({ rows, observable }: ResultTableProps) {
  const may = useMay()
  const names = useNames('enrichers')
  const users = useNames('users')
  const { data: enrichers } = useQuery({ ...enrichersQuery, enabled: may('read enrichers') })
  const [closed, setClosed] = useState<ReadonlySet<number>>(new Set())
  const toggle = (id: number) => {
    const next = new Set(closed)
    if (!next.delete(id)) next.add(id)
    setClosed(next)
  }
  return (
    <TableFrame minWidth={600}>
      <Table verticalSpacing="xs">
        <Table.Thead>
          <Table.Tr>
            <Table.Th w={36} aria-label="Details" />
            <Table.Th>Enricher</Table.Th>
            <Table.Th miw={140}>Verdict</Table.Th>
            <Table.Th>Reason</Table.Th>
            <Table.Th>Looked up</Table.Th>
            <Table.Th aria-label="Actions" />
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {sortResults(rows).map((row) => {
            const id = idOf(row.enricher)
            const name = nameOf(names, row.enricher)
            const enricher = enrichers?.data.find((each) => String(each.id) === id)
            const isOpen = hasMore(row) && !closed.has(row.id)
            return (
              <Fragment key={row.id}>
                <Table.Tr>
                  <Table.Td>
                    {hasMore(row) && (
                      <ActionIcon
                        variant="subtle"
                        color="gray"
                        size="sm"
                        aria-label={`Findings of ${name}`}
                        aria-expanded={isOpen}
                        onClick={() => toggle(row.id)}
                      >
                        {isOpen ? '▾' : '▸'}
                      </ActionIcon>
                    )}
                  </Table.Td>
                  <Table.Td>
                    {may('read enrichers') ? <PageLink to={`/enrichers/${id}`}>{name}</PageLink> : name}
                  </Table.Td>
                  <Table.Td>
                    <Verdict row={row} />
                  </Table.Td>
                  <Table.Td>
                    <Text size="sm">{defangText(reasonOf(row) || waitingFor(row, enricher))}</Text>
                  </Table.Td>
                  <Table.Td>
                    <Moment at={row.looked_up_at} otherwise="Not yet" />
                    {row.requested_by !== null && (
                      <Text size="xs" c="dimmed">
                        for {nameOf(users, row.requested_by)}
                      </Text>
                    )}
                    {row.expires_at !== null && (
                      <Text size="xs" c="dimmed" style={{ whiteSpace: 'nowrap' }}>
                        valid until <Moment at={row.expires_at} />
                      </Text>
                    )}
                  </Table.Td>
                  <Table.Td>
                    <Group gap={6} justify="flex-end" wrap="nowrap">
                      <RawAnswer enrichment={row} name={name} />
                    </Group>
                  </Table.Td>
                </Table.Tr>
                {isOpen && (
                  <Table.Tr>
                    <Table.Td />
                    <Table.Td colSpan={COLUMNS - 1}>
                      <Stack gap={6} pb={4}>
                        <Findings findings={row.findings} isRest />
                        {row.warnings.map((warning) => (
                          <Text key={warning} size="xs" c="dimmed">
                            Warning: {defangText(warning)}
                          </Text>
                        ))}
                        <SourcePage address={sourcePage(enricher?.source_urls, observable)} />
                      </Stack>
                    </Table.Td>
                  </Table.Tr>
                )}
              </Fragment>
            )
          })}
        </Table.Tbody>
      </Table>
    </TableFrame>
  )
}

/** The address of the page about the observable at the source; never a link, because opening it discloses the observable. */
function SourcePage({ address }: { readonly address: string | null }) {
  if (address === null) return null
  return (
    <Group gap="xs">
      <Text size="sm">
        Page at <span className="code">{defang('domain', hostOf(address))}</span>
      </Text>
      <CopyAs label="Copy page address" text={address} />
    </Group>
  )
}

const hostOf = (address: string): string => (URL.canParse(address) ? new URL(address).host : address)

function Verdict({ row }: { readonly row: Enrichment }) {
  const verdict = strongestVerdict(row.findings)
  return (
    <Stack gap={4} align="flex-start">
      {verdict !== null && <MaliciousnessBadge maliciousness={verdict} />}
      {(verdict === null || row.state !== 'FOUND' || row.is_pending) && <EnrichmentState enrichment={row} />}
    </Stack>
  )
}

/** Why a look-up in the queue does not continue. */
const waitingFor = ({ is_pending }: Enrichment, enricher: Enricher | undefined): string =>
  is_pending && enricher && enricher.state !== 'ACTIVE' ? (enricher.state_reason ?? '') : ''

/** Whether there is something to show besides verdict and state. */
const hasMore = ({ findings, warnings }: Enrichment): boolean =>
  warnings.length > 0 || findings.some(({ kind }) => kind !== 'verdict' && kind !== 'link')

function reasonOf({ reason, findings, state }: Enrichment): string {
  const said = sortFindings(findings)
    .verdicts.map((verdict) => verdict.reason)
    .filter((text) => text !== '')
  if (reason !== null && state !== 'FOUND') return [reason, ...said].join(' ')
  return said.join(' ')
}
