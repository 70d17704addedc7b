import { Badge, Group, Skeleton, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { defangText } from '../../domain/defang-text.ts'
import { LoadFault } from '../../ui/load-fault.tsx'
import { PageLink } from '../../ui/page-link.tsx'
import { wholeQuery } from '../all-pages.ts'
import { LOG_SOURCES, type LogSource } from '../defenses/log-source.ts'
import { useStatuses } from '../defenses/status.ts'
import { StatusBadge } from '../defenses/status-badge.tsx'
import { logSourceName } from '../gaps/gap.ts'
import {
  analyticsQuery,
  defensesQuery,
  type LogSourceReference,
  logSourcesOf,
  type NodeDefense,
  referencesQuery,
} from './node-defense-queries.ts'

/** What defends against a technique: mitigations, and strategies with their analytics and the log sources that these need. */
export function NodeDefenses({ id }: { readonly id: string }) {
  const defenses = useQuery(defensesQuery(id))
  const own = defenses.data ?? []
  const mitigations = own.filter(({ type }) => type === 'mitigation')
  const detecting = own.filter(({ type }) => type !== 'mitigation')
  return (
    <>
      <LoadFault query={defenses} />
      {defenses.isPending && <Skeleton h={120} role="status" aria-label="Loading defenses" />}
      {defenses.data && (
        <>
          <Mitigations defenses={mitigations} />
          <Detections defenses={detecting} />
        </>
      )}
    </>
  )
}

const Empty = ({ children }: { readonly children: string }) => (
  <Text size="sm" c="dimmed">
    {children}
  </Text>
)

function Mitigations({ defenses }: { readonly defenses: readonly NodeDefense[] }) {
  return (
    <Stack gap={6} component="section" aria-label="Mitigations">
      <Title order={3} fz="sm">
        Mitigations
      </Title>
      {defenses.length === 0 && <Empty>None known.</Empty>}
      {defenses.map((defense) => (
        <DefenseLine key={defense.id} defense={defense} />
      ))}
    </Stack>
  )
}

function DefenseLine({ defense: { id, name, external_id } }: { readonly defense: NodeDefense }) {
  const { byDefense } = useStatuses()
  const status = byDefense?.get(id)?.status
  return (
    <Group gap={6} wrap="nowrap" justify="space-between" align="flex-start">
      <PageLink to={`/attack/defenses/${id}`} style={{ overflowWrap: 'anywhere' }}>
        {external_id && <span className="code">{external_id} </span>}
        {defangText(name)}
      </PageLink>
      {status && status !== 'none' && <StatusBadge status={status} />}
    </Group>
  )
}

function Detections({ defenses }: { readonly defenses: readonly NodeDefense[] }) {
  const analytics = useQuery({ ...analyticsQuery(defenses), enabled: defenses.length > 0 })
  const references = useQuery({ ...referencesQuery(analytics.data ?? []), enabled: (analytics.data?.length ?? 0) > 0 })
  const sources = useQuery({ ...wholeQuery<LogSource>(LOG_SOURCES), enabled: (references.data?.length ?? 0) > 0 })
  return (
    <Stack gap={6} component="section" aria-label="Detection">
      <Title order={3} fz="sm">
        Detection
      </Title>
      {defenses.length === 0 && <Empty>No detection known.</Empty>}
      {defenses.map((defense) => (
        <DefenseLine key={defense.id} defense={defense} />
      ))}
      {analytics.data?.map((analytic) => (
        <AnalyticLine
          key={analytic.id}
          analytic={analytic}
          references={references.data ?? []}
          sources={sources.data ?? []}
        />
      ))}
    </Stack>
  )
}

interface AnalyticLineProps {
  readonly analytic: NodeDefense
  readonly references: readonly LogSourceReference[]
  readonly sources: readonly LogSource[]
}

function AnalyticLine({ analytic, references, sources }: AnalyticLineProps) {
  const needed = logSourcesOf(analytic, references, sources)
  return (
    <Stack gap={4} pl="sm" style={{ borderInlineStart: '2px solid var(--corvus-line)' }}>
      <Group gap={6} wrap="nowrap" justify="space-between" align="flex-start">
        <PageLink to={`/attack/defenses/${analytic.id}`}>
          <span className="code">{analytic.external_id}</span> {defangText(analytic.name)}
        </PageLink>
        {needed.length > 0 && needed.every(({ isCollected }) => isCollected) && (
          <Badge color="green" variant="light" radius="xs">
            Possible
          </Badge>
        )}
      </Group>
      {needed.map(({ name, channel, isCollected }) => (
        <Text key={`${name}\n${channel}`} size="xs" style={{ overflowWrap: 'anywhere' }}>
          <span aria-hidden>{isCollected ? '✓ ' : '✗ '}</span>
          <span className="code">{logSourceName({ name, channel })}</span>{' '}
          <Text span inherit c={isCollected ? 'var(--mantine-color-success)' : 'dimmed'}>
            {isCollected ? 'collected' : 'not collected'}
          </Text>
        </Text>
      ))}
    </Stack>
  )
}
