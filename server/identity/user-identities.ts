import { sql } from 'kysely'
import type { Context } from '../engine/context.ts'
import { ref, string, text, timestamp } from '../engine/field.ts'
import type { Id } from '../engine/reference.ts'
import { defineResource } from '../engine/resource.ts'
import { standard } from '../engine/standard.ts'
import { guarded, refuseWiderSight } from './access/grants.ts'
import { changingCallers } from './changing-callers.ts'

const { list, get } = standard

export const userIdentities = defineResource({
  collection: 'user_identities',
  title: 'User identity',
  doc: 'Links a subject at an identity provider to a user: signing in as that subject signs in as this user.',
  key: ['issuer', 'subject'],
  permission: 'users',
  fields: {
    user: ref('users').required(),
    issuer: text().accepts(string(1, 2000)).required().describe("The issuer, exactly as in the provider's tokens."),
    subject: text().accepts(string(1, 255)).required().describe("The `sub` claim of the provider's tokens."),
    created_at: timestamp().stamped('created-at'),
    created_by: ref('users').nullable().stamped('created-by'),
  },
  example: { user: 1, issuer: 'https://login.example.org', subject: '248289761001' },
  routes: changingCallers,
  operations: {
    list,
    get,
    create: (ctx, resource, item) => {
      const users = [Number(item.user)]
      return guarded(
        ctx,
        () => users,
        async () => {
          await refuseWiderSight(ctx, users)
          return standard.create(ctx, resource, item)
        },
      )
    },
    remove: async (ctx, resource, ids) => {
      const users = await usersOf(ctx, ids)
      return guarded(
        ctx,
        () => users,
        async () => {
          await refuseWiderSight(ctx, users)
          await standard.remove(ctx, resource, ids)
        },
      )
    },
  },
})

async function usersOf({ db }: Context, ids: readonly Id[]): Promise<number[]> {
  const { rows } = await sql<{ user: number }>`
    select "user" from user_identities where id = any(${ids}::integer[])`.execute(db)
  return rows.map(({ user }) => user)
}
