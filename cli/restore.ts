import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import type pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { type Entry, openPromise, type ZipFile } from 'yauzl'
import { root } from '../server/config.ts'
import { migrate } from '../server/database/database.ts'
import type { Manifest } from './backup.ts'
import { refuseStrange, removeStrays, unpackBlobs } from './blobs.ts'
import { type Installation, withDatabase } from './installation.ts'
import { Refusal } from './refusal.ts'
import { columnList, quoted, tablesOf } from './tables.ts'

/** Restores a backup into an empty installation, atomically; `replace` empties it first. */
export async function restore(file: string, { replace }: { replace: boolean }): Promise<Manifest> {
  const archive = await openArchive(file)
  try {
    const manifest = await readManifest(archive, file)
    await withDatabase((installation) => load(installation, archive, manifest, replace))
    return manifest
  } finally {
    archive.zip.close()
  }
}

interface Archive {
  readonly zip: ZipFile
  readonly entries: ReadonlyMap<string, Entry>
}

async function openArchive(file: string): Promise<Archive> {
  const zip = await openPromise(file, { autoClose: false, lazyEntries: true }).catch((error) => {
    throw new Refusal(`${file} is not a Corvus backup: ${error.message}.`)
  })
  const entries = new Map<string, Entry>()
  for await (const entry of zip.eachEntry()) entries.set(entry.fileName, entry)
  return { zip, entries }
}

async function streamOf({ zip, entries }: Archive, name: string) {
  const entry = entries.get(name)
  if (!entry) throw new Refusal(`The backup is incomplete: ${name} is missing.`)
  return zip.openReadStreamPromise(entry)
}

async function readManifest(archive: Archive, file: string): Promise<Manifest> {
  if (!archive.entries.has('manifest.json')) throw new Refusal(`${file} is not a Corvus backup.`)
  const manifest: Manifest = JSON.parse(await text(await streamOf(archive, 'manifest.json')))
  if (manifest.format !== 1)
    throw new Refusal('The backup was created by a newer version of Corvus. Restore it with that version.')
  return manifest
}

async function load(installation: Installation, archive: Archive, manifest: Manifest, replace: boolean): Promise<void> {
  const { pool } = installation
  await refuseRunning(pool)
  await requireEmpty(pool, replace)
  refuseStrange(manifest.blobs, installation.config)
  // The tables must never hold secrets sealed with another key than the installed one.
  const key = manifest.has_key ? await text(await streamOf(archive, 'secret.key')) : null
  await unpackBlobs(installation.config, archive.entries.keys(), (name) => streamOf(archive, name))
  if (replace) await pool.query('drop schema if exists jobs cascade; drop schema public cascade; create schema public')
  await migrate(pool, `${root}/migrations`, manifest.migrations.at(-1))
  const client = await pool.connect()
  try {
    await client.query('begin')
    await client.query('set constraints all deferred')
    const known = new Map((await tablesOf(client)).map((table) => [table.name, table]))
    // What triggers write for other rows is in the backup as well.
    await client.query(triggers('disable', known.keys()))
    await client.query(`truncate ${[...known.keys()].map(quoted).join(', ')} restart identity`)
    for (const table of manifest.tables) {
      if (!known.has(table.name))
        throw new Refusal(`The backup contains a table that this version does not know: ${table.name}.`)
      const target = client.query(copyFrom(`copy ${quoted(table.name)} (${columnList(table)}) from stdin`))
      await pipeline(await streamOf(archive, `tables/${table.name}.copy`), target)
    }
    // A table with unchecked constraints cannot be altered.
    await client.query('set constraints all immediate')
    await client.query(triggers('enable', known.keys()))
    await setSequences(client)
    await client.query(`
      update task_runs set state = 'FAILURE', ended_at = now(), error_detail = 'A restore from a backup ended this run.'
      where state in ('PENDING', 'SENT', 'STARTED', 'RETRY')`)
    await client.query('commit')
    client.release()
  } catch (error) {
    client.release(true)
    throw error
  }
  if (key !== null) await writeKey(installation, key, replace)
  await migrate(pool, `${root}/migrations`)
  if (replace) await removeStrays(installation.config, pool)
}

const triggers = (action: 'disable' | 'enable', tables: Iterable<string>): string =>
  [...tables].map((table) => `alter table ${quoted(table)} ${action} trigger user`).join(';')

async function refuseRunning(pool: pg.Pool): Promise<void> {
  const { rows } = await pool.query(`
    select count(*) as others from pg_stat_activity
    where datname = current_database() and application_name like 'corvus%' and pid <> pg_backend_pid()`)
  if (rows[0].others > 0) throw new Refusal('Corvus is running on this database. Stop it before restoring.')
}

async function requireEmpty(pool: pg.Pool, replace: boolean): Promise<void> {
  const { rows } = await pool.query(`select count(*) as tables from pg_tables where schemaname = 'public'`)
  if (rows[0].tables > 0 && !replace) {
    throw new Refusal('An installation already exists here. Use --replace to delete it and restore the backup instead.')
  }
}

async function setSequences(client: pg.PoolClient): Promise<void> {
  const { rows } = await client.query<{ statement: string }>(`
    select format(
      'select setval(%L, coalesce((select max(%I) from %I), 0) + 1, false)',
      pg_get_serial_sequence(quote_ident(table_name), column_name), column_name, table_name) as statement
    from information_schema.columns
    where table_schema = 'public' and is_identity = 'YES'`)
  await client.query(rows.map(({ statement }) => statement).join(';'))
}

async function writeKey({ config }: Installation, key: string, replace: boolean): Promise<void> {
  const path = join(config.dataFolder, 'secret.key')
  const present = await readFile(path, 'utf8').catch(() => null)
  if (present !== null && present !== key && !replace) {
    throw new Refusal(
      `The data is restored, but ${path} contains another key. Use --replace to install the key of the backup.`,
    )
  }
  await mkdir(config.dataFolder, { recursive: true })
  await writeFile(path, key, { mode: 0o600, flush: true })
}
