import { SimpleGrid, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { listQuery } from '../../api/lists.ts'
import type { Playbook } from '../../api/resources.ts'
import { useMay } from '../../api/session.ts'
import { Card } from '../../ui/card.tsx'
import { NoPermission } from '../../ui/no-permission.tsx'
import { PageHead } from '../../ui/page-head.tsx'
import { POLICIES } from '../consolidation/policy.ts'
import type { Detonator } from '../detonators/detonator-queries.ts'
import { LatestHits, useMaySeeHits } from '../discovery/hits.tsx'
import { PLAYBOOKS } from '../playbooks/playbook.ts'
import { DISCOVERY_RULES, ENTITY_RULES, type Rule } from '../rule-kind.ts'
import {
  type Attention,
  attentionOfDetonators,
  attentionOfEnrichers,
  attentionOfRules,
  sorted,
  type WatchedEnricher,
} from './attention.ts'
import { AttentionList } from './attention-list.tsx'
import { DetonatorCard } from './detonator-card.tsx'
import { KindCard } from './kind-card.tsx'
import { SuggestionsCard } from './suggestions-card.tsx'

const MAX_OBJECTS = 500
const MAX_HITS = 5
const REFRESH_MS = 30_000

const PARAMETERS = { limit: MAX_OBJECTS, sort: 'name' }

/** All automation at a glance: how much of it is active, what needs attention, and what was found last. */
export function AutomationOverview() {
  const may = useMay()
  const maySeeHits = useMaySeeHits()
  const entityRules = useKind<Rule>(ENTITY_RULES.path, 'rules')
  const enrichers = useKind<WatchedEnricher>('enrichers', 'enrichers')
  const detonators = useKind<Detonator>('detonators', 'detonators')
  const enrichmentRules = useKind<Rule>('enrichment-rules', 'enrichment-rules')
  const discoveryRules = useKind<Rule>(DISCOVERY_RULES.path, 'discovery-rules')
  const playbooks = useKind<Playbook>(PLAYBOOKS.path, PLAYBOOKS.permission)
  const policies = useKind<Rule>(POLICIES.path, POLICIES.permission)
  const kinds = [entityRules, enrichers, detonators, enrichmentRules, discoveryRules, playbooks, policies]
  const attention: readonly Attention[] = sorted([
    ...attentionOfRules(entityRules.data ?? [], 'Entity rule', ENTITY_RULES.page),
    ...attentionOfEnrichers(enrichers.data ?? []),
    ...attentionOfDetonators(detonators.data ?? []),
    ...attentionOfRules(enrichmentRules.data ?? [], 'Enrichment rule', '/enrichment-rules'),
    ...attentionOfRules(discoveryRules.data ?? [], 'Discovery rule', DISCOVERY_RULES.page),
    ...attentionOfRules(playbooks.data ?? [], 'Playbook', PLAYBOOKS.page),
    ...attentionOfRules(policies.data ?? [], 'Consolidation policy', POLICIES.page),
  ])
  if (!kinds.some(({ canRead }) => canRead))
    return (
      <>
        <PageHead title="Automation" />
        <NoPermission permission="read rules" />
      </>
    )
  return (
    <>
      <PageHead
        title="Automation"
        description="Rules, enrichers, detonators, playbooks and policies that classify, enrich, monitor and consolidate intelligence as it arrives."
      />
      <Stack>
        <SimpleGrid cols={{ base: 1, sm: 2, xl: 3 }}>
          {entityRules.canRead && (
            <KindCard
              title="Entity rules"
              page="/entity-rules"
              create={may('modify rules') ? { label: 'Create entity rule', to: '/entity-rules/new' } : undefined}
              purpose="Tag, classify and mark entities before anyone can see them."
              list={entityRules}
              attention={attention.filter(({ kind }) => kind === 'Entity rule').length}
            />
          )}
          {enrichers.canRead && (
            <KindCard
              title="Enrichers"
              page="/enrichers"
              create={may('modify enrichers') ? { label: 'Create enricher', to: '/enrichers', isNew: true } : undefined}
              purpose="Look up observables in other services, within their limits."
              list={enrichers}
              attention={attention.filter(({ kind }) => kind === 'Enricher').length}
            />
          )}
          {detonators.canRead && (
            <DetonatorCard list={detonators} attention={attention.filter(({ kind }) => kind === 'Detonator').length} />
          )}
          {enrichmentRules.canRead && (
            <KindCard
              title="Enrichment rules"
              page="/enrichment-rules"
              create={
                may('modify enrichment-rules')
                  ? { label: 'Create enrichment rule', to: '/enrichment-rules/new' }
                  : undefined
              }
              purpose="Decide which new observables are looked up, and where."
              list={enrichmentRules}
              attention={attention.filter(({ kind }) => kind === 'Enrichment rule').length}
            />
          )}
          {discoveryRules.canRead && (
            <KindCard
              title="Discovery rules"
              page="/discovery-rules"
              create={
                may('modify discovery-rules')
                  ? { label: 'Create discovery rule', to: '/discovery-rules/new' }
                  : undefined
              }
              purpose="Notify you of new intelligence of interest within seconds."
              list={discoveryRules}
              attention={attention.filter(({ kind }) => kind === 'Discovery rule').length}
            />
          )}
          {playbooks.canRead && (
            <KindCard
              title={PLAYBOOKS.title}
              page={PLAYBOOKS.page}
              create={
                may('modify playbooks')
                  ? { label: 'Ready-made playbooks', to: `${PLAYBOOKS.page}/templates` }
                  : undefined
              }
              purpose={PLAYBOOKS.description}
              list={playbooks}
              attention={attention.filter(({ kind }) => kind === 'Playbook').length}
            />
          )}
          {policies.canRead && (
            <KindCard
              title={POLICIES.title}
              page={POLICIES.page}
              create={
                may('modify rules') ? { label: 'Create consolidation policy', to: `${POLICIES.page}/new` } : undefined
              }
              purpose={POLICIES.description}
              list={policies}
              attention={attention.filter(({ kind }) => kind === 'Consolidation policy').length}
            />
          )}
          {may('read entities') && <SuggestionsCard />}
        </SimpleGrid>
        <SimpleGrid cols={{ base: 1, md: 2 }} style={{ alignItems: 'start' }}>
          <AttentionList found={attention} otherwise={otherwise(kinds)} />
          {maySeeHits && (
            <Card title="Latest hits" description="New entities that discovery rules found for you.">
              <LatestHits most={MAX_HITS} empty="Nothing found in the last 30 days." />
            </Card>
          )}
        </SimpleGrid>
      </Stack>
    </>
  )
}

/** What to say if nothing is known to need attention. */
function otherwise(kinds: readonly KindList<unknown>[]): string {
  if (kinds.some(({ error }) => error)) return 'Some of the automation could not be loaded.'
  return kinds.every(({ canRead, data }) => !canRead || data) ? 'Everything is working.' : 'Loading…'
}

/** The objects of one kind of automation, and whether the user may read them. */
export interface KindList<T> {
  readonly canRead: boolean
  readonly data: readonly T[] | undefined
  readonly total: number
  readonly error: unknown
  readonly isFetching: boolean
  readonly refetch: () => void
}

function useKind<T>(path: string, permission: string): KindList<T> {
  const canRead = useMay()(`read ${permission}`)
  const { data, error, isFetching, refetch } = useQuery({
    ...listQuery<T>(path, PARAMETERS),
    enabled: canRead,
    refetchInterval: REFRESH_MS,
  })
  return {
    canRead,
    data: data?.data,
    total: data?.total_count ?? 0,
    error,
    isFetching,
    refetch: () => void refetch(),
  }
}
