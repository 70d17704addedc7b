import type { FastifyInstance } from 'fastify'
import { CALLBACK } from './openid-provider.ts'

/** A browser during a sign-in through a provider. */
export function openBrowser(app: FastifyInstance) {
  const own = new Map<string, string>()
  const theirs = new Map<string, string>()
  const header = (jar: ReadonlyMap<string, string>) => [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
  const keep = (jar: Map<string, string>, cookies: readonly string[]) => {
    for (const cookie of cookies) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? []
      if (value === '') jar.delete(name)
      else jar.set(name, value)
    }
  }

  /** Requests a page of Corvus with the cookies of this browser. */
  async function visit(url: string) {
    const answer = await app.inject({ method: 'GET', url, headers: { cookie: header(own) } })
    keep(own, [answer.headers['set-cookie'] ?? []].flat())
    return { status: answer.statusCode, location: String(answer.headers.location ?? ''), answer }
  }

  /** Follows the redirects of the provider until they lead back to Corvus, and returns that address. */
  async function through(url: string): Promise<string> {
    for (let at = url, hop = 0; hop < 10; hop++) {
      if (at.startsWith(CALLBACK)) return at
      const answer = await fetch(at, { redirect: 'manual', headers: { cookie: header(theirs) } })
      keep(theirs, answer.headers.getSetCookie())
      const location = answer.headers.get('location')
      if (!location) throw new Error(`The provider answered ${answer.status}: ${(await answer.text()).slice(0, 500)}`)
      at = new URL(location, at).href
    }
    throw new Error('The provider does not let go of the browser.')
  }

  /** A complete sign-in. Returns the final address and the cookies. */
  async function signIn(query = '') {
    const { location } = await visit(`/api/v2/session/oidc/start${query}`)
    if (location.startsWith('http://corvus.test')) return { location, answer: undefined }
    const back = await through(location)
    return visit(back.replace('http://corvus.test', ''))
  }

  /** Calls the API with the session of this browser and its CSRF token. */
  async function call(method: 'GET' | 'POST' | 'DELETE', path: string, body?: object) {
    const headers = { cookie: header(own) }
    const session = await app.inject({ method: 'GET', url: '/api/v2/session', headers })
    const token = session.statusCode === 200 ? String(session.json().data.csrf_token) : ''
    const answer = await app.inject({
      method,
      url: `/api/v2/${path}`,
      headers: { ...headers, 'x-csrf-token': token },
      ...(body && { payload: body }),
    })
    keep(own, [answer.headers['set-cookie'] ?? []].flat())
    return { status: answer.statusCode, body: answer.body === '' ? '' : answer.json() }
  }

  return { cookies: own, visit, through, signIn, call }
}
