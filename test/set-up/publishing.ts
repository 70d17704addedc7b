import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import { after } from 'node:test'
import { openVault } from '../../server/identity/access/vault.ts'
import { storeBlob } from '../../server/intelligence/stored-blobs/store.ts'
import { openBlobs } from '../../server/ports/blobs-open.ts'
import { resourceMap } from '../../server/registry.ts'
import type { Server } from '../../server/server.ts'
import { taskTypes } from '../../server/tasks.ts'
import { startApp } from '../app.ts'
import { outbound } from './parcels.ts'

type Item = Record<string, unknown>

/** The application of the importing test file, with permission to call this machine. */
export const corvus = await startApp(undefined, { environment: { CORVUS_ALLOWED_NETWORKS: '127.0.0.0/8' } })
after(() => corvus.stop())

/** The server that runs receive. */
export const server: Server = {
  db: corvus.db,
  resources: resourceMap,
  taskTypes,
  vault: await openVault(corvus.config),
  blobs: openBlobs(corvus.config),
  outbound,
}

let count = 0

/** Creates a feed with a transport, and returns its id. */
export async function makeFeed(
  transport_type: string,
  transport_configuration: Item,
  rest: Item = {},
): Promise<number> {
  const { status, body } = await corvus.call('POST', 'outgoing-feeds', {
    data: {
      name: `feed ${++count}`,
      content_type: 'urn:eclecticiq.com:csv-extracts:1.0',
      transport_type,
      transport_configuration,
      ...rest,
    },
  })
  assert.equal(status, 201, JSON.stringify(body))
  return body.data.id
}

/** Adds a block with this content that waits for delivery, and returns its id. */
export async function addBlock(feed: number, content: string, rest: Item = {}): Promise<number> {
  const { sha256, size } = await storeBlob(server, Readable.from([Buffer.from(content)]))
  const block = {
    outgoing_feed: feed,
    epoch: 1,
    run_id: randomUUID(),
    content_type: 'urn:eclecticiq.com:csv-extracts:1.0',
    filename: 'block.csv',
    sha256,
    size,
    items_count: 1,
    destination: randomUUID(),
    ...rest,
  }
  const columns = Object.keys(block)
  const { rows } = await corvus.pool.query<{ id: number }>(
    `insert into content_blocks (${columns.join(', ')}) values (${columns.map((_, i) => `$${i + 1}`).join(', ')}) returning id`,
    Object.values(block),
  )
  return rows[0]?.id ?? assert.fail()
}

/** A run as a worker starts it, and its log. */
export function makeJob(signal: AbortSignal = new AbortController().signal) {
  const lines: string[] = []
  return {
    ...server,
    id: randomUUID(),
    attempt: 1,
    parameters: {},
    callerId: null,
    signal,
    progress: () => {},
    log: (line: string) => void lines.push(line),
    lines,
  }
}
