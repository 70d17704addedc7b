import { sql } from 'kysely'
import { ApiError, forbidden } from '../engine/errors.ts'
import { emailSetting } from '../mail/email-setting.ts'
import { defineSetting } from '../settings/setting.ts'
import { refuseStronger, refuseWiderSight, takeTurn } from './access/grants.ts'

/** What decides who gets to read a mail on its way. */
const ROUTE = ['host', 'port', 'security', 'username'] as const

/**
 * The e-mail setting as it is written. Mails hold links with which passwords are set, so the server that sends them leads into
 * every account: only those who may do and see all that its users do can change it.
 */
export const guardedEmailSetting = defineSetting({
  ...emailSetting,
  settle: async (ctx, value, current) => {
    const before = emailSetting.inForce.parse(current)
    if (ROUTE.some((name) => value[name] !== before[name])) {
      await takeTurn(ctx)
      const { rows } = await sql<{ id: number }>`select id from users where is_active`.execute(ctx.db)
      const ids = rows.map(({ id }) => id)
      await refuseStronger(ctx, ids).catch(inOurWords)
      await refuseWiderSight(ctx, ids).catch(inOurWords)
    }
    return value
  },
})

const inOurWords = (error: unknown): never => {
  if (!(error instanceof ApiError) || error.status !== 403) throw error
  throw forbidden(
    'Mails hold links into accounts: only users who may do and see everything that others do can change the server that sends them.',
  )
}
