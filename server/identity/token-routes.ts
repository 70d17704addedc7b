import { z } from 'zod'
import { defineAction } from '../engine/action.ts'
import type { Context } from '../engine/context.ts'
import { badRequest, notFound } from '../engine/errors.ts'
import { string, time } from '../engine/field.ts'
import { parseId } from '../engine/reference.ts'
import type { Route } from '../engine/route.ts'
import { sessionOf } from './access/callers.ts'
import { createToken, listTokens, revokeToken } from './access/tokens.ts'

const about = { tag: 'users', path: '/users/self/tokens', permission: null }

const token = z.object({
  id: z.int(),
  name: z.string(),
  expires_at: z.string().nullable(),
  last_used_at: z.string().nullable(),
  created_at: z.string(),
})

const list = defineAction({
  ...about,
  name: 'list_tokens',
  doc: "List the caller's API tokens",
  method: 'GET',
  result: z.array(token),
  run: (ctx: Context) => listTokens(ctx.db, ctx.caller.id),
})

const create = defineAction({
  ...about,
  name: 'create_token',
  doc: 'Create an API token (browser sessions only)',
  method: 'POST',
  changesCallers: true,
  body: z.object({ name: string(1, 200), expires_at: time.nullish() }),
  example: { name: 'Splunk', expires_at: '2030-01-31T12:00:00Z' },
  result: token.extend({ token: z.string().describe('Shown only once.') }),
  status: 201,
  refusals: [403, 409],
  run: async (ctx, { name, expires_at }) => {
    sessionOf(ctx)
    if (expires_at && Date.parse(expires_at) <= Date.now()) throw badRequest('expires_at: must be in the future')
    return createToken(ctx.db, ctx.caller.id, { name, expiresAt: expires_at ?? null })
  },
})

const revoke = defineAction({
  ...about,
  name: 'revoke_token',
  doc: "Revoke one of the caller's API tokens",
  method: 'DELETE',
  changesCallers: true,
  path: `${about.path}/:id`,
  refusals: [404],
  run: (ctx, _, { params }) => {
    const id = parseId('integer', params.id ?? '')
    if (id === undefined) throw notFound(params.id ?? '')
    return revokeToken(ctx.db, ctx.caller.id, Number(id))
  },
})

/** The caller's API tokens. */
export const tokenRoutes: readonly Route[] = [list, create, revoke]
