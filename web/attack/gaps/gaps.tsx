import { Alert, Group, Skeleton, Stack, Text, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useDeferredValue, useMemo, useState } from 'react'
import type { Parameters } from '../../api/lists.ts'
import { useMay } from '../../api/session.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { LoadFault } from '../../ui/load-fault.tsx'
import { NoPermission } from '../../ui/no-permission.tsx'
import { PageHead } from '../../ui/page-head.tsx'
import { PageLink } from '../../ui/page-link.tsx'
import { useUrlState } from '../../ui/use-url-state.ts'
import { counted } from '../analyses/analysis.ts'
import { AttackTabs } from '../attack-tabs.tsx'
import { matrixName } from '../matrices.ts'
import { namedNodesQuery } from '../nodes.ts'
import { type Scope, urlOf } from '../scope.ts'
import { ScopeBar, useScope } from '../scope-bar.tsx'
import { ExportGaps } from './export-gaps.tsx'
import { gapsQuery } from './gap.ts'
import { matchingGaps, sortedGaps } from './gap-search.ts'
import { GapTable } from './gap-table.tsx'
import { TopGains } from './top-gains.tsx'

/** The techniques that are used and not covered, the most important first. */
export function Gaps() {
  const may = useMay()
  const lacking = ['read attack', 'read entities'].find((permission) => !may(permission))
  return (
    <>
      <AttackTabs />
      {lacking ? (
        <>
          <PageHead title="Gaps" />
          <NoPermission permission={lacking} />
        </>
      ) : (
        <Page />
      )}
    </>
  )
}

function Page() {
  const { scope, analysis, parameters, set } = useScope()
  const matrix = String(parameters?.matrix ?? scope.matrix)
  return (
    <>
      <PageHead
        title="Gaps"
        description="Techniques that your intelligence describes and that you cannot detect or stop yet. A gap is the threat times the part that is not covered."
        actions={parameters && <ExportGaps parameters={parameters} matrix={matrix} />}
      />
      <Stack gap="md">
        <ScopeBar scope={scope} matrix={matrix} onChange={set} />
        <LoadFault query={analysis} />
        {parameters ? (
          <Ranking key={JSON.stringify(parameters)} parameters={parameters} matrix={matrix} scope={scope} />
        ) : (
          !analysis.error && <Skeleton h={320} role="status" aria-label="Loading analysis" />
        )}
      </Stack>
    </>
  )
}

interface RankingProps {
  readonly parameters: Parameters
  readonly matrix: string
  readonly scope: Scope
}

function Ranking({ parameters, matrix, scope }: RankingProps) {
  const gaps = useQuery(gapsQuery(parameters))
  const nodes = useQuery(namedNodesQuery(matrix))
  const url = useUrlState()
  const sort = url.get('sort')
  const [typed, setTyped] = useState('')
  const wanted = useDeferredValue(typed)
  const all = gaps.data?.data
  const ranks = useMemo(() => new Map(all?.map(({ id }, i) => [id, i + 1])), [all])
  const found = useMemo(
    () => sortedGaps(matchingGaps(all ?? [], nodes.data ?? new Map(), wanted), sort),
    [all, nodes.data, wanted, sort],
  )
  if (gaps.error) return <LoadFault query={gaps} />
  if (!all || !gaps.data) return <Skeleton h={320} role="status" aria-label="Loading gaps" />
  if (all.length === 0) return <NoGaps count={gaps.data.total_count} matrix={matrix} />
  const search = Object.fromEntries(Object.entries(urlOf(scope)).map(([name, value]) => [name, value ?? undefined]))
  return (
    <>
      <TopGains parameters={parameters} search={search} />
      <Group gap="sm" justify="space-between">
        <TextInput
          type="search"
          aria-label="Filter techniques"
          placeholder="Filter by technique, tactic or log source"
          w={{ base: '100%', xs: 340 }}
          value={typed}
          onChange={({ currentTarget }) => setTyped(currentTarget.value)}
        />
        <Text size="sm" c="dimmed" role="status">
          {found.length === all.length
            ? counted(all.length, 'gap', 'gaps')
            : `${found.length.toLocaleString('en')} of ${counted(all.length, 'gap', 'gaps')}`}{' '}
          from {counted(gaps.data.total_count, 'entity', 'entities')}
        </Text>
      </Group>
      {found.length === 0 ? (
        <EmptyState title="No matching techniques" />
      ) : (
        <GapTable
          key={wanted}
          gaps={found}
          ranks={ranks}
          sort={sort}
          onSort={(next) => url.set({ sort: next }, true)}
          nodes={nodes.data}
          search={search}
        />
      )}
      {matrix === 'DISARM' && (
        <Alert color="gray" variant="light">
          DISARM has no defenses of its own. Add yours under{' '}
          <PageLink to="/attack/defenses" inherit>
            Defenses
          </PageLink>
          .
        </Alert>
      )}
    </>
  )
}

function NoGaps({ count, matrix }: { readonly count: number; readonly matrix: string }) {
  if (count === 0)
    return (
      <EmptyState title="No entities in this scope">
        Select another scope, or import intelligence. The groups of ATT&CK can be installed on the page{' '}
        <PageLink to="/attack/frameworks" inherit>
          Frameworks
        </PageLink>
        .
      </EmptyState>
    )
  return (
    <EmptyState title="No gaps">
      None of the {count.toLocaleString('en')} entities in this scope is classified with a technique of{' '}
      {matrixName(matrix)} that is not covered. Classify entities on the page of an entity, or in the{' '}
      <PageLink to="/attack" search={{ matrix }} inherit>
        matrix
      </PageLink>
      .
    </EmptyState>
  )
}
