import { ActionIcon, Checkbox, Table, Text, Tooltip } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useMay } from '../api/session.ts'
import { defangText } from '../domain/defang-text.ts'
import { Icon } from '../ui/icon.tsx'
import { Moment } from '../ui/moment.tsx'
import { PageLink } from '../ui/page-link.tsx'
import { TableFrame } from '../ui/table-frame.tsx'
import { showErrorToast, showToast } from '../ui/toasts.tsx'
import { ActiveSwitch } from './active-switch.tsx'
import { runRule } from './rule-actions.ts'
import { nounOf, type Rule, type RuleKind } from './rule-kind.ts'
import { canRun, stateOf } from './rule-state.ts'
import { StateBadge } from './state-badge.tsx'
import { type TaskTimes, timesOf, useTaskTimes } from './task-times.ts'

/** A column that only one kind of rules has. */
export interface RuleColumn<R> {
  readonly label: string
  readonly cell: (rule: R) => ReactNode
  readonly width?: number
}

interface RuleTableProps<R> {
  readonly kind: RuleKind
  readonly rules: readonly R[]
  readonly columns: readonly RuleColumn<R>[]
  /** What the column of runs shows, if runs are not those of a task. */
  readonly runs?: ((rule: R) => ReactNode) | undefined
  /** The ids of the selected rules, if rules can be selected. */
  readonly selected?: ReadonlySet<number>
  readonly onSelect?: (selected: ReadonlySet<number>) => void
}

/** Rules with their states, what they do, and when they ran. */
export function RuleTable<R extends Rule>({ kind, rules, columns, runs, selected, onSelect }: RuleTableProps<R>) {
  const may = useMay()
  const times = useTaskTimes(rules.map(({ task }) => task))
  const mayRun = may('modify tasks') && may(`modify ${kind.permission}`)
  const toggle = (id: number) => {
    const next = new Set(selected)
    if (!next.delete(id)) next.add(id)
    onSelect?.(next)
  }
  const chosen = rules.filter(({ id }) => selected?.has(id)).length
  return (
    <TableFrame minWidth={940}>
      <Table aria-label={kind.title}>
        <Table.Thead>
          <Table.Tr>
            {selected && (
              <Table.Th w={36}>
                <Checkbox
                  size="xs"
                  aria-label={`Select all ${nounOf(kind, 2)}`}
                  checked={chosen === rules.length}
                  indeterminate={chosen > 0 && chosen < rules.length}
                  onChange={({ currentTarget }) =>
                    onSelect?.(new Set(currentTarget.checked ? rules.map(({ id }) => id) : []))
                  }
                />
              </Table.Th>
            )}
            <Table.Th w={64}>Active</Table.Th>
            <Table.Th>Name</Table.Th>
            {columns.map(({ label, width }) => (
              <Table.Th key={label} {...(width && { w: width })}>
                {label}
              </Table.Th>
            ))}
            <Table.Th w={150}>State</Table.Th>
            <Table.Th w={180}>Runs</Table.Th>
            {mayRun && <Table.Th w={44} aria-label="Actions" />}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rules.map((rule) => (
            <Table.Tr key={rule.id}>
              {selected && (
                <Table.Td>
                  <Checkbox
                    size="xs"
                    aria-label={`Select ${rule.name}`}
                    checked={selected.has(rule.id)}
                    onChange={() => toggle(rule.id)}
                  />
                </Table.Td>
              )}
              <Table.Td>
                <ActiveSwitch kind={kind} of={rule} />
              </Table.Td>
              <Table.Td miw={180}>
                <PageLink to={`${kind.page}/${rule.id}`} fw={500}>
                  {defangText(rule.name)}
                </PageLink>
                {rule.description && (
                  <Text size="xs" c="dimmed" lineClamp={1}>
                    {defangText(rule.description)}
                  </Text>
                )}
              </Table.Td>
              {columns.map(({ label, cell }) => (
                <Table.Td key={label}>{cell(rule)}</Table.Td>
              ))}
              <Table.Td>
                <StateBadge state={stateOf(rule)} />
              </Table.Td>
              <Table.Td>{runs ? runs(rule) : <RunTimes times={timesOf(times, rule)} />}</Table.Td>
              {mayRun && (
                <Table.Td>
                  <RunNow kind={kind} rule={rule} />
                </Table.Td>
              )}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </TableFrame>
  )
}

const RunTimes = ({ times }: { readonly times: TaskTimes | undefined }) => (
  <>
    <Text size="sm">
      {times?.last_run ? (
        <>
          Last{' '}
          <PageLink to={`/runs/${times.last_run.id}`}>
            <Moment at={times.last_run.created_at} />
          </PageLink>
        </>
      ) : (
        'No runs yet'
      )}
    </Text>
    {times?.next_run_at && (
      <Text size="xs" c="dimmed">
        Next <Moment at={times.next_run_at} />
      </Text>
    )}
  </>
)

interface CountAndTimeProps {
  readonly count: number
  readonly what: string
  readonly many: string
  readonly at: string | null
}

/** How many objects a rule dealt with, and when it last did. */
export const CountAndTime = ({ count, what, many, at }: CountAndTimeProps) => (
  <>
    <Text size="sm" style={{ whiteSpace: 'nowrap' }}>
      {count.toLocaleString('en')} {count === 1 ? what : many}
    </Text>
    {at !== null && (
      <Text size="xs" c="dimmed" style={{ whiteSpace: 'nowrap' }}>
        Last <Moment at={at} />
      </Text>
    )}
  </>
)

interface OfRule {
  readonly kind: RuleKind
  readonly rule: Rule
}

function RunNow({ kind, rule }: OfRule) {
  const started = useMutation({
    mutationFn: () => runRule(kind, rule),
    onSuccess: () => showToast(`“${defangText(rule.name)}” started`),
    onError: showErrorToast,
  })
  const label = kind.runLabel ?? 'Run now'
  if (!canRun(rule) || !rule.is_active) return null
  return (
    <Tooltip label={label}>
      <ActionIcon
        variant="subtle"
        color="gray"
        aria-label={`${label}: ${rule.name}`}
        loading={started.isPending}
        onClick={() => started.mutate()}
      >
        <Icon name="play" size={14} />
      </ActionIcon>
    </Tooltip>
  )
}
