import { sql } from 'kysely'
import type { Context } from '../../engine/context.ts'
import { asUsers } from '../../identity/access/as-user.ts'
import type { Seeing } from '../../identity/access/sight.ts'
import { ENRICH_PERMISSIONS } from '../enrichers/runs/enrich-tasks.ts'

/** Those of the users that may look observables up, as callers. */
export async function ableOwners(ctx: Pick<Context, 'db'>, ids: readonly number[]): Promise<Map<number, Seeing>> {
  const owners = await asUsers(ctx, [...new Set(ids)])
  return new Map(
    [...owners].filter(([, { permissions }]) => ENRICH_PERMISSIONS.every((permission) => permissions.has(permission))),
  )
}

/** The owners of active rules. */
export async function activeOwners({ db }: Pick<Context, 'db'>): Promise<number[]> {
  const { rows } = await sql<{ owner: number }>`
    select distinct owner from enrichment_rules where is_active and owner is not null`.execute(db)
  return rows.map(({ owner }) => owner)
}
