import { type Kysely, sql } from 'kysely'
import type { Seeing } from '../../identity/access/sight.ts'
import { type Criteria, isBoundless } from './criteria.ts'

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
