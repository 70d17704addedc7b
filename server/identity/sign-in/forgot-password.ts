import { sql } from 'kysely'
import { z } from 'zod'
import { defineAction } from '../../engine/action.ts'
import { ApiError, conflict } from '../../engine/errors.ts'
import { string } from '../../engine/field.ts'
import type { Context } from '../../engine/resource.ts'
import { queueMails, requireMail } from '../../mail/outbox.ts'
import { refuseFlood } from '../access/rate-limits.ts'

/** One address must not take all the places of those that wait, nor send mails to others again and again. */
const LIMIT = { most: 20, seconds: 600 }

/** So many requests wait at most: anybody can send them, and nobody clears them while no worker runs. */
const MOST_WAITING = 1000

/**
 * Asks for a link by mail. Nothing is looked up before the answer: it is the same, after the same work, whoever exists. The link
 * leads to the address that the operator set: a request could call us by any name, and so lead its reader elsewhere.
 */
export const forgotPassword = defineAction({
  name: 'forgot_password',
  doc: 'Ask for a link by mail with which the own password can be set, where there is such an account',
  tag: 'session',
  method: 'POST',
  path: '/session/forgot-password',
  permission: 'public',
  body: z.object({ username: string(1, 500).describe('Or the e-mail address.') }),
  example: { username: 'ada@example.org' },
  status: 202,
  refusals: [409, 429],
  run: async (ctx, { username }, request) => {
    refuseFlood(ctx, LIMIT, request)
    const { publicUrl } = ctx
    if (publicUrl === undefined)
      throw conflict('No link can be mailed: the server does not know its address (CORVUS_URL).')
    const task = await requireMail(ctx)
    await refuseCrowd(ctx)
    const content = { asked: username.trim(), publicUrl }
    await queueMails(ctx, task, [{ kind: 'password-reset-request', user: null, content }])
  },
})

async function refuseCrowd({ db }: Context): Promise<void> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from mails where content is not null and "user" is null`.execute(db)
  if (Number(rows[0]?.count) >= MOST_WAITING) throw new ApiError(429, 'Too many requests are waiting; try again later.')
}
