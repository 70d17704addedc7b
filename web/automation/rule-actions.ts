import { call } from '../api/call.ts'
import { invalidate } from '../api/invalidate.ts'
import { startRun } from '../background/run-queries.ts'
import type { Rule, RuleKind } from './rule-kind.ts'

/** What the actions need to know of a kind of rules, or of enrichers. */
export type Changed = Pick<RuleKind, 'path' | 'touched'>

/** Refetches everything on screen that depends on rules or enrichers of a kind. */
export const renewRules = ({ path, touched }: Changed): Promise<void> => invalidate(path, ...touched)

/** Activates or deactivates rules. */
export async function setActive(kind: Changed, ids: readonly (string | number)[], is_active: boolean): Promise<void> {
  const changed = await Promise.allSettled(
    ids.map((id) => call('PATCH', `${kind.path}/${id}`, { data: { is_active } })),
  )
  await renewRules(kind)
  const failed = changed.find((each) => each.status === 'rejected')
  if (failed) throw failed.reason
}

/** Deletes rules, in one transaction. Call `renewRules` once their pages are left: refetching a deleted rule fails. */
export async function deleteRules(kind: RuleKind, ids: readonly number[]): Promise<void> {
  await (ids.length === 1 ? call('DELETE', `${kind.path}/${ids[0]}`) : call('DELETE', kind.path, ids))
}

/** Starts a run of a rule or an enricher on existing data; returns the id of the run. */
export async function runRule(kind: Changed, { task }: Pick<Rule, 'task'>): Promise<string> {
  const run = await startRun(task ?? '')
  await renewRules(kind)
  return run
}
