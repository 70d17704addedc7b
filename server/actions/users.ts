import { z } from 'zod'
import { createPasswordReset, redeemPasswordReset, removeTwoFactor, setPassword } from '../auth/accounts.ts'
import { refuseStronger, refuseWiderSight } from '../auth/grants.ts'
import { LONGEST_PASSWORD } from '../auth/passwords.ts'
import { endSessions } from '../auth/sessions.ts'
import { defineAction } from '../engine/action.ts'
import { requireVisible } from '../engine/fetch.ts'
import { readId } from '../engine/query.ts'
import type { Context } from '../engine/resource.ts'
import type { Incoming, Route } from '../engine/route.ts'
import { touch } from '../engine/write.ts'
import { users } from '../resources/users.ts'

const about = { tag: 'users', permission: 'modify users', refusals: [404] }

const linkPassword = defineAction({
  ...about,
  name: 'create_password_reset',
  doc: 'Make a link with which a user can set a new password, once',
  method: 'POST',
  path: '/users/:id/password-reset',
  result: z.object({ url: z.url(), expires_at: z.string() }),
  status: 201,
  run: async (ctx, _, request) => {
    const { secret, expires_at } = await createPasswordReset(ctx.db, await readUser(ctx, request))
    // Behind the #, it stays out of the logs of every server on the way.
    return { url: `${ctx.baseUrl}/password-reset#${secret}`, expires_at }
  },
})

const resetPassword = defineAction({
  name: 'reset_password',
  doc: 'Set a new password with the secret of a password reset link',
  tag: 'session',
  method: 'POST',
  path: '/session/password-reset',
  permission: 'public',
  body: z.object({ token: z.string().max(100), password: z.string().max(LONGEST_PASSWORD) }),
  example: { token: 'what stands behind the # of the link', password: 'Correct horse 1!' },
  run: async (ctx, { token, password }) => {
    const id = await redeemPasswordReset(ctx.db, token)
    await setPassword(ctx.db, id, 'password', password)
    await endSessions(ctx.db, [id])
    await touch(ctx, users, id)
  },
})

const resetTwoFactor = defineAction({
  ...about,
  name: 'remove_two_factor_of_user',
  doc: 'Remove the second factor of a user who lost it',
  method: 'DELETE',
  path: '/users/:id/two-factor',
  run: async (ctx, _, request) => {
    const id = await readUser(ctx, request)
    await removeTwoFactor(ctx.db, id)
    await touch(ctx, users, id)
  },
})

const signOutUser = defineAction({
  ...about,
  name: 'end_sessions_of_user',
  doc: 'End all browser sessions of a user',
  method: 'DELETE',
  path: '/users/:id/sessions',
  run: async (ctx, _, request) => endSessions(ctx.db, [await readUser(ctx, request)]),
})

/** The user in the path, if the caller may do and see all that they may: what follows could let the caller in as them. */
async function readUser(ctx: Context, { params }: Incoming): Promise<number> {
  const id = Number(readId(users, params.id ?? ''))
  await requireVisible(ctx, users, id)
  await refuseStronger(ctx, [id])
  await refuseWiderSight(ctx, [id])
  return id
}

/** What administrators do for users who cannot help themselves. */
export const userRoutes: readonly Route[] = [linkPassword, resetPassword, resetTwoFactor, signOutUser]
