import { z } from 'zod'
import { defineAction } from '../../engine/action.ts'
import type { Context } from '../../engine/context.ts'
import type { Route } from '../../engine/route.ts'
import { touch } from '../../engine/write.ts'
import { serverSetting } from '../../settings/server.ts'
import { readSetting } from '../../settings/setting.ts'
import { confirmTwoFactor, removeTwoFactor, renewRecoveryCodes, startTwoFactor } from '../access/accounts.ts'
import { sessionOf } from '../access/callers.ts'
import { isCaller, wrongProof } from '../self.ts'
import { users } from '../users.ts'
import { prove } from './proof.ts'
import { proof } from './session.ts'
import { recordSecondFactor } from './sessions.ts'
import { totpUri } from './totp.ts'

const about = { tag: 'users', permission: null }
const path = '/users/self/two-factor'
const example = { password: 'Correct horse 1!', code: '123456' }
const recoveryCodes = z.object({ recovery_codes: z.array(z.string()).describe('Shown only once.') })

const start = defineAction({
  ...about,
  name: 'start_two_factor',
  doc: 'Start setting up a second factor for the caller',
  method: 'POST',
  changesCallers: true,
  path,
  liftsLimits: true,
  result: z.object({
    secret: z.string(),
    uri: z.string().describe('The URI for the QR code of an authenticator app.'),
  }),
  refusals: [403, 409],
  run: async (ctx: Context) => {
    sessionOf(ctx)
    const { secret, username } = await startTwoFactor(ctx)
    const { server_name } = await readSetting(ctx.db, serverSetting)
    return { secret, uri: totpUri(secret, server_name, username) }
  },
})

const confirm = defineAction({
  ...about,
  name: 'confirm_two_factor',
  doc: "Finish setting up the caller's second factor with its first code",
  method: 'POST',
  changesCallers: true,
  path: `${path}/confirm`,
  liftsLimits: true,
  body: z.object({ code: z.string().max(100) }),
  example: { code: '123456' },
  result: recoveryCodes,
  refusals: [403, 409],
  run: async (ctx, { code }) => {
    const { id } = sessionOf(ctx)
    const recovery_codes = await confirmTwoFactor(ctx, code)
    await recordSecondFactor(ctx.db, id)
    await touch(ctx, users, ctx.caller.id)
    return { recovery_codes }
  },
})

const remove = defineAction({
  ...about,
  name: 'remove_two_factor',
  doc: "Remove the caller's second factor",
  method: 'DELETE',
  changesCallers: true,
  path,
  liftsLimits: true,
  body: proof,
  example,
  refusals: [403],
  run: async (ctx, given) => {
    const proven = await prove(ctx, isCaller(ctx), given)
    if ('refused' in proven) return proven
    await removeTwoFactor(ctx.db, ctx.caller.id)
    await touch(ctx, users, ctx.caller.id)
    return undefined
  },
  answer: (refused) => {
    if (refused) throw wrongProof()
    return { status: 204 }
  },
})

const renew = defineAction({
  ...about,
  name: 'renew_recovery_codes',
  doc: "Replace the caller's recovery codes",
  method: 'POST',
  changesCallers: true,
  path: `${path}/recovery-codes`,
  body: proof,
  example,
  result: recoveryCodes,
  refusals: [403, 409],
  run: async (ctx, given) => {
    const proven = await prove(ctx, isCaller(ctx), given)
    if ('refused' in proven) return undefined
    const recovery_codes = await renewRecoveryCodes(ctx.db, ctx.caller.id)
    await touch(ctx, users, ctx.caller.id)
    return { recovery_codes }
  },
  answer: (data) => {
    if (!data) throw wrongProof()
    return { status: 200, body: { data } }
  },
})

/** Setting up and removing the caller's second factor, and renewing recovery codes. */
export const twoFactorRoutes: readonly Route[] = [start, confirm, remove, renew]
