import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, beforeEach } from 'node:test'
import type { Carrying, Parcel } from '../../server/feeds/publishing/carrier.ts'
import { type Network, openOutbound, readNetwork } from '../../server/ports/outbound.ts'
import type { Server } from '../../server/server.ts'

const loopback = [readNetwork('127.0.0.0/8')].filter((network): network is Network => network !== undefined)

/** The port for outbound calls, configured by the operator to allow this machine. */
export const outbound = openOutbound(loopback)
after(() => outbound.close())

/** A block with this content that is being delivered. */
export function parcelOf(content: string | Buffer, rest: Partial<Parcel> = {}): Parcel {
  const bytes = Buffer.from(content)
  return {
    id: 7,
    feed: { id: 3, name: 'Bad addresses' },
    filename: 'bad addresses "é".csv',
    size: bytes.length,
    sha256: createHash('sha256').update(bytes).digest('hex'),
    contentType: 'urn:eclecticiq.com:csv-extracts:1.0',
    mediaType: 'text/csv; charset=utf-8; header=present',
    itemsCount: 2,
    createdAt: '2026-01-02T03:04:05.000000+00:00',
    signature: null,
    attempt: 1,
    reached: [],
    reach: async () => {},
    open: async function* () {
      for (let at = 0; at < bytes.length; at += 65_536) yield bytes.subarray(at, at + 65_536)
    },
    ...rest,
  }
}

/** The context of a carrier with this configuration. */
export const carryingOf = <C>(configuration: C, rest: Partial<Carrying<C>> = {}): Carrying<C> => ({
  server: {} as Server,
  configuration,
  outbound,
  folders: [],
  signal: new AbortController().signal,
  log: () => {},
  ...rest,
})

/** A request as the receiver got it. */
export interface Got {
  readonly method: string
  readonly headers: IncomingMessage['headers']
  readonly body: Buffer
}

/** A receiver for all tests of a file. Each test starts without requests and responses. */
export async function receiverOfTests() {
  const receiver = await startReceiver()
  after(() => receiver.stop())
  beforeEach(() => {
    receiver.got.splice(0)
    receiver.answers.splice(0)
  })
  return receiver
}

/** A receiver on this machine that accepts everything and then responds as configured. */
async function startReceiver() {
  const got: Got[] = []
  const answers: ((response: ServerResponse, request: IncomingMessage) => void)[] = []
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = []
    try {
      for await (const part of request) parts.push(part)
    } catch {
      return
    }
    got.push({ method: request.method ?? '', headers: request.headers, body: Buffer.concat(parts) })
    const answer = answers.shift()
    if (answer) answer(response, request)
    else response.writeHead(200).end()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    got,
    /** The responses to the next requests, in order; later ones get 200. */
    answers,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/inbox`,
    stop: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}
