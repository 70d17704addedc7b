import { generateKeyPairSync } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import Provider from 'oidc-provider'
import { BASE } from './app.ts'

export const CLIENT = { client_id: 'corvus', client_secret: 'the secret of the client' }

export const CALLBACK = `${BASE}/api/v2/session/oidc/callback`

/** What the next person does at the provider. */
export interface Person {
  sub: string
  claims?: Record<string, unknown>
  amr?: string[]
  acr?: string
  isCancelling?: boolean
}

/** A real OpenID provider on this machine: a client with a secret, PKCE required, and people who sign in with one click. */
export async function startOpenidProvider() {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://host')
    asked.push(`${request.method} ${pathname}`)
    const isInteraction = pathname.startsWith('/interaction/')
    const answered = isInteraction ? interact(request, response) : provider.callback()(request, response)
    answered.catch((error) => response.writeHead(500).end(String(error)))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const asked: string[] = []
  const people = new Map<string, Person>()
  let next: Person = { sub: 'nobody' }

  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const key = { ...privateKey.export({ format: 'jwk' }), use: 'sig', alg: 'RS256' }
  const provider = new Provider(issuer, {
    clients: [{ ...CLIENT, redirect_uris: [CALLBACK], post_logout_redirect_uris: [`${BASE}/sign-in`] }],
    // biome-ignore lint/suspicious/noExplicitAny: the types of the package want every part of a key
    jwks: { keys: [key as any] },
    cookies: { keys: ['a key for cookies'] },
    pkce: { required: () => true },
    claims: {
      openid: ['sub', 'amr', 'acr'],
      profile: ['preferred_username', 'given_name', 'family_name', 'groups', 'realm_access', '_claim_names'],
      email: ['email'],
    },
    features: { devInteractions: { enabled: false } },
    ttl: { Interaction: 600, Session: 600, Grant: 600, AccessToken: 600, IdToken: 600 },
    interactions: { url: (_, { uid }) => `/interaction/${uid}` },
    findAccount: (_, sub) => ({ accountId: sub, claims: () => ({ sub, ...people.get(sub)?.claims }) }),
  })
  provider.on('server_error', (_, error) => asked.push(`fault: ${error.message}`))

  async function interact(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { prompt, params, session } = await provider.interactionDetails(request, response)
    const { sub, amr, acr, isCancelling } = next
    if (isCancelling) {
      return provider.interactionFinished(request, response, { error: 'access_denied' })
    }
    if (prompt.name === 'login') {
      people.set(sub, next)
      const login = { accountId: sub, ...(amr && { amr }), ...(acr && { acr }), remember: false }
      return provider.interactionFinished(request, response, { login })
    }
    const grant = new provider.Grant({ accountId: session?.accountId ?? '', clientId: String(params.client_id) })
    grant.addOIDCScope(String(params.scope))
    return provider.interactionFinished(request, response, { consent: { grantId: await grant.save() } })
  }

  return {
    issuer,
    /** The requests received, as method and path. */
    asked,
    /** Sets who signs in next. */
    expect: (person: Person) => {
      next = person
    },
    stop: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
