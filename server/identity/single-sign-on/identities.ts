import { sql } from 'kysely'
import { z } from 'zod'
import { defineAction } from '../../engine/action.ts'
import type { Context } from '../../engine/context.ts'
import { conflict, notFound, unavailable } from '../../engine/errors.ts'
import { link } from '../../engine/link.ts'
import { readId } from '../../engine/query.ts'
import type { Route } from '../../engine/route.ts'
import { standard } from '../../engine/standard.ts'
import { sessionOf } from '../access/callers.ts'
import { SignInFault } from '../openid/fault.ts'
import { userIdentities } from '../user-identities.ts'
import { sendToProvider } from './begin.ts'
import { returnTo } from './return-to.ts'

const about = { tag: 'users', permission: null }
const path = '/users/self/identities'

const identity = z.object({
  id: z.int(),
  issuer: z.string(),
  subject: z.string(),
  created_at: z.string(),
})

const listOwn = defineAction({
  ...about,
  name: 'list_own_identities',
  doc: "List the caller's identities at identity providers",
  method: 'GET',
  path,
  result: z.array(identity),
  run: async ({ db, caller }: Context) => {
    const { rows } = await sql<z.output<typeof identity>>`
      select id, issuer, subject, created_at from user_identities where "user" = ${caller.id} order by id`.execute(db)
    return rows
  },
})

const linkOwn = defineAction({
  ...about,
  name: 'link_own_identity',
  doc: "Start linking an identity to the caller's account; send the browser to the returned URL",
  method: 'POST',
  changesCallers: true,
  path,
  // The provider may respond slowly.
  isDetached: true,
  body: z.object({ identity_provider: link('identity_providers'), return_to: returnTo }),
  example: { identity_provider: 1, return_to: '/profile' },
  result: z.object({ url: z.url() }),
  refusals: [403, 404, 503],
  run: async (ctx, { identity_provider, return_to }) => {
    const { id: sessionId } = sessionOf(ctx)
    const sent = await sendToProvider(ctx, { provider: Number(identity_provider.id), returnTo: return_to, sessionId })
    if (sent instanceof SignInFault) throw unavailable(sent.message)
    return sent
  },
  answer: ({ url, cookie }) => ({
    status: 200,
    body: { data: { url } },
    ...(cookie && { headers: { 'set-cookie': cookie } }),
  }),
})

const unlinkOwn = defineAction({
  ...about,
  name: 'unlink_own_identity',
  doc: "Unlink an identity from the caller's account and end the sessions that began with it",
  method: 'DELETE',
  changesCallers: true,
  path: `${path}/:id`,
  refusals: [403, 404, 409],
  run: async (ctx, _, { params }) => {
    sessionOf(ctx)
    const id = Number(readId(userIdentities, params.id ?? ''))
    const { rows } = await sql<{ id: number; has_password: boolean }>`
      select i.id, u.password is not null as has_password
      from user_identities as i join users as u on u.id = i."user"
      where i."user" = ${ctx.caller.id}
      for update of i`.execute(ctx.db)
    if (!rows.some((row) => row.id === id)) throw notFound(id)
    if (rows.length === 1 && !rows[0]?.has_password) {
      throw conflict(
        'This identity is the only way to sign in to the account. Link another identity or set a password first.',
      )
    }
    await standard.remove(ctx, userIdentities, [id])
  },
})

/** The caller's identities at identity providers. */
export const identityRoutes: readonly Route[] = [listOwn, linkOwn, unlinkOwn]
