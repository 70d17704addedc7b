import type { RawBuilder } from 'kysely'
import type { Id } from '../engine/reference.ts'
import type { AnyRow, Context, Operations } from '../engine/resource.ts'
import { standard } from '../engine/standard.ts'
import { refuseGiving } from './access/grants.ts'

/** What rows with these ids give to people, as queries of ids. */
type Gifts = (ids: readonly number[]) => { readonly roles: RawBuilder<unknown>; readonly groups: RawBuilder<unknown> }

/** The operations of what gives people roles and groups: whoever writes it holds all that it gives, before and after. */
export function heldByWriter(giftsOf: Gifts): Operations {
  const check = (ctx: Context, ids: readonly Id[]) => {
    const { roles, groups } = giftsOf(ids.map(Number))
    return refuseGiving(ctx, roles, groups)
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
