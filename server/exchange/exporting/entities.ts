import { sql } from 'kysely'
import type { AnyRow, Context } from '../../engine/context.ts'
import { withMembers } from '../../engine/fetch.ts'
import { columns, resourceOf, visible } from '../../engine/select.ts'
import { uuidList } from '../../fast/binary-arrays.ts'
import type { ShippedEntity } from '../../formats/shipment.ts'
import type { Snapshot } from '../../intelligence/by-query/snapshot.ts'
import type { StoredMeta } from '../../intelligence/entities/state.ts'
import { lifetime } from '../../intelligence/origins.ts'
import { attachmentsOf, keptObjectsOf } from './attachments.ts'
import { mayGoOut } from './configuration.ts'
import type { Names } from './names.ts'
import type { ObservableReader } from './observables.ts'
import type { Reading } from './reading.ts'

type Row = AnyRow & {
  readonly id: string
  readonly meta: StoredMeta & { readonly is_unresolved_idref: boolean }
  readonly created_at: string
  readonly last_updated_at: string
  readonly data: ShippedEntity['data']
  readonly sources: readonly string[]
  readonly relevancy: number | null
  readonly created: string
  readonly modified: string
  readonly was_withdrawn: boolean
  readonly unified: string | null
}

/** The fields that are read; the columns of meta come with `meta`. */
const FIELDS: ReadonlySet<string> = new Set(['data', 'meta', 'sources', 'relevancy', 'created_at', 'last_updated_at'])

const FIELDS_BUT_DATA: ReadonlySet<string> = new Set([...FIELDS].filter((name) => name !== 'data'))

/** Reads only some properties of data if a writer needs no others: texts can be long. */
const dataOf = ({ only }: Reading) =>
  only
    ? sql`, (select jsonb_object_agg(m.key, m.value) from jsonb_each(t.data) as m where m.key = any(${only}::text[])) as data`
    : sql``

/** Entities that were read together. */
export interface Portion {
  readonly entities: readonly ShippedEntity[]
  /** The ids that were found, including placeholders. */
  readonly found: ReadonlySet<string>
}

/**
 * The entities with these ids, in this order, with their observables, attachments and kept objects. Entities that may not be exported
 * are left out, and so are placeholders.
 */
export async function entitiesOf(
  ctx: Context,
  reading: Reading,
  ids: readonly string[],
  exported: Snapshot,
  names: Names,
  observables: ObservableReader,
): Promise<Portion> {
  const resource = resourceOf(ctx, 'entities')
  const { rows: all } = await sql<Row>`
    select ${columns(ctx, resource, reading.only ? FIELDS_BUT_DATA : FIELDS)}${dataOf(reading)}, ${lifetime}, t.was_withdrawn,
      (select m.unified from contributors as m where m.entity = t.id) as unified
    from entities as t left join entity_origins as o on o.source = t.id
    where t.id = any(${uuidList(ids)}::uuid[]) and ${visible(ctx, resource)}
      and ${mayGoOut(reading.configuration, sql`t.vis`)}
    order by t.id`.execute(ctx.db)
  const rows = all.map((row) => withMembers(resource, row)).filter(({ meta }) => !meta.is_unresolved_idref)
  const present = rows.map(({ id }) => id)
  await names.learn(
    ctx,
    rows.flatMap((row) => row.sources),
    rows.flatMap((row) => row.meta.taxonomies),
  )
  const found = await observables.read(ctx, present, names)
  const attachments = await attachmentsOf(ctx, reading, present)
  const kept = reading.only ? new Map<string, ShippedEntity['kept']>() : await keptObjectsOf(ctx, reading, present)
  // Who reads the document may not see a unified entity that is not in it.
  const hasMembership = ({ unified }: Row): boolean =>
    reading.hasMemberships === true || unified === null || exported.has(unified)
  const entities = rows.map((row) => ({
    id: row.id,
    data: row.data,
    // Ids are valid anywhere; URLs of this server are not.
    meta: (hasMembership(row)
      ? row.meta
      : { ...row.meta, is_contributor_to: null }) as unknown as ShippedEntity['meta'],
    taxonomy_paths: names.paths(row.meta.taxonomies),
    relevancy: row.relevancy ?? 0,
    sources: names.sources(row.sources),
    created_at: row.created_at,
    last_updated_at: row.last_updated_at,
    created: row.created,
    modified: row.modified,
    was_withdrawn: row.was_withdrawn,
    observables: found.get(row.id) ?? [],
    attachments: attachments.get(row.id) ?? [],
    kept: kept.get(row.id) ?? [],
  }))
  return { entities, found: new Set(all.map(({ id }) => id)) }
}
