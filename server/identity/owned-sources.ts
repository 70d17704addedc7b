import { type Kysely, sql } from 'kysely'
import { conflict } from '../engine/errors.ts'
import type { Id } from '../engine/reference.ts'
import { isOfSource } from './access/visibility.ts'

/** The tables whose rows own a source, and the type of that source. */
const OWNERS = {
  groups: 'group',
  incoming_feeds: 'incoming_feed',
  enrichers: 'enricher',
  detonators: 'detonator',
} as const

type Owners = keyof typeof OWNERS

/** Creates a source for each new owner and renames the sources of renamed owners. Returns the created sources. */
export async function syncOwnedSources(db: Kysely<unknown>, owners: Owners, ids: readonly Id[]): Promise<string[]> {
  const table = sql.table(owners)
  await sql`
    update sources as s
    set name = t.name, last_updated_at = now()
    from ${table} as t
    where t.id = any(${ids}::integer[]) and s.id = t.source and s.name <> t.name`.execute(db)
  const { rows } = await sql<{ id: string }>`
    insert into sources (id, name, type)
    select t.source, t.name, ${OWNERS[owners]}
    from ${table} as t
    where t.id = any(${ids}::integer[]) and not exists (select from sources as s where s.id = t.source)
    returning id`.execute(db)
  return rows.map(({ id }) => id)
}

/** Returns the sources of owners that are about to be deleted. Throws a 409 if intelligence belongs to one of them. */
export async function removableSources(
  db: Kysely<unknown>,
  owners: Owners,
  ids: readonly Id[],
  advice: string,
): Promise<string[]> {
  const { rows } = await sql<{ source: string; name: string; is_used: boolean }>`
    select t.source, t.name, (
      exists (select from entities as e where ${isOfSource(sql`e.vis`, sql`s.number`)})
      or exists (
        select from composites as c join entities as e on ${isOfSource(sql`e.vis`, sql`c.number`)} where c.source = s.number)
      or exists (select from observable_records as o where ${isOfSource(sql`o.vis`, sql`s.number`)})
      or exists (select from relationship_sources as r where r.target = s.id)) as is_used
    from ${sql.table(owners)} as t
    join sources as s on s.id = t.source
    where t.id = any(${ids}::integer[])`.execute(db)
  const used = rows.filter(({ is_used }) => is_used)
  if (used.length > 0) {
    const names = used.map(({ name }) => `'${name}'`).join(', ')
    throw conflict(`Intelligence still belongs to the source ${names}: ${advice}.`)
  }
  return rows.map(({ source }) => source)
}

export async function removeSources(db: Kysely<unknown>, ids: readonly string[]): Promise<void> {
  await sql`delete from sources where id = any(${ids}::uuid[])`.execute(db)
}
