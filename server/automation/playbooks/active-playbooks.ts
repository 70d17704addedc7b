import { type Kysely, sql } from 'kysely'
import type { Seeing } from '../../identity/access/sight.ts'
import type { Owned } from '../owned-queries/compile-owned.ts'
import { READING } from './matches.ts'
import type { ChangeTrigger } from './trigger.ts'

/** A playbook that changes start. */
export interface ActivePlaybook extends Owned {
  readonly version: number
  readonly trigger: ChangeTrigger
}

/** The playbooks that changes can start now. */
export async function activePlaybooks(db: Kysely<unknown>): Promise<readonly ActivePlaybook[]> {
  const { rows } = await sql<ActivePlaybook>`
    select id, version, trigger, owner, problem from playbooks where ${IS_STARTED_BY_CHANGES} order by id`.execute(db)
  return rows
}

/** Whether there are any. */
export async function hasActivePlaybooks(db: Kysely<unknown>): Promise<boolean> {
  const { rows } = await sql`select from playbooks where ${IS_STARTED_BY_CHANGES} limit 1`.execute(db)
  return rows.length > 0
}

const IS_STARTED_BY_CHANGES = sql`is_active and paused_at is null and trigger ->> 'type' = 'change'`

const SAVE_AGAIN = 'Save the playbook again to take it over.'

/** Why a playbook cannot run for its owner. */
export const NO_OWNER = `The playbook runs with the permissions of the user who last saved it, but that account does not exist or is inactive. ${SAVE_AGAIN}`

/** Why the trigger of a playbook cannot be compared with objects for its owner. */
export function lackOf({ trigger }: ActivePlaybook, owner: Seeing | undefined): string | undefined {
  if (!owner) return NO_OWNER
  const needed = READING[trigger.collection]
  if (owner.permissions.has(needed)) return undefined
  return `The playbook runs with the permissions of the user who last saved it, who lacks: ${needed}. ${SAVE_AGAIN}`
}

/** Records why triggers cannot be evaluated, or that they can. */
export async function recordProblems(
  db: Kysely<unknown>,
  playbooks: readonly number[],
  problems: ReadonlyMap<number, string>,
): Promise<void> {
  await sql`
    update playbooks as t set problem = i.problem
    from unnest(${playbooks}::integer[], ${playbooks.map((id) => problems.get(id) ?? null)}::text[]) as i(id, problem)
    where t.id = i.id and t.problem is distinct from i.problem`.execute(db)
}
