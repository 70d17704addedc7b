import assert from 'node:assert/strict'
import { createHash, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after } from 'node:test'
import { pino } from 'pino'
import { startBackground } from '../../server/background.ts'
import { openVault } from '../../server/identity/access/vault.ts'
import { openBlobs } from '../../server/ports/blobs-open.ts'
import { openOutbound } from '../../server/ports/outbound.ts'
import { resourceMap } from '../../server/registry.ts'
import { taskTypes } from '../../server/tasks.ts'
import { type Answered, BASE, type Method, startApp } from '../app.ts'
import { growingPause } from '../until.ts'

export type Item = Record<string, unknown>

/** The logs of the application and its worker. */
export const logLines: string[] = []
const log = pino({ level: 'trace' }, { write: (line: string) => logLines.push(line) })

/** The application of the importing test file, with a worker; feeds may call this machine. */
export const corvus = await startApp(undefined, {
  environment: { CORVUS_ALLOWED_NETWORKS: '127.0.0.0/8', CORVUS_LARGEST_FILE: '3 MiB' },
  log,
})
const outbound = openOutbound(corvus.config.allowedNetworks)
const { largestFile } = corvus.config

/** The server that the worker uses. */
export const server = {
  db: corvus.db,
  resources: resourceMap,
  taskTypes,
  vault: await openVault(corvus.config),
  blobs: openBlobs(corvus.config),
  outbound,
  largestFile,
}
const worker = await startBackground({ server, connection: { connectionString: corvus.url }, log })

/** The responses of the feed's server by path; their ETag follows from the content. */
export const served = new Map<string, { content: string | Buffer; status?: number; headers?: Record<string, string> }>()
/** The requests received. */
export const requests: { path: string; headers: Item }[] = []
const publisher = createServer((request, response) => {
  const path = request.url ?? ''
  requests.push({ path, headers: request.headers })
  const found = served.get(path)
  if (!found) return void response.writeHead(404).end()
  const etag = `"${createHash('sha256').update(found.content).digest('hex').slice(0, 16)}"`
  if (request.headers['if-none-match'] === etag) return void response.writeHead(304).end()
  response.writeHead(found.status ?? 200, { etag, ...found.headers }).end(found.content)
})
publisher.listen(0, '127.0.0.1')
await once(publisher, 'listening')
export const publisherUrl = `http://127.0.0.1:${(publisher.address() as AddressInfo).port}`

after(async () => {
  await worker.stop()
  await outbound.close()
  publisher.closeAllConnections()
  publisher.close()
  await corvus.stop()
})

/** Calls the API and returns `data`. */
export async function ask(method: Method, path: string, body?: unknown, token = corvus.admin) {
  const answer = await corvus.call(method, path.startsWith(BASE) ? path.slice(BASE.length) : path, body, token)
  assert.ok(answer.status < 300, `${method} ${path}: ${answer.status} ${JSON.stringify(answer.body).slice(0, 1000)}`)
  return answer.body?.data
}

/** The details of an error response. */
export const detailsOf = ({ body }: Answered): string[] => body.map(({ detail }: { detail: string }) => detail)

/** Creates a feed; by default, it downloads from a path of the publisher. */
export const makeFeed = (path: string, more: Item = {}) =>
  ask('POST', 'incoming-feeds', {
    name: `Feed ${randomUUID()}`,
    transport_type: 'http-download',
    transport_configuration: { url: `${publisherUrl}${path}` },
    ...more,
  })

export const makePushFeed = (more: Item = {}) =>
  makeFeed('', { transport_type: 'push', transport_configuration: {}, ...more })

/** Waits until a run has ended, and returns it. */
export async function endOf(url: string) {
  for (const pause = growingPause(); ; await pause()) {
    const run = await ask('GET', url)
    if (run.ended_at !== null) return run
  }
}

/** Runs a feed to its end. */
export const runOf = async ({ id }: { id: number }) => endOf((await ask('POST', `incoming-feeds/${id}/run`)).task_run)

/** Sends content to a feed. */
export async function push(
  { id }: { id: number },
  content: string | Buffer,
  headers: Record<string, string> = {},
  name = 'pushed.json',
) {
  const answer = await corvus.app.inject({
    method: 'POST',
    url: `/api/v2/incoming-feeds/${id}/push?name=${name}`,
    headers: { authorization: `Bearer ${corvus.admin}`, 'content-type': 'application/json', ...headers },
    payload: content,
  })
  return { status: answer.statusCode, body: answer.json() }
}

/** Sends content to a feed, and returns the run once it has been processed. */
export async function pushed(feed: { id: number }, content: string | Buffer, name?: string) {
  const { status, body } = await push(feed, content, {}, name)
  assert.equal(status, 202, JSON.stringify(body))
  return endOf(body.data.task_run)
}

export const blobsOf = ({ id }: { id: number }) => ask('GET', `incoming-feeds/${id}/blobs`)

/** Timestamps that the tests do not compare. */
const TIMES = { created: '2024-01-01T00:00:00.000Z', modified: '2024-01-01T00:00:00.000Z' }

export const indicator = (title: string, more: Item = {}) => ({
  type: 'indicator',
  spec_version: '2.1',
  id: `indicator--${randomUUID()}`,
  ...TIMES,
  name: title,
  pattern: `[domain-name:value = '${title.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')}.example']`,
  pattern_type: 'stix',
  valid_from: TIMES.created,
  ...more,
})

export const relationship = (from: string, to: string, more: Item = {}) => ({
  type: 'relationship',
  spec_version: '2.1',
  id: `relationship--${randomUUID()}`,
  ...TIMES,
  relationship_type: 'related-to',
  source_ref: from,
  target_ref: to,
  ...more,
})

export const bundle = (...objects: Item[]): string =>
  JSON.stringify({ type: 'bundle', id: `bundle--${randomUUID()}`, objects })

/** The entities of a source that the administrator sees. */
export async function entitiesOf({ source }: { source: string }, token = corvus.admin): Promise<Item[]> {
  return ask('GET', `entities?filter[sources]=${source.split('/').at(-1)}&limit=1000`, undefined, token)
}
