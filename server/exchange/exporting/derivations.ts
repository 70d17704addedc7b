import { sql } from 'kysely'
import { TLP } from '../../domain/tlp.ts'
import { uuidList } from '../../fast/binary-arrays.ts'
import type { ShippedRelationship } from '../../formats/shipment.ts'
import { uuidOf } from '../../formats/stix2/ids.ts'
import { rankOf, sourceOf } from '../../identity/access/visibility.ts'
import type { Snapshot } from '../../intelligence/by-query/snapshot.ts'
import { contributorsOf } from '../../intelligence/entities/unified.ts'
import { hasWantedKey } from './configuration.ts'
import type { Names } from './names.ts'
import type { Reading } from './reading.ts'

interface Row {
  readonly entity: string
  readonly source: string
  readonly target: string
  readonly type: string
  readonly rank: number
  readonly sources: readonly string[]
  readonly created: string
  readonly since: string
}

const KEY = 'derived-from'

/** Relationships from these unified entities to their contributors, if they are exported as well. */
export async function* derivations(
  reading: Reading,
  unified: readonly string[],
  found: Snapshot,
  names: Names,
): AsyncGenerator<ShippedRelationship> {
  const rows = await reading.read(async (ctx) => {
    const all = await sql<Row>`
      select m.entity, u.stix_id as source, t.stix_id as target, t.type, greatest(${rankOf(sql`u.vis`)}, ${rankOf(sql`t.vis`)}) as rank,
        array(select s.id from numbered_sources as s where s.number = ${sourceOf(sql`u.vis`)}) as sources,
        u.created_at as created, c.since
      from ${contributorsOf(ctx, sql`${uuidList(unified)}::uuid[]`)} as m
      join contributors as c on c.entity = m.entity
      join entities as u on u.id = m.unified
      join entities as t on t.id = m.entity
      where ${hasWantedKey(reading.configuration, sql`${KEY}::text`)}
      order by m.unified, m.entity`.execute(ctx.db)
    await names.learn(
      ctx,
      all.rows.flatMap((row) => row.sources),
      [],
    )
    return all.rows
  })
  for (const row of rows) if (found.has(row.entity)) yield derivation(row, names)
}

const derivation = (
  { source, target, type, rank, sources, created, since }: Row,
  names: Names,
): ShippedRelationship => ({
  id: uuidOf(source, KEY, target),
  data: { source, target, key: KEY },
  source_type: type,
  target_type: type,
  meta: { tlp_color: TLP[rank] ?? null },
  sources: names.sources(sources),
  created_at: created,
  last_updated_at: since,
  created,
  modified: since,
})
