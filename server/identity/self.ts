import { sql } from 'kysely'
import { z } from 'zod'
import { defineAction } from '../engine/action.ts'
import { outputSchema, patchSchema } from '../engine/body.ts'
import type { Context } from '../engine/context.ts'
import { badRequest, forbidden } from '../engine/errors.ts'
import { get } from '../engine/fetch.ts'
import { present, project } from '../engine/present.ts'
import { readAttributes } from '../engine/query.ts'
import type { Route } from '../engine/route.ts'
import { standard } from '../engine/standard.ts'
import { touch } from '../engine/write.ts'
import { setPassword } from './access/accounts.ts'
import type { SignedIn } from './access/callers.ts'
import { MAX_PASSWORD_LENGTH } from './sign-in/passwords.ts'
import { prove } from './sign-in/proof.ts'
import { endSessions } from './sign-in/sessions.ts'
import { users } from './users.ts'

const about = { tag: 'users', permission: null, liftsLimits: true }

/** Returns the calling user with their permissions and groups. */
export const getSelf = defineAction({
  ...about,
  name: 'get_self',
  doc: 'Get the calling user',
  method: 'GET',
  path: '/users/self',
  result: outputSchema(users),
  run: async (ctx, _, { query }) => {
    const row = await get(ctx, users, ctx.caller.id)
    return project(present(ctx, users, row), readAttributes(query))
  },
})

/**
 * The fields that callers can change on their own account. The e-mail address is excluded: at an unlocked screen, an
 * attacker could redirect the password reset link to themselves.
 */
const ownData: z.ZodObject = patchSchema(users).pick({ firstname: true, lastname: true, locale: true, timezone: true })

const updateSelf = defineAction({
  ...about,
  name: 'update_self',
  doc: "Change the caller's own names, language and time zone",
  method: 'PATCH',
  changesCallers: true,
  path: '/users/self',
  body: ownData,
  example: { firstname: 'Ada', timezone: 'Europe/Amsterdam' },
  result: outputSchema(users),
  run: async (ctx, patch) => present(ctx, users, await standard.update(ctx, users, ctx.caller.id, patch)),
})

/** A condition that matches the caller's own row. */
export const isCaller = ({ caller }: Context) => sql<boolean>`id = ${caller.id}`

/** The error for a wrong password or code entered by a signed-in user. */
export const wrongProof = () => forbidden('The password or code is wrong, or the account is locked.')

const changePassword = defineAction({
  ...about,
  name: 'change_own_password',
  doc: "Change the caller's own password and end all other sessions",
  method: 'POST',
  changesCallers: true,
  path: '/users/self/password',
  body: z.object({
    old_password: z.string().max(MAX_PASSWORD_LENGTH),
    new_password: z.string().max(MAX_PASSWORD_LENGTH),
  }),
  example: { old_password: 'Correct horse 1!', new_password: 'Battery staple 2!' },
  refusals: [403],
  run: async (ctx, { old_password, new_password }) => {
    const proven = await prove(ctx, isCaller(ctx), { password: old_password }, false)
    if ('refused' in proven) return proven
    if (new_password === old_password) throw badRequest('new_password: must differ from the old password')
    await setPassword(ctx.db, ctx.caller.id, 'new_password', new_password)
    await endSessions(ctx.db, [ctx.caller.id], (ctx.caller as SignedIn).session?.id)
    await touch(ctx, users, ctx.caller.id)
    return undefined
  },
  answer: (refused) => {
    if (refused) throw wrongProof()
    return { status: 204 }
  },
})

/** The routes for the caller's own account. */
export const selfRoutes: readonly Route[] = [getSelf, updateSelf, changePassword]
