import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import type pg from 'pg'
import type { ZipFile } from 'yazl'
import type { Config } from '../server/config.ts'
import { SWEEP_LOCK } from '../server/intelligence/stored-blobs/sweep.ts'
import type { Blobs } from '../server/ports/blobs.ts'
import { openBlobs } from '../server/ports/blobs-open.ts'
import { Refusal } from './refusal.ts'
import type { Table } from './tables.ts'

/** The file contents of a backup. */
export interface BackedUpBlobs {
  /** Whether the contents are in the backup; otherwise they stay in `place`. */
  readonly are_inside: boolean
  readonly place: string
  readonly count: number
  /** Contents that are referenced but missing. */
  readonly missing: readonly string[]
}

const FOLDER = 'blobs/'

/** Prevents sweeps until this connection is released or closed, so that contents are not deleted while being copied. */
export async function holdBlobs(client: pg.PoolClient): Promise<void> {
  await client.query('select pg_advisory_lock_shared($1)', [SWEEP_LOCK])
}

/** Allows sweeps again. */
export async function releaseBlobs(client: pg.PoolClient): Promise<void> {
  await client.query('select pg_advisory_unlock_shared($1)', [SWEEP_LOCK])
}

/** Adds all file contents to a backup, one by one, unless they are stored on another server. */
export async function packBlobs(
  zip: ZipFile,
  client: pg.PoolClient,
  config: Config,
  tables: readonly Table[],
): Promise<BackedUpBlobs> {
  const blobs = openBlobs(config)
  const isKnown = tables.some(({ name }) => name === 'stored_blobs')
  const { rows } = isKnown
    ? await client.query<{ key: string }>('select key from stored_blobs order by key')
    : { rows: [] }
  if (!blobs.folder) return { are_inside: false, place: blobs.place, count: rows.length, missing: [] }
  const missing: string[] = []
  for (const { key } of rows) {
    if (await blobs.exists(key)) addLazily(zip, blobs, key)
    else missing.push(key)
  }
  return { are_inside: true, place: blobs.place, count: rows.length - missing.length, missing }
}

function addLazily(zip: ZipFile, blobs: Blobs, key: string): void {
  zip.addReadStreamLazy(`${FOLDER}${key}`, {}, (give) => {
    const stream = Readable.from(blobs.open(key), { objectMode: false })
    stream.on('error', (error) => zip.emit('error', error))
    give(null, stream)
  })
}

/** Refuses a backup whose contents are stored elsewhere if this installation cannot reach them. */
export function refuseStrange(backedUp: BackedUpBlobs | undefined, { s3 }: Config): void {
  if (!backedUp || backedUp.are_inside || backedUp.count === 0 || s3) return
  throw new Refusal(
    `The backup does not contain the file contents, which are in ${backedUp.place}. Set CORVUS_S3_ENDPOINT and the related variables.`,
  )
}

/** Restores the file contents of a backup before anything refers to them. */
export async function unpackBlobs(
  config: Config,
  names: Iterable<string>,
  open: (name: string) => Promise<Readable>,
): Promise<void> {
  const blobs = openBlobs(config)
  for (const name of names) {
    if (!name.startsWith(FOLDER)) continue
    await using draft = await blobs.receive(await open(name))
    if (`${FOLDER}${draft.sha256}` !== name)
      throw new Refusal(`The backup is damaged: ${name} does not match its checksum.`)
    await draft.keep()
  }
}

/** Removes contents of a replaced installation that nothing refers to any more. */
export async function removeStrays(config: Config, pool: pg.Pool): Promise<void> {
  const { folder } = openBlobs(config)
  if (!folder) return
  const { rows } = await pool.query<{ key: string }>('select key from stored_blobs')
  const known = new Set(rows.map(({ key }) => key))
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])
  for (const entry of entries) {
    if (entry.isFile() && /^[0-9a-f]{64}$/.test(entry.name) && !known.has(entry.name)) {
      await rm(join(entry.parentPath, entry.name))
    }
  }
}
