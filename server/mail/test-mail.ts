import { sql } from 'kysely'
import { z } from 'zod'
import { defineAction } from '../engine/action.ts'
import type { Context } from '../engine/context.ts'
import { conflict } from '../engine/errors.ts'
import { makeId } from '../engine/ids.ts'
import { write } from './letter.ts'
import { openSender } from './sender.ts'

/** Sends a mail at once, so that an administrator sees whether the configuration is right. */
export const testMail = defineAction({
  name: 'test_configuration_email',
  doc: 'Configuration: send a test mail to your own address, and report whether the mail server accepted it',
  tag: 'configurations',
  method: 'POST',
  changesCallers: true,
  path: '/configurations/email/test',
  permission: 'modify configurations',
  // The mail server may take its time.
  isDetached: true,
  result: z.object({ status: z.enum(['success', 'error']), error_detail: z.string().nullable() }),
  refusals: [409],
  run: async (ctx: Context) => {
    const { rows } = await sql<{ email: string }>`select email from users where id = ${ctx.caller.id}`.execute(ctx.db)
    const to = rows[0]?.email
    if (!to) throw conflict('Your account has no e-mail address to send a mail to.')
    const opened = await openSender(ctx)
    if ('lacks' in opened) throw conflict(opened.lacks)
    const letter = { subject: 'A test mail', paragraphs: ['If you can read this, mails from this server arrive.'] }
    try {
      const failure = await opened.sender.send({ id: `corvus.${makeId()}`, to, ...write(letter) })
      return { status: failure ? 'error' : 'success', error_detail: failure?.reason ?? null }
    } finally {
      opened.sender.close()
    }
  },
})
