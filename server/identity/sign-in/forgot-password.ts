import { sql } from 'kysely'
import { z } from 'zod'
import { defineAction } from '../../engine/action.ts'
import type { Context } from '../../engine/context.ts'
import { ApiError, conflict } from '../../engine/errors.ts'
import { string } from '../../engine/field.ts'
import { queueMails, requireMail } from '../../mail/outbox.ts'
import { refuseFlood } from '../access/rate-limits.ts'

/** One address must not fill the queue, nor send mail to other users repeatedly. */
const LIMIT = { most: 20, seconds: 600 }

/** The maximum number of waiting requests: anyone can send them, and they accumulate while no worker runs. */
const MAX_WAITING_REQUESTS = 1000

/**
 * Requests a password reset link by mail. Accounts are not looked up before the response, so that response and timing
 * do not reveal whether an account exists. The link uses the configured public URL: a forged Host header could
 * otherwise lead the recipient to another site.
 */
export const forgotPassword = defineAction({
  name: 'forgot_password',
  doc: 'Request a password reset link by mail, if the account exists',
  tag: 'session',
  method: 'POST',
  path: '/session/forgot-password',
  permission: 'public',
  body: z.object({ username: string(1, 500).describe('Username or e-mail address.') }),
  example: { username: 'ada@example.org' },
  status: 202,
  refusals: [409, 429],
  run: async (ctx, { username }, request) => {
    refuseFlood(ctx, LIMIT, request)
    const { publicUrl } = ctx
    if (publicUrl === undefined)
      throw conflict('No link can be mailed because the public URL of the server is not configured (CORVUS_URL).')
    const task = await requireMail(ctx)
    await refuseFullQueue(ctx)
    const content = { asked: username.trim(), publicUrl }
    await queueMails(ctx, task, [{ kind: 'password-reset-request', user: null, content }])
  },
})

async function refuseFullQueue({ db }: Context): Promise<void> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from mails where content is not null and "user" is null`.execute(db)
  if (Number(rows[0]?.count) >= MAX_WAITING_REQUESTS)
    throw new ApiError(429, 'Too many requests are waiting. Try again later.')
}
