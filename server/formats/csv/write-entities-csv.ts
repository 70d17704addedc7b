import { csvLine } from '../../domain/csv.ts'
import { sentMeta } from '../sent-meta.ts'
import type { Shipment, ShippedEntity, Writer } from '../shipment.ts'
import { joinList } from './lists.ts'

/** Properties of an entity's data with their own column. All others go to `data.other`. */
export const DATA_COLUMNS = [
  'id',
  'type',
  'title',
  'description',
  'short_description',
  'confidence',
  'timestamp',
] as const

/** Meta fields with their own column: texts and lists of texts. */
export const META_TEXTS = [
  'tlp_color',
  'source_reliability',
  'estimated_observed_time',
  'estimated_threat_start_time',
  'estimated_threat_end_time',
  'alias',
] as const
export const META_LISTS = ['tags', 'taxonomies', 'attacks'] as const

/** The columns of the table of entities. Those after `meta.other` are for human readers and ignored on import. */
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

/** The header line. */
export const ENTITIES_HEAD: string = csvLine(ENTITY_COLUMNS)

/** Writes a table of entities, one row each. */
export const writeEntitiesCsv: Writer = async function* (shipment, lose) {
  yield ENTITIES_HEAD
  for await (const entity of shipment.entities()) {
    reportLosses(entity, lose)
    yield entityLine(entity, shipment)
  }
  for await (const { id } of shipment.relationships()) lose(id, RELATIONSHIP_LOSS)
}

/** The loss reported for every relationship. */
export const RELATIONSHIP_LOSS = 'relationships are not supported in a table of entities'

/** Reports what a table cannot hold of an entity. */
export function reportLosses({ data, attachments, kept }: ShippedEntity, lose: Parameters<Writer>[1]): void {
  if (attachments.length > 0) lose(data.id, 'the content of attachments is not supported in a table')
  if (kept.length > 0) lose(data.id, 'the objects kept with the entity are not supported in a table')
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

/** Takes a text for a cell. Other values, and empty texts, which could not be told from missing ones, stay in `other`. */
function takeText(from: Map<string, unknown>, name: string): string {
  const value = from.get(name)
  // For these, an empty cell already means that there is no time or colour.
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
