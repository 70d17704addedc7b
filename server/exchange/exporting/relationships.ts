import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Context, Item } from '../../engine/context.ts'
import { and, resourceOf, visible } from '../../engine/select.ts'
import { uuidList } from '../../fast/binary-arrays.ts'
import type { ShippedRelationship } from '../../formats/shipment.ts'
import { holdsKey } from '../../identity/access/sight.ts'
import { sourceOf } from '../../identity/access/visibility.ts'
import type { Snapshot } from '../../intelligence/by-query/snapshot.ts'
import { lifetime } from '../../intelligence/origins.ts'
import { hasWantedKey, mayGoOut, mayGoOutByAny } from './configuration.ts'
import type { Names } from './names.ts'
import type { Reading } from './reading.ts'

/** How many relationships are read at a time: one entity may have any number of them. */
export const PAGE_SIZE = 500
/** Up to this many entities are passed to the database, which then skips relationships that lead elsewhere. */
const MAX_LISTED_TARGETS = 5000

/** A relationship as it is read. */
export interface RelationshipRow
  extends Pick<ShippedRelationship, 'id' | 'meta' | 'created_at' | 'last_updated_at' | 'created' | 'modified'> {
  readonly data: Item
  readonly key: string
  readonly subtype: string | null
  readonly source: string
  readonly target: string
  readonly source_id: string
  readonly target_id: string
  readonly source_type: string
  readonly target_type: string
  readonly sources: readonly string[]
}

/** The relationships from these entities to other exported ones, in the order of these entities. */
export async function* relationshipsFrom(
  reading: Reading,
  sources: readonly string[],
  found: Snapshot,
  names: Names,
): AsyncGenerator<ShippedRelationship> {
  const targets =
    found.count <= MAX_LISTED_TARGETS
      ? sql`t.target = any(${uuidList(found.slice(0, found.count))}::uuid[])`
      : sql`true`
  for (let last: RelationshipRow | undefined; ; ) {
    const rows = await reading.read(async (ctx) => {
      const page = await readPage(ctx, reading, sources, targets, last)
      await names.learn(
        ctx,
        page.flatMap((row) => row.sources),
        [],
      )
      return page
    })
    for (const row of rows) if (found.has(row.target)) yield shipped(row, names)
    last = rows.at(-1)
    if (rows.length < PAGE_SIZE) return
  }
}

/** Reads a page in the order of the index of ends, so that the pages of an entity with many relationships are not sorted repeatedly. */
async function readPage(
  ctx: Context,
  { configuration }: Reading,
  sources: readonly string[],
  isTarget: RawBuilder<unknown>,
  last: RelationshipRow | undefined,
): Promise<RelationshipRow[]> {
  const from = last === undefined ? sources : sources.slice(sources.indexOf(last.source))
  const isNext =
    last === undefined
      ? sql`true`
      : sql`(t.source, t.target, t.key, t.id) > (${last.source}::uuid, ${last.target}::uuid, ${last.key}, ${last.id}::uuid)`
  const { rows } = await sql<RelationshipRow>`
    select t.source, t.target, a.stix_id as source_id, b.stix_id as target_id, ${relationshipColumns(ctx, configuration)}
    from relationships as t join entities as a on a.id = t.source join entities as b on b.id = t.target
      left join relationship_origins as o on o.source = t.id
    where t.source = any(${uuidList(from)}::uuid[]) and ${isNext} and ${isTarget}
      and ${isExported(ctx, configuration)}
    order by t.source, t.target, t.key, t.id
    limit ${PAGE_SIZE}`.execute(ctx.db)
  return rows
}

/** The columns of the relationship `t` between `a` and `b`, of the origin `o`, without its ends. */
export const relationshipColumns = (ctx: Context, configuration: Reading['configuration']): RawBuilder<unknown> => sql`
  t.id, t.data, t.key, t.subtype, t.meta, t.created_at, t.last_updated_at, ${lifetime},
  a.type as source_type, b.type as target_type,
  array(
    select distinct s.id from unnest(t.vis) as k(key) join sources as s on s.number = ${sourceOf(sql`k.key`)}
    where ${holdsKey(ctx, sql`k.key`)} and ${mayGoOut(configuration, sql`k.key`)}
    order by s.id) as sources`

/** Whether the relationship `t` is exported if its ends are. */
export const isExported = (ctx: Context, configuration: Reading['configuration']): RawBuilder<SqlBool> =>
  and([
    visible(ctx, resourceOf(ctx, 'relationships')),
    mayGoOutByAny(ctx, configuration, sql`t.vis`),
    hasWantedKey(configuration, sql`t.key`),
  ])

export const shipped = (row: RelationshipRow, names: Names): ShippedRelationship => ({
  id: row.id,
  data: {
    ...row.data,
    source: row.source_id,
    target: row.target_id,
    key: row.key,
    ...(row.subtype !== null && { subtype: row.subtype }),
  },
  source_type: row.source_type,
  target_type: row.target_type,
  meta: row.meta,
  sources: names.sources(row.sources),
  created_at: row.created_at,
  last_updated_at: row.last_updated_at,
  created: row.created,
  modified: row.modified,
})
