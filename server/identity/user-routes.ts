import { sql } from 'kysely'
import { z } from 'zod'
import { defineAction } from '../engine/action.ts'
import type { Context } from '../engine/context.ts'
import { conflict } from '../engine/errors.ts'
import { requireVisible } from '../engine/fetch.ts'
import { readId } from '../engine/query.ts'
import type { Incoming, Route } from '../engine/route.ts'
import { touch } from '../engine/write.ts'
import { queueMails, requireMail } from '../mail/outbox.ts'
import { canHear } from '../mail/readers.ts'
import { createPasswordResets, redeemPasswordReset, removeTwoFactor, setPassword } from './access/accounts.ts'
import { refuseMorePermissions, refuseWiderSight } from './access/grants.ts'
import { refuseFlood } from './access/rate-limits.ts'
import { passwordMails, resetUrl } from './sign-in/password-mails.ts'
import { MAX_PASSWORD_LENGTH } from './sign-in/passwords.ts'
import { endSessions } from './sign-in/sessions.ts'
import { users } from './users.ts'

const about = { tag: 'users', permission: 'modify users', refusals: [404] }

const linkPassword = defineAction({
  ...about,
  name: 'create_password_reset',
  doc: "Create a single-use link for setting a user's password; with `send` the link is mailed to the user instead of returned",
  method: 'POST',
  changesCallers: true,
  path: '/users/:id/password-reset',
  body: z.object({ send: z.boolean().default(false) }).prefault({}),
  example: { send: true },
  result: z.object({ url: z.url().nullable().describe('Null if the link was mailed.'), expires_at: z.string() }),
  status: 201,
  refusals: [404, 409],
  run: async (ctx, { send }, request) => {
    const id = await readUser(ctx, request)
    if (send) return { url: null, expires_at: await mailLink(ctx, id, 'password-reset') }
    const [made] = await createPasswordResets(ctx.db, [id])
    if (!made) throw new TypeError('The password reset was not stored.')
    return { url: resetUrl(ctx.baseUrl, made.secret), expires_at: made.expires_at }
  },
})

const invite = defineAction({
  ...about,
  name: 'invite_user',
  doc: 'Invite a user without a password by mailing them a link to set one',
  method: 'POST',
  changesCallers: true,
  path: '/users/:id/invite',
  result: z.object({ expires_at: z.string() }),
  status: 201,
  refusals: [404, 409],
  run: async (ctx, _, request) => ({ expires_at: await mailLink(ctx, await readUser(ctx, request), 'invitation') }),
})

/** Mails a user a link for setting their password, and returns when it expires. */
async function mailLink(ctx: Context, id: number, kind: 'password-reset' | 'invitation'): Promise<string> {
  const task = await requireMail(ctx)
  const { rows } = await sql<{ username: string; can_hear: boolean; has_password: boolean }>`
    select username, ${canHear('u')} as can_hear, password is not null as has_password
    from users as u where id = ${id} for no key update`.execute(ctx.db)
  const [user] = rows
  if (!user?.can_hear) throw conflict('The user is locked, inactive, or has no e-mail address.')
  if (kind === 'invitation' && user.has_password) throw conflict('The user already has a password.')
  const baseUrl = ctx.publicUrl ?? ctx.baseUrl
  const { mails, resets } = await passwordMails(ctx.db, kind, baseUrl, [{ id, username: user.username }])
  await queueMails(ctx, task, mails)
  return resets[0]?.expires_at ?? ''
}

/** Attempts to redeem a reset link from one address. */
const RESET_LIMIT = { most: 60, seconds: 600 }

const resetPassword = defineAction({
  name: 'reset_password',
  doc: 'Set a new password with the token of a password reset link',
  tag: 'session',
  method: 'POST',
  path: '/session/password-reset',
  permission: 'public',
  body: z.object({ token: z.string().max(100), password: z.string().max(MAX_PASSWORD_LENGTH) }),
  example: { token: 'the part of the link after the #', password: 'Correct horse 1!' },
  refusals: [429],
  run: async (ctx, { token, password }, request) => {
    refuseFlood(ctx, RESET_LIMIT, request)
    const id = await redeemPasswordReset(ctx.db, token)
    await setPassword(ctx.db, id, 'password', password)
    await endSessions(ctx.db, [id])
    await touch(ctx, users, id)
  },
})

const resetTwoFactor = defineAction({
  ...about,
  name: 'remove_two_factor_of_user',
  doc: 'Remove the second factor of a user',
  method: 'DELETE',
  changesCallers: true,
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
  changesCallers: true,
  path: '/users/:id/sessions',
  run: async (ctx, _, request) => endSessions(ctx.db, [await readUser(ctx, request)]),
})

/**
 * Returns the user in the path. Throws a 403 if that user has more permissions or sees more than the caller, because
 * these actions could give the caller access to the account.
 */
async function readUser(ctx: Context, { params }: Incoming): Promise<number> {
  const id = Number(readId(users, params.id ?? ''))
  await requireVisible(ctx, users, id)
  await refuseMorePermissions(ctx, [id])
  await refuseWiderSight(ctx, [id])
  return id
}

/** Administrative actions on other users' credentials. */
export const userRoutes: readonly Route[] = [linkPassword, invite, resetPassword, resetTwoFactor, signOutUser]
