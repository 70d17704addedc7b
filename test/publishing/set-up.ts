import { after } from 'node:test'
import { sql } from 'kysely'
import { v7 as uuid } from 'uuid'
import { openVault } from '../../server/identity/access/vault.ts'
import { openBlobs } from '../../server/ports/blobs-open.ts'
import { resourceMap } from '../../server/registry.ts'
import { taskTypes } from '../../server/tasks.ts'
import { startApp } from '../app.ts'
import { ok } from '../set-up/collection.ts'

export type Item = Record<string, unknown>

/** The application of the importing test file. */
export const corvus = await startApp()
after(() => corvus.stop())

/** The server that runs receive. */
export const server = {
  db: corvus.db,
  resources: resourceMap,
  taskTypes,
  vault: await openVault(corvus.config),
  blobs: openBlobs(corvus.config),
}

/** A run of the task of a feed, as a worker would start it. */
export const jobOf = (feed: number, more: Item = {}) => ({
  ...server,
  id: uuid(),
  attempt: 1,
  parameters: { feed },
  callerId: null,
  signal: new AbortController().signal,
  progress: () => {},
  log: () => {},
  ...more,
})

/** Creates an object and returns it. */
export const make = async (path: string, data: Item) => (await ok(corvus, 'POST', path, { data })).data

/** Creates or updates objects and returns them. */
export const put = async (path: string, data: readonly Item[]) => (await ok(corvus, 'PUT', path, { data })).data

/** The blocks of a feed that are not purged, oldest first, as they are stored. */
export async function blocksOf(feed: number) {
  const { rows } = await sql<{ id: number; sha256: string; run_id: string; items_count: number }>`
    select id, sha256, run_id, items_count from content_blocks
    where outgoing_feed = ${feed} and purged_at is null
    order by id`.execute(server.db)
  return Promise.all(rows.map(async (row) => ({ ...row, text: await textOf(server.blobs.open(row.sha256)) })))
}

/** Reads a stream to its end as a text. */
export async function textOf(pieces: AsyncIterable<string | Buffer>): Promise<string> {
  const all = await Array.fromAsync(pieces)
  return Buffer.concat(all.map((piece) => Buffer.from(piece))).toString()
}
