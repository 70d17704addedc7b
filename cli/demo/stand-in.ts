import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { v5 as uuid } from 'uuid'

/** The source of the group of the caller. */
export const SOURCE = '7d8ea5e4-3b5c-4a4b-8d0c-0f6d0e1f2a3b'

/** What was sent in one request. */
export interface Put {
  readonly path: string
  // biome-ignore lint/suspicious/noExplicitAny: whatever the command sends
  readonly items: readonly any[]
}

interface Answer {
  readonly status: number
  readonly body: unknown
}

/** A stand-in for Corvus in tests, which records requests and can misbehave. */
export interface StandIn {
  readonly url: string
  puts: Put[]
  tokens: Set<string>
  mostInFlight: number
  refuse: (put: Put) => Answer | undefined
  hold: (put: Put) => Promise<void>
  close(): void
}

/** The id that the stand-in gives to an entity. */
export const idOf = (dataId: string): string => uuid(dataId, SOURCE)

/** Starts the stand-in on a port of its own; it refuses no token but `cvs_wrong`. */
export async function startStandIn(): Promise<StandIn> {
  // As long as the server: connections that end sooner end while a busy client prepares its next request.
  const server = createServer({ keepAliveTimeout: 72_000 }, async (request, response) => {
    const { status, body } = await answer(request)
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  let inFlight = 0
  const standIn: StandIn = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    puts: [],
    tokens: new Set(),
    mostInFlight: 0,
    refuse: () => undefined,
    hold: async () => {},
    close: () => {
      server.close()
      server.closeAllConnections()
    },
  }

  async function answer(request: IncomingMessage): Promise<Answer> {
    const token = request.headers.authorization?.replace('Bearer ', '')
    if (token === undefined || token === 'cvs_wrong') {
      return { status: 401, body: [{ status: 401, title: 'Unauthorized', detail: 'A valid token is needed.' }] }
    }
    standIn.tokens.add(token)
    const base = 'https://public.corvus.example/api/v2'
    const path = request.url ?? ''
    if (path === '/api/v2/users/self')
      return { status: 200, body: { data: { groups: [`${base}/groups/3?role=admin`] } } }
    if (path === '/api/v2/groups/3') return { status: 200, body: { data: { source: `${base}/sources/${SOURCE}` } } }
    const { data } = (await json(request)) as { data: Put['items'] }
    const put = { path, items: data }
    standIn.mostInFlight = Math.max(standIn.mostInFlight, ++inFlight)
    await standIn.hold(put)
    inFlight--
    return standIn.refuse(put) ?? take(put)
  }

  function take(put: Put): Answer {
    standIn.puts.push(put)
    const data = put.items.map((item, i) => ({
      id:
        put.path === '/api/v2/taxonomies'
          ? standIn.puts.length * 1000 + i
          : idOf(item.data?.id ?? JSON.stringify(item)),
    }))
    return { status: 201, body: { data } }
  }
  return standIn
}
