import { createPublicKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { json, startProvider } from './provider.ts'

type Item = Record<string, unknown>

const makeKey = (): KeyObject => generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey

const encode = (part: Item): string => Buffer.from(JSON.stringify(part)).toString('base64url')

/** What is wrong with what the forger says; without any of it, all is well. */
export interface Forgery {
  /** Put over the claims of the ID token; undefined takes one away. */
  claims?: Item
  header?: Item
  isSignedByAnother?: boolean
  /** Put over what discovery says. */
  metadata?: Item
  token?: { status: number; body: unknown }
  userinfo?: Item
}

/** A provider on this machine that answers with whatever a test wants. */
export async function startForger() {
  const [key, otherKey] = [makeKey(), makeKey()]
  let forgery: Forgery = {}
  let nonce = ''
  const jwk = { ...createPublicKey(key).export({ format: 'jwk' }), kid: 'one', alg: 'RS256', use: 'sig' }

  const idToken = (): string => {
    const now = Math.floor(Date.now() / 1000)
    const sound = { iss: server.url, sub: 'forged', aud: 'corvus', exp: now + 300, iat: now, nonce }
    const content = `${encode({ alg: 'RS256', kid: 'one', ...forgery.header })}.${encode({ ...sound, ...forgery.claims })}`
    const signature = sign('RSA-SHA256', Buffer.from(content), forgery.isSignedByAnother ? otherKey : key)
    return `${content}.${signature.toString('base64url')}`
  }

  const server = await startProvider((response, { url = '' }) => {
    const at = (path: string) => `${server.url}${path}`
    if (url.includes('openid-configuration')) {
      const sound = { issuer: server.url, authorization_endpoint: at('/auth'), token_endpoint: at('/token') }
      return json({ ...sound, jwks_uri: at('/jwks'), ...forgery.metadata })(response)
    }
    if (url === '/jwks') return json({ keys: [jwk] })(response)
    if (url === '/me') return json(forgery.userinfo)(response)
    if (forgery.token) return json(forgery.token.body, forgery.token.status)(response)
    json({ access_token: 'a', token_type: 'Bearer', id_token: idToken() })(response)
  })

  return {
    issuer: server.url,
    asked: server.asked,
    says: server.says,
    stop: server.stop,
    /** Says what is wrong from now on, with tokens for the sign-in that this address began. */
    forge: (wrong: Forgery, location = 'http://nowhere/') => {
      forgery = wrong
      nonce = new URL(location).searchParams.get('nonce') ?? ''
    },
  }
}
