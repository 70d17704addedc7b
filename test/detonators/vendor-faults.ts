import type { ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

/**
 * What can go wrong at a vendor:
 * - `unauthorised` (401), `forbidden` (403), `unpaid` (402), `limited` (429 with Retry-After: 7), `limited-at-once` (429 without it),
 *   `broken` (500), `too-large` (413), `rejected` (422 with a sentence), `redirect` (302 to a path of the same server)
 * - `pending`: polls answer that the analysis still runs; `failed`: that it failed
 * - `broken-json`, `html`, `empty`, `wrong-types`: answers with the status 200 that are not what the vendor documents
 * - `huge`: the report has 200 MB, which are streamed
 * - `held`: the call was received and takes effect, and is answered only when another fault, or null, is played
 * - `held-before`: the same, but it takes effect only then
 * - `lost`: the call takes effect, and the connection breaks before the answer; `deaf`: it breaks without an effect
 */
export type Fault =
  | 'unauthorised'
  | 'forbidden'
  | 'unpaid'
  | 'limited'
  | 'limited-at-once'
  | 'broken'
  | 'too-large'
  | 'rejected'
  | 'redirect'
  | 'pending'
  | 'failed'
  | 'broken-json'
  | 'html'
  | 'empty'
  | 'wrong-types'
  | 'huge'
  | 'held'
  | 'held-before'
  | 'lost'
  | 'deaf'

const HUGE_BYTES = 200 * 2 ** 20

const STATUSES: Partial<Record<Fault, number>> = {
  unauthorised: 401,
  unpaid: 402,
  forbidden: 403,
  limited: 429,
  'limited-at-once': 429,
  broken: 500,
  'too-large': 413,
  rejected: 422,
}

/** Answers a call with a fault. `answer` is the usual way, `hold` keeps a function for the moment when held calls may be answered. */
export async function playFault(
  fault: Fault,
  response: ServerResponse,
  answer: () => void,
  hold: (release: () => void) => void,
): Promise<void> {
  const status = STATUSES[fault]
  const json = { 'content-type': 'application/json' }
  if (status !== undefined) {
    response.writeHead(status, { ...json, ...(fault === 'limited' && { 'retry-after': '7' }) })
    response.end(JSON.stringify({ error: true, message: `The vendor plays ${fault}` }))
  } else if (fault === 'redirect') response.writeHead(302, { location: '/elsewhere' }).end()
  else if (fault === 'html') response.writeHead(200, { 'content-type': 'text/html' }).end('<!DOCTYPE html><p>Busy')
  else if (fault === 'broken-json') response.writeHead(200, json).end('{"data": [1, 2')
  else if (fault === 'empty') response.writeHead(200, json).end()
  else if (fault === 'huge') await streamHuge(response.writeHead(200, json))
  else if (fault === 'held-before') hold(answer)
  else if (fault === 'deaf') response.destroy()
  else {
    const end = response.end.bind(response)
    Object.assign(response, {
      end: (body: string | Buffer) => {
        if (fault === 'lost') response.destroy()
        else if (fault === 'held') hold(() => end(body))
        else end(JSON.stringify(withWrongTypes(JSON.parse(body.toString()))))
      },
    })
    answer()
  }
}

async function streamHuge(response: ServerResponse): Promise<void> {
  const part = Buffer.alloc(2 ** 16, 'x')
  const parts = async function* () {
    yield Buffer.from('{"info": {"id": 1}, "malscore": 10, "strings": "')
    for (let sent = 0; sent < HUGE_BYTES; sent += part.length) yield part
    yield Buffer.from('"}')
  }
  // The reader may have had enough.
  await pipeline(Readable.from(parts(), { objectMode: false }), response).catch(() => undefined)
}

/** A document in which every text, number and truth value has another type, and lists have further items. */
export function withWrongTypes(value: unknown): unknown {
  if (Array.isArray(value)) return [...value.map(withWrongTypes), null, 7]
  if (typeof value === 'string') return [[value]]
  if (typeof value === 'number') return 'many'
  if (typeof value === 'boolean') return { value }
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, withWrongTypes(inner)]))
}
