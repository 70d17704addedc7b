import type { RawBuilder } from 'kysely'
import type { AnyRow, Context } from '../engine/context.ts'
import type { Operations } from '../engine/definition.ts'
import type { Id } from '../engine/reference.ts'
import { standard } from '../engine/standard.ts'
import { refuseUnheldGrants } from './access/grants.ts'

/** The roles and groups granted by rows with these ids, as subqueries that return ids. */
type GrantedIds = (ids: readonly number[]) => {
  readonly roles: RawBuilder<unknown>
  readonly groups: RawBuilder<unknown>
}

/**
 * Operations for resources that grant roles and groups. Refuses a write unless the caller holds everything that the
 * row grants before and after it.
 */
export function grantChecked(grantsOf: GrantedIds): Operations {
  const check = (ctx: Context, ids: readonly Id[]) => {
    const { roles, groups } = grantsOf(ids.map(Number))
    return refuseUnheldGrants(ctx, roles, groups)
  }
  return {
    list: standard.list,
    get: standard.get,
    create: async (ctx, resource, item) => {
      const made: AnyRow = await standard.create(ctx, resource, item)
      await check(ctx, [made.id])
      return made
    },
    update: async (ctx, resource, id, patch) => {
      await check(ctx, [id])
      const row = await standard.update(ctx, resource, id, patch)
      await check(ctx, [id])
      return row
    },
    remove: async (ctx, resource, ids) => {
      await check(ctx, ids)
      await standard.remove(ctx, resource, ids)
    },
  }
}
