import type { Context } from '../../engine/context.ts'
import { readSetting } from '../../settings/setting.ts'
import { listEnabled } from '../openid/providers.ts'
import { singleSignOn } from '../single-sign-on-setting.ts'

/** The available sign-in methods. Passwords can be disabled only while another method is available. */
export async function signInMethods(ctx: Pick<Context, 'db' | 'proxyUserHeader'>) {
  const { password_sign_in_enabled } = await readSetting(ctx.db, singleSignOn)
  const providers = await listEnabled(ctx)
  const hasProxy = ctx.proxyUserHeader !== undefined
  return { hasPasswords: password_sign_in_enabled || (providers.length === 0 && !hasProxy), hasProxy, providers }
}
