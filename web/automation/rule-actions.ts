import { call } from '../api/call.ts'
import { invalidate } from '../api/invalidate.ts'
import type { Rule, RuleKind } from './rule-kind.ts'

/** Refetches everything on screen that rules of a kind may have changed. */
export const renewRules = ({ path, touched }: RuleKind): Promise<void> => invalidate(path, ...touched)

/** Activates or deactivates rules. */
export async function setActive(kind: RuleKind, ids: readonly (string | number)[], is_active: boolean): Promise<void> {
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

/** Starts a run of a rule on existing entities; returns the id of the run. */
export async function runRule(kind: RuleKind, { task }: Pick<Rule, 'task'>): Promise<string> {
  const { data } = await call<{ data: { id: string } }>('POST', 'tasks/runs', { data: { task } })
  await renewRules(kind)
  return data.id
}
