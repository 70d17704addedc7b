import { z } from 'zod'
import { faultsOf, messageOf } from '../../engine/body.ts'
import type { Context } from '../../engine/context.ts'
import { badRequest } from '../../engine/errors.ts'
import { toId } from '../../engine/reference.ts'
import type { Incoming, Route } from '../../engine/route.ts'
import type { Described } from '../../http/openapi/describe.ts'
import { refuseFlood } from '../access/rate-limits.ts'
import { SignInFault } from '../openid/fault.ts'
import { listEnabled } from '../openid/providers.ts'
import { sessionCookie } from '../sign-in/sessions.ts'
import { type Redirection, sendToProvider } from './begin.ts'
import { finish, type Outcome } from './finish.ts'
import { failureUrl, returnTo } from './return-to.ts'

const SIGN_IN_PAGE = '/sign-in'

const asked = z.object({
  identity_provider: z.string().optional(),
  return_to: returnTo,
})

const startDoc: Described = {
  operationId: 'start_oidc_sign_in',
  summary: 'Sign in through an identity provider by redirecting the browser there',
  tag: 'session',
  query: [
    {
      name: 'identity_provider',
      schema: { type: 'string' },
      description: 'The id or URL of the identity provider. Optional if only one is enabled.',
    },
    {
      name: 'return_to',
      schema: { type: 'string', default: '/' },
      description: 'The path on this server to continue at after signing in.',
    },
  ],
  success: { 302: null },
  refusals: [400, 404, 429],
}

/** Each start stores a row until it expires. The limit is generous because many users may share an address. */
const LIMIT = { most: 120, seconds: 60 }

const start: Route<z.output<typeof asked> & { address: string }, Redirection | SignInFault> = {
  method: 'GET',
  path: '/session/oidc/start',
  permission: 'public',
  doc: startDoc,
  parse: ({ query, address }) => ({ ...readAsked(query), address }),
  run: async (ctx, { identity_provider, return_to, address }) => {
    refuseFlood(ctx, LIMIT, { address })
    const provider = await readProvider(ctx, identity_provider)
    return sendToProvider(ctx, { provider, returnTo: return_to, sessionId: null })
  },
  answer: (sent, { baseUrl }) =>
    sent instanceof SignInFault
      ? { status: 302, headers: { location: failureUrl(baseUrl, SIGN_IN_PAGE, sent.reason) } }
      : { status: 302, headers: { location: sent.url, ...(sent.cookie && { 'set-cookie': sent.cookie }) } },
}

function readAsked(query: Incoming['query']): z.output<typeof asked> {
  const names = Object.keys(asked.shape)
  const twice = names.filter((name) => (query[name]?.length ?? 0) > 1)
  if (twice.length > 0) throw badRequest(twice.map((name) => `${name}: must be given exactly once`))
  const parsed = asked.safeParse(Object.fromEntries(names.map((name) => [name, query[name]?.[0]])), {
    error: messageOf,
  })
  if (!parsed.success) throw badRequest(faultsOf(parsed.error))
  return parsed.data
}

async function readProvider(ctx: Context, given: string | undefined): Promise<number> {
  if (given !== undefined) {
    const id = toId('identity_providers', given)
    if (id === undefined) throw badRequest('identity_provider: must be the id or URL of an identity provider')
    return Number(id)
  }
  const [first, ...others] = await listEnabled(ctx)
  if (!first || others.length > 0) {
    throw badRequest(`identity_provider: is required: ${first ? 'several are enabled' : 'none is enabled'}`)
  }
  return first.id
}

const callback: Route<Incoming, Outcome> = {
  method: 'GET',
  path: '/session/oidc/callback',
  permission: 'public',
  doc: {
    operationId: 'finish_oidc_sign_in',
    summary: 'Redirect URI for identity providers: begins a browser session or links an identity',
    tag: 'session',
    success: { 302: null },
  },
  parse: (request) => request,
  run: finish,
  answer: (outcome, { baseUrl }) => {
    const { begun, fault, returnTo = SIGN_IN_PAGE } = outcome
    const location = fault ? failureUrl(baseUrl, returnTo, fault.reason) : `${baseUrl}${returnTo}`
    if (!begun) return { status: 302, headers: { location } }
    const cookie = sessionCookie(baseUrl, begun.secret, begun.lifetime)
    return { status: 302, callerId: begun.user, headers: { location, 'set-cookie': cookie } }
  },
}

/** Signing in through identity providers. */
export const openidRoutes: readonly Route[] = [start, callback]
