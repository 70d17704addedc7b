import { Button, Group, SegmentedControl, Skeleton, Stack, TextInput } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type ReactNode, useMemo, useState } from 'react'
import { endlessQuery, type Parameters } from '../api/lists.ts'
import { useMay } from '../api/session.ts'
import { EmptyState } from '../ui/empty-state.tsx'
import { Icon } from '../ui/icon.tsx'
import { ListEnd } from '../ui/list-end.tsx'
import { LoadFault } from '../ui/load-fault.tsx'
import { NoPermission } from '../ui/no-permission.tsx'
import { PageHead } from '../ui/page-head.tsx'
import { useShortcuts } from '../ui/shortcuts.ts'
import { useUrlState } from '../ui/use-url-state.ts'
import { RuleBulk } from './rule-bulk.tsx'
import { nounOf, type Rule, type RuleKind } from './rule-kind.ts'
import { RULE_VIEWS, rulesShown } from './rule-state.ts'
import { type RuleColumn, RuleTable } from './rule-table.tsx'

interface RuleListProps<R> {
  readonly kind: RuleKind
  readonly columns: readonly RuleColumn<R>[]
  /** Query parameters in addition to the order. */
  readonly parameters?: Parameters
  /** Buttons before the one that creates a rule. */
  readonly actions?: ReactNode
  /** What the column of runs shows, if runs are not those of a task. */
  readonly runs?: (rule: R) => ReactNode
  /** A button next to the one that creates the first rule. */
  readonly emptyAction?: ReactNode
  /** A filter that changes the query parameters, and whether it is set. */
  readonly filter?: { readonly input: ReactNode; readonly isSet: boolean }
}

/** The number of rules per page; few teams have more. */
const PAGE_SIZE = 500
const REFRESH_MS = 15_000

/** The list of all rules of a kind, with their states and actions. */
export function RuleList<R extends Rule>(props: RuleListProps<R>) {
  const { kind, columns, parameters, filter, actions, emptyAction, runs } = props
  const may = useMay()
  const canRead = may(`read ${kind.permission}`)
  const create = useCreateRule(kind)
  const list = useInfiniteQuery({
    ...endlessQuery<R>(kind.path, { sort: 'name', limit: PAGE_SIZE, ...parameters }),
    enabled: canRead,
    refetchInterval: REFRESH_MS,
  })
  const rules = list.data?.pages.flatMap(({ data }) => data)
  if (!canRead)
    return (
      <>
        <PageHead title={kind.title} />
        <NoPermission permission={`read ${kind.permission}`} />
      </>
    )
  return (
    <>
      <PageHead
        title={kind.title}
        description={kind.description}
        actions={
          <>
            {actions}
            {create}
          </>
        }
      />
      <Stack gap="sm">
        <LoadFault query={list} />
        {list.isPending && <Skeleton h={240} role="status" aria-label={`Loading ${kind.title.toLowerCase()}`} />}
        {rules?.length === 0 && filter?.isSet && (
          <>
            <Group>{filter.input}</Group>
            <EmptyState title={`No matching ${nounOf(kind, 2)}`} />
          </>
        )}
        {rules?.length === 0 && !filter?.isSet && (
          <EmptyState
            title={`No ${kind.title.toLowerCase()} yet`}
            action={<EmptyActions create={create} other={emptyAction} />}
          >
            {kind.empty}
          </EmptyState>
        )}
        {rules && rules.length > 0 && (
          <Narrowed kind={kind} rules={rules} columns={columns} runs={runs} input={filter?.input} />
        )}
        <ListEnd list={list} />
      </Stack>
    </>
  )
}

const EmptyActions = ({ create, other }: { readonly create: ReactNode; readonly other: ReactNode }) => (
  <Group gap="xs" justify="center">
    {other}
    {create}
  </Group>
)

/** The button that opens the form for a new rule, which the key N opens as well. */
function useCreateRule({ page, permission, one }: RuleKind) {
  const mayCreate = useMay()(`modify ${permission}`)
  const navigate = useNavigate()
  useShortcuts(
    useMemo(
      () => (mayCreate ? [{ keys: 'n', label: `Create ${one}`, run: () => void navigate({ to: `${page}/new` }) }] : []),
      [mayCreate, navigate, page, one],
    ),
  )
  return (
    mayCreate && (
      <Button leftSection={<Icon name="plus" />} onClick={() => void navigate({ to: `${page}/new` })}>
        Create {one}
      </Button>
    )
  )
}

interface NarrowedProps<R> extends Pick<RuleListProps<R>, 'kind' | 'columns'> {
  readonly runs: RuleListProps<R>['runs']
  readonly rules: readonly R[]
  readonly input: ReactNode
}

function Narrowed<R extends Rule>({ kind, columns, rules, runs, input }: NarrowedProps<R>) {
  const url = useUrlState()
  const mayChange = useMay()(`modify ${kind.permission}`)
  const [selected, setSelected] = useState<ReadonlySet<number>>(new Set())
  const shown = rulesShown(rules, url.get('view'), url.get('text'))
  const chosen = shown.filter(({ id }) => selected.has(id))
  return (
    <>
      <Group gap="sm">
        <SegmentedControl
          aria-label="State"
          data={[...RULE_VIEWS]}
          value={url.get('view')}
          onChange={(view) => url.set({ view })}
        />
        <TextInput
          aria-label="Filter by name"
          placeholder="Filter by name"
          value={url.get('text')}
          onChange={({ currentTarget }) => url.set({ text: currentTarget.value }, true)}
          w={220}
        />
        {input}
        {chosen.length > 0 && <RuleBulk kind={kind} rules={chosen} onDone={() => setSelected(new Set())} />}
      </Group>
      {shown.length === 0 ? (
        <EmptyState
          title={`No matching ${nounOf(kind, 2)}`}
          action={
            <Button variant="default" onClick={() => url.set({ view: null, text: null })}>
              Show all {nounOf(kind, 2)}
            </Button>
          }
        />
      ) : (
        <RuleTable
          kind={kind}
          rules={shown}
          columns={columns}
          runs={runs}
          {...(mayChange && { selected, onSelect: setSelected })}
        />
      )}
    </>
  )
}
