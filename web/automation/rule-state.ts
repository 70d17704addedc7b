import type { Rule } from './rule-kind.ts'

type Judged = Pick<Rule, 'is_active' | 'problem' | 'warning' | 'status' | 'paused_reason'>

/** The state of a rule as text and colour, with the reason if something is wrong. */
export interface RuleState {
  readonly label: string
  readonly color: string
  readonly reason: string | null
}

const RUNNING = ['STARTED', 'PENDING', 'SENT', 'RETRY', 'WAITING']

/** The state of a rule: the most important of its problem, its latest run and its warning. */
export function stateOf({
  is_active,
  paused_reason = null,
  problem = null,
  warning = null,
  status,
}: Judged): RuleState {
  if (paused_reason !== null) return { label: 'Paused', color: 'red', reason: paused_reason }
  if (problem !== null) return { label: 'Not working', color: 'red', reason: problem }
  if (!is_active) return { label: 'Inactive', color: 'gray', reason: null }
  if (status === 'FAILURE') return { label: 'Last run failed', color: 'red', reason: 'The latest run failed.' }
  if (warning !== null) return { label: 'Warning', color: 'yellow', reason: warning }
  if (RUNNING.includes(status ?? '')) return { label: 'Running', color: 'blue', reason: null }
  return { label: 'Active', color: 'green', reason: null }
}

/** Whether a rule can be run on existing data. */
export const canRun = ({ task, is_retroactive = true }: Pick<Rule, 'task' | 'is_retroactive'>): boolean =>
  task !== null && is_retroactive

/** Whether a rule needs the attention of a user. */
export const needsAttention = (rule: Judged): boolean => ['red', 'yellow'].includes(stateOf(rule).color)

/** The views of a list of rules. */
export const RULE_VIEWS = [
  { value: '', label: 'All' },
  { value: 'active', label: 'Active' },
  { value: 'inactive', label: 'Inactive' },
  { value: 'attention', label: 'Needs attention' },
] as const

/** The rules of a view whose name or description contains a text. */
export function rulesShown<R extends Rule>(rules: readonly R[], view: string, text: string): readonly R[] {
  const wanted = text.trim().toLowerCase()
  return rules.filter(
    (rule) =>
      (view === '' || (view === 'attention' ? needsAttention(rule) : rule.is_active === (view === 'active'))) &&
      `${rule.name}\n${rule.description ?? ''}`.toLowerCase().includes(wanted),
  )
}
