import { createWriteStream } from 'node:fs'
import { open, readFile, rename, rm } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { to as copyTo } from 'pg-copy-streams'
import { ZipFile } from 'yazl'
import { version } from '../server/config.ts'
import { type BackedUpBlobs, holdBlobs, packBlobs, releaseBlobs } from './blobs.ts'
import { type Installation, withDatabase } from './installation.ts'
import { Refusal } from './refusal.ts'
import { columnList, quoted, type Table, tablesOf } from './tables.ts'

/** The manifest of a backup. */
export interface Manifest {
  readonly format: 1
  readonly version: string
  readonly made_at: string
  readonly migrations: readonly number[]
  readonly tables: readonly Table[]
  readonly has_key: boolean
  /** The file contents; absent in backups of versions without files. */
  readonly blobs?: BackedUpBlobs
}

/** Writes a consistent snapshot of the installation to one zip file, while the server may keep running. */
export async function backup(file: string, { withKey }: { withKey: boolean }): Promise<Manifest> {
  const path = resolve(file)
  const draft = `${path}.partial`
  try {
    const manifest = await withDatabase((installation) => write(installation, draft, withKey))
    await rename(draft, path)
    return manifest
  } catch (error) {
    await rm(draft, { force: true })
    const { code, message } = error as NodeJS.ErrnoException
    if (['ENOENT', 'EACCES', 'EISDIR', 'ENOTDIR', 'ENOSPC', 'EROFS'].includes(code ?? '')) {
      throw new Refusal(`The backup cannot be written to ${dirname(path)}: ${message}.`)
    }
    throw error
  }
}

async function write({ pool, config }: Installation, file: string, withKey: boolean): Promise<Manifest> {
  const client = await pool.connect()
  try {
    await holdBlobs(client)
    await client.query('begin isolation level repeatable read read only')
    const { rows } = await client
      .query<{ number: number }>('select number from migrations order by number')
      .catch(() => {
        throw new Refusal('No installation found to back up.')
      })
    const key = withKey ? await readFile(join(config.dataFolder, 'secret.key')).catch(() => null) : null
    const zip = new ZipFile()
    const failed = new Promise<never>((_, reject) => zip.on('error', reject))
    const tables = await tablesOf(client)
    const manifest: Manifest = {
      format: 1,
      version,
      made_at: new Date().toISOString(),
      migrations: rows.map(({ number }) => number),
      tables,
      has_key: key !== null,
      blobs: await packBlobs(zip, client, config, tables),
    }
    zip.addBuffer(Buffer.from(JSON.stringify(manifest, null, 2)), 'manifest.json')
    if (key) zip.addBuffer(key, 'secret.key', { mode: 0o100600 })
    for (const table of manifest.tables) {
      zip.addReadStreamLazy(`tables/${table.name}.copy`, {}, (give) => {
        const stream = client.query(copyTo(`copy ${quoted(table.name)} (${columnList(table)}) to stdout`))
        // An error in the copy must abort the zip: half a table is not a backup.
        stream.on('error', (error) => zip.emit('error', error))
        give(null, stream)
      })
    }
    zip.end()
    // Readable by the owner only, because it contains all secrets.
    await Promise.race([pipeline(zip.outputStream, createWriteStream(file, { mode: 0o600 })), failed])
    await flush(file)
    await client.query('commit')
    await releaseBlobs(client)
    client.release()
    return manifest
  } catch (error) {
    client.release(true)
    throw error
  }
}

async function flush(file: string): Promise<void> {
  const handle = await open(file, 'r+')
  await handle.sync()
  await handle.close()
}
