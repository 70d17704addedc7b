import { ActionIcon, Group, Stack, Table, Text } from '@mantine/core'
import { useState } from 'react'
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
import { sortFindings, strongestVerdict } from '../enrichers/enricher-result.ts'
import { EnrichmentState } from '../enrichers/enrichment-state.tsx'
import { Findings } from '../enrichers/findings.tsx'
import { RawAnswer } from './raw-answer.tsx'
import { sourcePage } from './source-page.ts'

interface ResultRowProps {
  readonly row: Enrichment
  readonly observable: Pick<Observable, 'type' | 'value'>
  /** Undefined without the permission to read enrichers. */
  readonly enricher: Enricher | undefined
  /** The number of columns of the table. */
  readonly columns: number
}

/** The result of one enricher, and below it what else it found. */
export function ResultRow({ row, observable, enricher, columns }: ResultRowProps) {
  const may = useMay()
  const users = useNames('users')
  const name = nameOf(useNames('enrichers'), row.enricher)
  const [isWanted, setIsWanted] = useState(true)
  const isOpen = hasMore(row) && isWanted
  return (
    <>
      <Table.Tr>
        <Table.Td>
          {hasMore(row) && (
            <ActionIcon
              variant="subtle"
              color="gray"
              size="sm"
              aria-label={`Findings of ${name}`}
              aria-expanded={isOpen}
              onClick={() => setIsWanted(!isWanted)}
            >
              {isOpen ? '▾' : '▸'}
            </ActionIcon>
          )}
        </Table.Td>
        <Table.Td>
          {may('read enrichers') ? <PageLink to={`/enrichers/${idOf(row.enricher)}`}>{name}</PageLink> : name}
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
              requested by {nameOf(users, row.requested_by)}
            </Text>
          )}
          {row.expires_at !== null && (
            <Text size="xs" c="dimmed" style={{ whiteSpace: 'nowrap' }}>
              valid until <Moment at={row.expires_at} />
            </Text>
          )}
        </Table.Td>
        <Table.Td ta="end">
          <RawAnswer enrichment={row} name={name} />
        </Table.Td>
      </Table.Tr>
      {isOpen && (
        <Table.Tr>
          <Table.Td />
          <Table.Td colSpan={columns - 1}>
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
    </>
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
