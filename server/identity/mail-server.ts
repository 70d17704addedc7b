import { sql } from 'kysely'
import { ApiError, forbidden } from '../engine/errors.ts'
import { emailSetting } from '../mail/email-setting.ts'
import { defineSetting } from '../settings/setting.ts'
import { lockGrants, refuseMorePermissions, refuseWiderSight } from './access/grants.ts'

/** The settings that determine which server receives outgoing mail. */
const ROUTE = ['host', 'port', 'security', 'username'] as const

/**
 * The e-mail setting with its write guard. Mail contains password links, so the mail server could take over any
 * account: only callers who hold all permissions and see everything that other users see may change it.
 */
export const guardedEmailSetting = defineSetting({
  ...emailSetting,
  toStored: async (ctx, value, current) => {
    const before = emailSetting.inForce.parse(current)
    if (ROUTE.some((name) => value[name] !== before[name])) {
      await lockGrants(ctx)
      const { rows } = await sql<{ id: number }>`select id from users where is_active`.execute(ctx.db)
      const ids = rows.map(({ id }) => id)
      await refuseMorePermissions(ctx, ids).catch(explainRefusal)
      await refuseWiderSight(ctx, ids).catch(explainRefusal)
    }
    return value
  },
})

const explainRefusal = (error: unknown): never => {
  if (!(error instanceof ApiError) || error.status !== 403) throw error
  throw forbidden(
    'Mail contains links that give access to accounts. To change the mail server, you need every permission and must see every source that other users do.',
  )
}
