import { TaskError } from '../../background/task.ts'
import { isDatabaseAway, isTimeout, isTransient, refusal } from '../../engine/errors.ts'

/** What has the query, as in "the rule". */
export type Noun = 'rule' | 'playbook'

const PROBLEMS: Readonly<Record<Noun, { readonly tooSlow: string; readonly broken: string }>> = {
  rule: {
    tooSlow: 'Comparing entities with the rule takes too long. Make its query or its keywords more specific.',
    broken: 'An internal error prevents the rule from being compared with entities. Simplify its query.',
  },
  playbook: {
    tooSlow: 'Comparing objects with the trigger takes too long. Make its query more specific.',
    broken: 'An internal error prevents the trigger from being compared with objects. Simplify its query.',
  },
}

/** Why a query cannot be compared with objects, as a sentence; undefined for errors that are not caused by the query. */
export function problemOf(error: unknown, noun: Noun = 'rule'): string | undefined {
  if (error instanceof TaskError) return error.message
  if (isTimeout(error)) return PROBLEMS[noun].tooSlow
  const { status = 0, message = '' } = refusal(error) ?? {}
  if (isTransient(error) || isDatabaseAway(error) || status >= 500) return undefined
  return status === 0 ? PROBLEMS[noun].broken : `The ${noun} cannot be evaluated: ${message}`
}
