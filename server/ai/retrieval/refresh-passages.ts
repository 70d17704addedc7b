import { type Kysely, sql } from 'kysely'
import { type Piece, piecesOf, READ_TYPES, type Texts } from './pieces.ts'

/** The most bytes of documents that are read at a time. */
const PORTION_BYTES = 8 * 2 ** 20

/** The key of an advisory lock. Any number that no other lock uses will do. */
const PASSAGES_LOCK = 4_027_180_353

/** Until the transaction ends, no other changes passages: what it read of entities would be outdated otherwise. */
export async function lockPassages(db: Kysely<unknown>): Promise<void> {
  await sql`select pg_advisory_xact_lock(${PASSAGES_LOCK})`.execute(db)
}

/** Makes the passages of these entities, and of the unified entities that they contribute to, as the entities are now. */
export async function refreshPassages(db: Kysely<unknown>, changed: readonly string[]): Promise<void> {
  await lockPassages(db)
  const { rows } = await sql<{ id: string; size: number }>`
    with i as (
      select unnest(${changed}::uuid[]) as id
      union
      select m.unified from contributors as m where m.entity = any(${changed}::uuid[])
    )
    select i.id, coalesce(pg_column_size(e.data), 0) as size
    from i left join entities as e on e.id = i.id and e.type = any(${READ_TYPES}::text[])
    order by i.id`.execute(db)
  for (const ids of portions(rows)) await refreshPortion(db, ids)
}

/** Few enough that their texts fit into memory. */
function portions(rows: readonly { readonly id: string; readonly size: number }[]): string[][] {
  const all: string[][] = []
  let room = 0
  for (const { id, size } of rows) {
    if (all.length === 0 || size > room) {
      all.push([])
      room = PORTION_BYTES
    }
    all.at(-1)?.push(id)
    room -= size
  }
  return all
}

async function refreshPortion(db: Kysely<unknown>, ids: readonly string[]): Promise<void> {
  const pieces = (await readTexts(db, ids)).flatMap(piecesOf)
  const counts = new Map<string, number>(ids.map((id) => [id, 0]))
  for (const { entity, part } of pieces) counts.set(entity, part + 1)
  await sql`
    delete from passages as p using unnest(${[...counts.keys()]}::uuid[], ${[...counts.values()]}::integer[]) as i(entity, parts)
    where p.entity = i.entity and p.part >= i.parts`.execute(db)
  if (pieces.length > 0) await store(db, pieces)
}

async function readTexts(db: Kysely<unknown>, ids: readonly string[]): Promise<Texts[]> {
  const { rows } = await sql<Texts>`
    select e.id, e.vis, coalesce(nullif(e.meta ->> 'alias', ''), e.data ->> 'title') as title,
      array(
        select v.value #>> '{}' from (values (array['title']), (array['names']), (array['names', 'value'])) as n(path)
        cross join lateral values_at(e.data, n.path) as v(value)
      ) as names,
      e.data ->> 'short_description' as short_description, e.data ->> 'description' as description
    from entities as e
    where e.id = any(${ids}::uuid[]) and e.type = any(${READ_TYPES}::text[])`.execute(db)
  return rows
}

/** Stores what differs. A text that changed loses its vectors, and one that others may see now keeps them. */
async function store(db: Kysely<unknown>, pieces: readonly Piece[]): Promise<void> {
  const column = <K extends keyof Piece>(name: K): Piece[K][] => pieces.map((piece) => piece[name])
  await sql`
    with stored as (
      insert into passages as p (entity, part, vis, revision, hash, heading, text)
      select i.entity, i.part, i.vis, nextval('passage_revisions'), i.hash, i.heading, i.text
      from unnest(${column('entity')}::uuid[], ${column('part')}::integer[], ${column('vis')}::integer[], ${column('hash')}::bytea[],
        ${column('heading')}::text[], ${column('text')}::text[]) as i(entity, part, vis, hash, heading, text)
      on conflict (entity, part) do update
      set vis = excluded.vis, revision = excluded.revision, hash = excluded.hash, heading = excluded.heading, text = excluded.text
      where (p.vis, p.hash) is distinct from (excluded.vis, excluded.hash)
      returning p.id, p.vis, p.hash
    ), outdated as (
      delete from passage_vectors as v using stored as s where v.passage = s.id and v.hash <> s.hash
      returning v.space, v.passage
    ), forgotten as (
      delete from passage_codes as c using outdated as o where c.space = o.space and c.passage = o.passage
    )
    update passage_codes as c set vis = s.vis from stored as s
    where c.passage = s.id and c.vis <> s.vis
      and not exists (select from outdated as o where o.space = c.space and o.passage = c.passage)`.execute(db)
}
