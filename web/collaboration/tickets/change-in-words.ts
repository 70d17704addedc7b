import { PRIORITIES, statusName } from './ticket-list.ts'

/** One change in the history of a ticket. */
export interface TicketChange {
  readonly id: number
  readonly field: string
  readonly before: unknown
  readonly after: unknown
  readonly created_at: string
  readonly created_by: string | null
}

const NAMES: Readonly<Record<string, string>> = {
  name: 'Name',
  status: 'Status',
  priority: 'Priority',
  due_at: 'Due date',
  assignee: 'Assignee',
}

const LINKS: Readonly<Record<string, string>> = {
  stakeholders: 'Stakeholder',
  workspaces: 'Workspace',
  entities: 'Entity',
}

/** A change as a sentence; `shown` formats the value of a field. */
export function changeInWords(
  { field, before, after }: Pick<TicketChange, 'field' | 'before' | 'after'>,
  shown: (field: string, value: unknown) => string,
): string {
  const valueText = (value: unknown): string => {
    if (field === 'status') return statusName(String(value ?? ''))
    if (field === 'priority') return PRIORITIES.find((each) => each.value === value)?.label ?? 'none'
    return value === null || value === '' ? 'none' : shown(field, value)
  }
  const link = LINKS[field]
  if (link)
    return before === null ? `${link} ${valueText(after)} was added` : `${link} ${valueText(before)} was removed`
  if (field === 'description') return 'The description was changed'
  return `${NAMES[field] ?? field}: ${valueText(before)} → ${valueText(after)}`
}
