import { createPublicKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { json, startProvider } from './provider.ts'

type Item = Record<string, unknown>

const makeKey = (): KeyObject => generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey

const encode = (part: Item): string => Buffer.from(JSON.stringify(part)).toString('base64url')

/** What the forged provider does wrong; without options, all is correct. */
export interface Forgery {
  /** Overrides claims of the ID token; undefined removes one. */
  claims?: Item
  header?: Item
  isSignedByAnother?: boolean
  /** Overrides properties of the discovery document. */
  metadata?: Item
  token?: { status: number; body: unknown }
  userinfo?: Item
}

/** A provider on this machine that responds as a test requires. */
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
    /** Sets what is wrong from now on. Tokens are issued for the sign-in that this address began. */
    forge: (wrong: Forgery, location = 'http://nowhere/') => {
      forgery = wrong
      nonce = new URL(location).searchParams.get('nonce') ?? ''
    },
  }
}
