import type { FastifyInstance } from 'fastify'
import type { Answered, Method } from './app.ts'

/** The cookies and CSRF token of a signed-in browser. */
export interface Browser {
  readonly status: number
  // biome-ignore lint/suspicious/noExplicitAny: tests read responses of every shape
  readonly body: any
  readonly setCookie: string
  readonly headers: Record<string, string>
  /** Calls the API as a page in this browser does: with its cookie and its CSRF token. */
  call(method: Method, path: string, body?: unknown): Promise<Answered>
}

/** Signs in as a browser does. `status` and `body` show whether it was refused. */
export async function signIn(
  app: FastifyInstance,
  username: string,
  password: string,
  code?: string,
): Promise<Browser> {
  const answer = await app.inject({
    method: 'POST',
    url: '/api/v2/session',
    payload: { data: { username, password, ...(code !== undefined && { code }) } },
  })
  const body = answer.json()
  const setCookie = String(answer.headers['set-cookie'] ?? '')
  const headers = {
    cookie: setCookie.split(';')[0] ?? '',
    'x-csrf-token': String(body.data?.csrf_token ?? ''),
  }
  const call = async (method: Method, path: string, sent?: unknown): Promise<Answered> => {
    const made = await app.inject({
      method,
      url: path.startsWith('/') ? path : `/api/v2/${path}`,
      headers,
      ...(sent !== undefined && { payload: sent as object }),
    })
    return { status: made.statusCode, body: made.body === '' ? '' : made.json(), headers: made.headers }
  }
  return { status: answer.statusCode, body, setCookie, headers, call }
}
