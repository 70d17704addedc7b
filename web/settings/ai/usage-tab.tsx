import { Group, SegmentedControl, Select, Skeleton, Stack, Text } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { call } from '../../api/call.ts'
import { searchOf } from '../../api/lists.ts'
import { useMay } from '../../api/session.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { LoadFault } from '../../ui/load-fault.tsx'
import { useUrlState } from '../../ui/use-url-state.ts'
import type { ProviderRecord } from './records.ts'
import { budgetUses, type Grouping, groupUsage, lastMonths, namesWith, type UsageRow } from './usage.ts'
import { Budgets, Totals, UsageTable } from './usage-tables.tsx'

/** Usage is kept for so long. */
const MONTHS = 13

const GROUPINGS: readonly { readonly value: Grouping; readonly label: string }[] = [
  { value: 'user', label: 'User' },
  { value: 'feature', label: 'Feature' },
  { value: 'provider', label: 'Provider' },
  { value: 'model', label: 'Model' },
  { value: 'month', label: 'Month' },
]

/** What users asked language models, and what it cost. */
export function UsageTab({ providers }: { readonly providers: readonly ProviderRecord[] }) {
  const may = useMay()
  const url = useUrlState()
  const months = lastMonths(new Date(), MONTHS)
  const [now = ''] = months
  const to = url.get('to') || now
  const from = url.get('from') || to
  const by = GROUPINGS.find(({ value }) => value === url.get('by'))?.value ?? 'user'
  const usage = useQuery({
    queryKey: ['ai/usage', from, to],
    queryFn: async ({ signal }) =>
      (await call<{ data: readonly UsageRow[] }>('GET', `ai/usage${searchOf({ from, to })}`, undefined, signal)).data,
    placeholderData: keepPreviousData,
  })
  const names = namesWith(may('modify configurations') ? 'Deleted users' : 'Other users')
  const rows = usage.data
  const budgets = new Map(
    providers.flatMap(({ type, monthly_token_budget: budget }) => (budget === null ? [] : [[type, budget] as const])),
  )
  return (
    <Stack>
      <Group align="end">
        <Select
          label="From"
          w={130}
          allowDeselect={false}
          data={months.filter((month) => month <= to)}
          value={from}
          onChange={(value) => url.set({ from: value }, true)}
        />
        <Select
          label="To"
          w={130}
          allowDeselect={false}
          data={months.filter((month) => month >= from)}
          value={to}
          onChange={(value) => url.set({ from, to: value }, true)}
        />
        <SegmentedControl
          aria-label="Group by"
          data={[...GROUPINGS]}
          value={by}
          onChange={(value) => url.set({ by: value }, true)}
        />
      </Group>
      <LoadFault query={usage} />
      {usage.isPending && <Skeleton height={240} />}
      {rows?.length === 0 && (
        <EmptyState title="No requests">No language model was asked in these months (UTC).</EmptyState>
      )}
      {rows && rows.length > 0 && (
        <>
          <Totals rows={rows} />
          <UsageTable
            title={GROUPINGS.find(({ value }) => value === by)?.label ?? ''}
            groups={groupUsage(rows, by, names)}
          />
          {from === now && to === now && <Budgets uses={budgetUses(rows, budgets, names.user)} />}
          <Text size="xs" c="dimmed">
            Months are in UTC. Costs are in the currency of the prices that are set for each provider, as they were when
            a request ended. Requests are kept for {MONTHS} months, without their texts.
          </Text>
        </>
      )}
    </Stack>
  )
}
