import { sql } from 'kysely'
import type { Context } from '../../engine/context.ts'
import { uuidList } from '../../fast/binary-arrays.ts'
import type { ShippedAttachment, ShippedEntity } from '../../formats/shipment.ts'
import { readBlob } from '../../intelligence/attachments/blobs.ts'
import { hasAllObservables } from './configuration.ts'
import type { Reading } from './reading.ts'

type Row = Omit<ShippedAttachment, 'open'> & { readonly entity: string }

/** The attachments of entities; users who see an entity also see its attachments. Their bytes are read on demand. */
export async function attachmentsOf(
  { db }: Context,
  reading: Reading,
  entities: readonly string[],
): Promise<Map<string, ShippedAttachment[]>> {
  if (!reading.configuration.attachments.include) return new Map()
  const { rows } = await sql<Row>`
    select l.source as entity, a.id, a.filename, a.meta, b.size, b.content_type, encode(b.sha256, 'hex') as sha256
    from entity_attachments as l
    join attachments as a on a.id = l.target
    join blobs as b on b.sha256 = a.sha256
    where l.source = any(${uuidList(entities)}::uuid[])
    order by l.source, a.id`.execute(db)
  return byEntity(rows, (row) => ({
    ...row,
    open: () => readBlob(reading, Buffer.from(row.sha256, 'hex'), { start: 0, end: row.size }),
  }))
}

type Kept = ShippedEntity['kept'][number]

/** Types of kept objects that contain no observables. */
const TYPES_WITHOUT_OBSERVABLES = ['marking-definition', 'extension-definition', 'language-content']

/** The kept objects of entities; those that may contain observables only if all observables are exported. */
export async function keptObjectsOf(
  { db }: Context,
  { configuration }: Reading,
  entities: readonly string[],
): Promise<Map<string, Kept[]>> {
  const { rows } = await sql<Kept & { readonly entity: string }>`
    select k.entity_id as entity, k.stix_id as id, k.object
    from stix_objects as k
    where k.entity_id = any(${uuidList(entities)}::uuid[])
      and ${hasAllObservables(configuration) ? sql`true` : sql`k.object ->> 'type' = any(${TYPES_WITHOUT_OBSERVABLES}::text[])`}
    order by k.entity_id, k.stix_id`.execute(db)
  return byEntity(rows, (row) => row)
}

function byEntity<R extends { readonly entity: string }, T>(
  rows: readonly R[],
  make: (row: Omit<R, 'entity'>) => T,
): Map<string, T[]> {
  const found = new Map<string, T[]>()
  for (const { entity, ...row } of rows) {
    const list = found.get(entity)
    if (list) list.push(make(row))
    else found.set(entity, [make(row)])
  }
  return found
}
