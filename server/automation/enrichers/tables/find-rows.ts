import { sql } from 'kysely'
import { LRUCache } from 'lru-cache'
import { blobsOf } from '../../../intelligence/stored-blobs/store.ts'
import type { Server } from '../../../server.ts'
import { EnricherError, MAX_FINDINGS, type TableHit } from '../function.ts'
import { type Mmdb, MmdbError, openMmdb } from './mmdb/read-mmdb.ts'

type Store = Pick<Server, 'db' | 'blobs'>

/** The rows of a table under keys, in the order of the keys; undefined if the table is not loaded. */
export async function rowsUnder(
  { db }: Pick<Server, 'db'>,
  table: string,
  keys: readonly string[],
): Promise<readonly TableHit[] | undefined> {
  const wanted = keys.map((key) => key.toLowerCase())
  const { rows } = await sql<{ hits: TableHit[] }>`
    select coalesce((
      select jsonb_agg(jsonb_build_object('key', h.key, 'row', h.content) order by h.n, h.position)
      from (
        select r.key, r.content, r.position, array_position(${wanted}::text[], r.key) as n
        from enricher_table_rows as r
        where r.owner = t.id and left(r.key, 500) = any(${wanted.map((key) => key.slice(0, 500))}::text[])
          and r.key = any(${wanted}::text[])
        order by n, r.position
        limit ${MAX_FINDINGS}
      ) as h
    ), '[]') as hits
    from enricher_tables as t
    where t.name = ${table} and t.loaded_at is not null`.execute(db)
  return rows[0]?.hits
}

interface Found {
  readonly format: string
  readonly sha256: string
  readonly hits: TableHit[]
}

/** The rows of a table whose networks contain an address, the narrowest first; undefined if the table is not loaded. */
export async function rowsAround(
  store: Store,
  table: string,
  address: string,
): Promise<readonly TableHit[] | undefined> {
  const { rows } = await sql<Found>`
    select t.format, t.sha256, coalesce((
      select jsonb_agg(jsonb_build_object('key', r.key, 'row', r.content) order by p.n)
      from (
        select g.positions, g.last_address from enricher_table_ranges as g
        where g.owner = t.id and g.first_address <= ${address}::inet
        order by g.first_address desc
        limit 1
      ) as g
      cross join lateral unnest(g.positions) with ordinality as p(position, n)
      join enricher_table_rows as r on r.owner = t.id and r.position = p.position
      where g.last_address >= ${address}::inet
    ), '[]') as hits
    from enricher_tables as t
    where t.name = ${table} and t.loaded_at is not null and t.sha256 is not null`.execute(store.db)
  const [found] = rows
  if (found?.format !== 'mmdb') return found?.hits
  try {
    const hit = (await databaseOf(store, found.sha256)).find(address)
    return hit ? [{ key: hit.network, row: hit.record }] : []
  } catch (error) {
    // The content may have been replaced in this moment: another attempt finds the new one.
    if (!(error instanceof MmdbError)) throw new EnricherError('unavailable', `The table '${table}' cannot be read.`)
    throw new EnricherError('unreadable', `The table '${table}' is damaged: ${error.message}. Load it again.`)
  }
}

const MAX_DATABASES = 4

/** Databases in use, by the digest of their content: a new version of a table is another one. */
const databases = new LRUCache<string, Promise<Mmdb>>({ max: MAX_DATABASES })

function databaseOf(store: Store, sha256: string): Promise<Mmdb> {
  const known = databases.get(sha256)
  if (known) return known
  const opening = Array.fromAsync(blobsOf(store).open(sha256)).then((parts) => openMmdb(Buffer.concat(parts)))
  databases.set(sha256, opening)
  // A failure to read it is not kept.
  opening.catch(() => databases.delete(sha256))
  return opening
}
