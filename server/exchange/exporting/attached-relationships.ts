import { sql } from 'kysely'
import type { Context } from '../../engine/context.ts'
import { uuidList } from '../../fast/binary-arrays.ts'
import type { ShippedRelationship } from '../../formats/shipment.ts'
import { uuidOf } from '../../formats/stix2/ids.ts'
import type { Snapshot } from '../../intelligence/by-query/snapshot.ts'
import type { Names } from './names.ts'
import type { Reading } from './reading.ts'
import { isExported, PAGE_SIZE, type RelationshipRow, relationshipColumns, shipped } from './relationships.ts'
import { mayGo } from './selection.ts'

/** A relationship of a contributor at one end or both. */
interface Row extends RelationshipRow {
  /** The entity that its source contributes to, or its source. */
  readonly owner: string
  readonly owner_id: string
  /** The entity that its target contributes to, or its target. */
  readonly other: string
  readonly other_id: string
}

/**
 * The relationships of contributors, from these entities and to exported ones, with the exported unified entities as their ends. Of
 * several with the same ends and key, the one that was created first is exported.
 */
export async function* attachedRelationships(
  reading: Reading,
  owners: readonly string[],
  found: Snapshot,
  names: Names,
): AsyncGenerator<ShippedRelationship> {
  let alike: Row[] = []
  for (let last: Row | undefined; ; ) {
    const rows = await reading.read(async (ctx) => {
      const page = await readPage(ctx, reading, owners, last)
      await names.learn(
        ctx,
        page.flatMap((row) => row.sources),
        [],
      )
      return page
    })
    for (const row of rows) {
      if (alike[0] && !isAlike(alike[0], row)) {
        yield* firstOf(alike, found, names)
        alike = []
      }
      alike.push(row)
    }
    last = rows.at(-1)
    if (rows.length < PAGE_SIZE) break
  }
  yield* firstOf(alike, found, names)
}

const isAlike = (a: Row, b: Row): boolean => a.owner === b.owner && a.other === b.other && a.key === b.key

/** The relationships to export, of those with the same key between contributors of the same entities. */
function* firstOf(rows: readonly Row[], found: Snapshot, names: Names): Generator<ShippedRelationship> {
  const first = new Map<string, Row>()
  for (const row of rows) {
    // Without the unified entity, its contributors are exported themselves.
    const isReplaced = row.other !== row.target && found.has(row.other)
    if (!isReplaced && (row.owner === row.source || !found.has(row.target))) continue
    const end = isReplaced ? row.other_id : row.target_id
    const known = first.get(end)
    if (!known || isEarlier(row, known)) first.set(end, row)
  }
  for (const [target_id, row] of first) yield attached({ ...row, source_id: row.owner_id, target_id }, names)
}

const isEarlier = (a: Row, b: Row): boolean => (a.created === b.created ? a.id < b.id : a.created < b.created)

function attached(row: Row, names: Names): ShippedRelationship {
  const { stix: _stix, stix_property: _property, ...data } = row.data
  return shipped({ ...row, id: uuidOf(row.source_id, row.key, row.target_id), data }, names)
}

async function readPage(
  ctx: Context,
  reading: Reading,
  owners: readonly string[],
  last: Row | undefined,
): Promise<Row[]> {
  const { configuration } = reading
  const from = uuidList(last === undefined ? owners : owners.slice(owners.indexOf(last.owner)))
  const mayLeave = reading.mayLeave?.(ctx) ?? mayGo(ctx, configuration)
  const isNext =
    last === undefined
      ? sql`true`
      : sql`(e.owner, coalesce(g.unified, t.target), t.key, t.id)
          > (${last.owner}::uuid, ${last.other}::uuid, ${last.key}, ${last.id}::uuid)`
  const { rows } = await sql<Row>`
    with ends as materialized (
      select i.id, i.id as owner from unnest(${from}::uuid[]) as i(id)
      union all
      select t.id, m.unified from contributors as m join entities as t on t.id = m.entity
      where m.unified = any(${from}::uuid[]) and ${mayLeave})
    select e.owner, a.stix_id as owner_id, coalesce(g.unified, t.target) as other, coalesce(u.stix_id, b.stix_id) as other_id,
      t.source, t.target, a.stix_id as source_id, b.stix_id as target_id, ${relationshipColumns(ctx, configuration)}
    from ends as e
    join relationships as t on t.source = e.id
    join entities as a on a.id = e.owner
    join entities as b on b.id = t.target
    left join lateral (
      select m.unified from contributors as m join entities as t on t.id = m.entity
      where m.entity = b.id and ${mayLeave}) as g on true
    left join entities as u on u.id = g.unified
    left join relationship_origins as o on o.source = t.id
    where (e.owner <> t.source or g.unified is not null) and coalesce(g.unified, t.target) <> e.owner and ${isNext}
      and ${isExported(ctx, configuration)}
    order by e.owner, coalesce(g.unified, t.target), t.key, t.id
    limit ${PAGE_SIZE}`.execute(ctx.db)
  return rows
}
