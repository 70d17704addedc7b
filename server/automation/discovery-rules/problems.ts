import { type Kysely, sql } from 'kysely'
import { TaskError } from '../../background/task.ts'
import { isDatabaseAway, isTimeout, isTransient, refusal } from '../../engine/errors.ts'
import type { Seeing } from '../../identity/access/sight.ts'
import { type Criteria, isBoundless } from './criteria.ts'

const TOO_SLOW = 'Comparing entities with the rule takes too long. Make its query or its keywords more specific.'
const BROKEN = 'An internal error prevents the rule from being compared with entities. Simplify its query.'

/** Why a rule cannot be compared with entities, as a sentence; undefined for errors that are not caused by the rule. */
export function problemOf(error: unknown): string | undefined {
  if (error instanceof TaskError) return error.message
  if (isTimeout(error)) return TOO_SLOW
  const { status = 0, message = '' } = refusal(error) ?? {}
  if (isTransient(error) || isDatabaseAway(error) || status >= 500) return undefined
  return status === 0 ? BROKEN : `The rule cannot be evaluated: ${message}`
}

/** Why a rule cannot be compared with entities for its owner. */
export function lackOf(rule: Criteria, owner: Seeing | undefined): string | undefined {
  if (!owner)
    return 'The rule runs with the permissions of the user who last saved it, but that account does not exist or is inactive. Save the rule again to take it over.'
  if (!owner.permissions.has('read entities'))
    return 'The rule runs with the permissions of the user who last saved it, who may not read entities. Save the rule again to take it over.'
  // Deleting the sources of a rule can remove its last criterion.
  if (isBoundless(rule))
    return 'The rule has no criteria left and would find all entities. Add keywords, types, sources or a query.'
  return undefined
}

/** Records the problems of rules, or that they have none. */
export async function recordProblems(
  db: Kysely<unknown>,
  rules: readonly number[],
  problems: ReadonlyMap<number, string>,
): Promise<void> {
  await sql`
    update discovery_rules as t set problem = i.problem
    from unnest(${rules}::integer[], ${rules.map((id) => problems.get(id) ?? null)}::text[]) as i(id, problem)
    where t.id = i.id and t.problem is distinct from i.problem`.execute(db)
}
