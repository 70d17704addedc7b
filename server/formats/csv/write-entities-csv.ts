import { csvLine } from '../../domain/csv.ts'
import { sentMeta } from '../sent-meta.ts'
import type { Shipment, ShippedEntity, Writer } from '../shipment.ts'
import { joinList } from './lists.ts'

/** What of the data of an entity has a column; the rest stands together in `data.other`. */
export const DATA_COLUMNS = [
  'id',
  'type',
  'title',
  'description',
  'short_description',
  'confidence',
  'timestamp',
] as const

/** What of the meta of an entity has a column: texts, and lists of texts. */
export const META_TEXTS = [
  'tlp_color',
  'source_reliability',
  'estimated_observed_time',
  'estimated_threat_start_time',
  'estimated_threat_end_time',
  'alias',
] as const
export const META_LISTS = ['tags', 'taxonomies', 'attacks'] as const

/** The columns of the table of entities. Those after `meta.other` are for who reads it; importing it passes them over. */
export const ENTITY_COLUMNS: readonly string[] = [
  ...DATA_COLUMNS.map((name) => `data.${name}`),
  ...META_TEXTS.map((name) => `meta.${name}`),
  'meta.half_life',
  ...META_LISTS.map((name) => `meta.${name}`),
  'observables',
  'observables.maliciousness',
  'observables.link_type',
  'data.other',
  'meta.other',
  'id',
  'url',
  'relevancy',
  'source.ids',
  'source.names',
  'attachments',
  'created_at',
  'last_updated_at',
]

/** The first line of the table. */
export const ENTITIES_HEAD: string = csvLine(ENTITY_COLUMNS)

/** Writes a table of entities, one row each. */
export const writeEntitiesCsv: Writer = async function* (shipment, lose) {
  yield ENTITIES_HEAD
  for await (const entity of shipment.entities()) {
    tellLosses(entity, lose)
    yield entityLine(entity, shipment)
  }
  for await (const { id } of shipment.relationships()) lose(id, RELATIONSHIP_LOSS)
}

/** What is lost of every relationship. */
export const RELATIONSHIP_LOSS = 'a table of entities has no place for relationships'

/** Tells what of an entity has no place in the table. */
export function tellLosses({ data, attachments, kept }: ShippedEntity, lose: Parameters<Writer>[1]): void {
  if (attachments.length > 0) lose(data.id, 'a table has no place for the content of attachments')
  if (kept.length > 0) lose(data.id, 'a table has no place for the objects that were kept with it')
}

/** The line of one entity. */
export const entityLine = (entity: ShippedEntity, shipment: Shipment): string => csvLine(rowOf(entity, shipment))

function rowOf(entity: ShippedEntity, { baseUrl }: Shipment): unknown[] {
  const { observables, sources } = entity
  const data = new Map<string, unknown>(Object.entries(entity.data))
  const meta = new Map<string, unknown>(Object.entries(sentMeta(entity)))
  const half = meta.get('half_life')
  if (typeof half === 'number') meta.delete('half_life')
  return [
    ...DATA_COLUMNS.map((name) => takeText(data, name)),
    ...META_TEXTS.map((name) => takeText(meta, name)),
    typeof half === 'number' ? half : '',
    ...META_LISTS.map((name) => takeList(meta, name)),
    joinList(observables.map(({ type, value }) => `${type}:${value}`)),
    joinList(observables.map((observable) => String(observable.meta.maliciousness ?? 'unknown'))),
    joinList(observables.map(({ link_type }) => link_type ?? '')),
    otherOf(data),
    otherOf(meta),
    entity.id,
    `${baseUrl}/api/v2/entities/${entity.id}`,
    entity.relevancy.toFixed(2),
    joinList(sources.map(({ id }) => id)),
    joinList(sources.map(({ name }) => name)),
    joinList(entity.attachments.map(({ filename }) => filename)),
    entity.created_at,
    entity.last_updated_at,
  ]
}

/** A text for a cell; what is no text, or an empty one that nobody could tell from none, stays among the others. */
function takeText(from: Map<string, unknown>, name: string): string {
  const value = from.get(name)
  // An empty cell of these is no time and no colour.
  if (value === null && (name.startsWith('estimated_') || name === 'tlp_color')) from.delete(name)
  if (typeof value !== 'string' || value === '') return ''
  from.delete(name)
  return value
}

function takeList(from: Map<string, unknown>, name: string): string {
  const value = from.get(name)
  const isPlain = Array.isArray(value) && value.every((item) => typeof item === 'string' && item !== '')
  if (!isPlain) return ''
  from.delete(name)
  return joinList(value)
}

const otherOf = (left: ReadonlyMap<string, unknown>): string =>
  left.size === 0 ? '' : JSON.stringify(Object.fromEntries(left))
