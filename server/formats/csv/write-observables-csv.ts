import { csvCells, csvLine } from '../../domain/csv.ts'
import { classificationOf, maliciousnessNamed } from '../maliciousness.ts'
import type { Shipment, ShippedEntity, ShippedObservable, Writer } from '../shipment.ts'
import { readTime } from './time-format.ts'

/** The columns of the table of observables. Clients compare this line byte by byte. */
export const OBSERVABLE_COLUMNS = [
  'value',
  'type',
  'value_url',
  'timestamp',
  'source.ids',
  'source.names',
  'entity.id',
  'entity.type',
  'entity.title',
  'meta.tlp',
  'meta.terms_of_use',
  'meta.ingest_time',
  'meta.estimated_observed_time',
  'meta.estimated_threat_start_time',
  'meta.estimated_threat_end_time',
  'meta.relevancy',
  'meta.tags',
  'meta.taxonomy',
  'meta.source_reliability',
  'meta.entity_url',
  'calculated.tlp',
  'calculated.relevancy',
  'calculated.source_reliability',
  'meta.classification',
  'meta.confidence',
] as const

/** The header line. */
export const OBSERVABLES_HEAD: string = csvLine(OBSERVABLE_COLUMNS)

/** Writes a table of observables, one row per observable of each entity. */
export const writeObservablesCsv: Writer = async function* (shipment) {
  yield OBSERVABLES_HEAD
  for await (const entity of shipment.entities()) {
    const { observables } = entity
    if (observables.length === 0 || !isListed(entity)) continue
    const line = observableLines(entity, shipment)
    for (let from = 0; from < observables.length; from += LINES_PER_CHUNK)
      yield observables
        .slice(from, from + LINES_PER_CHUNK)
        .map(line)
        .join('')
  }
}

/**
 * Whether the observables of an entity are in the table. The table is used by firewalls and similar devices and cannot express a
 * withdrawal, so rows of withdrawn entities would keep blocking what their publisher has retracted.
 */
export const isListed = ({ meta }: Pick<ShippedEntity, 'meta'>): boolean => meta.is_withdrawn !== true

/** Lines per chunk. Each chunk costs more than a line. */
const LINES_PER_CHUNK = 500

/** Returns a writer for the lines of one entity that serialises their common cells only once. */
export function observableLines(entity: ShippedEntity, shipment: Shipment): (observable: ShippedObservable) => string {
  const shared = csvCells(sharedCells(entity, shipment))
  const { baseUrl } = shipment
  return ({ id, type, value, meta, sources, last_updated_at }) => {
    const level = maliciousnessNamed(meta.maliciousness) ?? 'unknown'
    // Clients expect empty cells for observables without a maliciousness.
    const judged = level === 'unknown' ? undefined : classificationOf(level)
    const own = csvCells([
      value,
      type,
      `${baseUrl}/api/v2/observables/${id}`,
      time(last_updated_at).replace('T', ' '),
      sources.map((source) => source.id).join(';'),
      sources.map((source) => source.name).join(';'),
    ])
    return `${own},${shared},${csvCells([judged?.classification, judged?.confidence])}\r\n`
  }
}

/** The cells from `entity.id` to `calculated.source_reliability`, in order. */
function sharedCells(entity: ShippedEntity, { baseUrl }: Shipment): unknown[] {
  const { id, data, meta, relevancy, taxonomy_paths } = entity
  const colour = meta.tlp_color ?? 'NONE'
  const reliability = text(meta.source_reliability)
  return [
    id,
    data.type,
    data.title,
    colour,
    termsOf(data),
    time(meta.ingest_time ?? entity.last_updated_at),
    time(meta.estimated_observed_time),
    time(meta.estimated_threat_start_time),
    time(meta.estimated_threat_end_time),
    relevancy.toFixed(2),
    (meta.tags ?? []).join(';'),
    taxonomy_paths.map((path) => path.join('/')).join(';'),
    reliability,
    `${baseUrl}/api/v2/entities/${id}`,
    colour,
    relevancy.toFixed(2),
    reliability,
  ]
}

const text = (value: unknown): string => (typeof value === 'string' ? value : '')

const WIRE = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{6}\+00:00$/

/** Formats a time in UTC with microseconds; nearly all values already have this form. */
function time(value: unknown): string {
  if (typeof value !== 'string') return ''
  return WIRE.test(value) ? value : (readTime(value) ?? '')
}

/** Returns the terms of use among the markings of an entity. */
function termsOf({ handling }: ShippedEntity['data']): string {
  const terms = listOf(handling).flatMap((marking) =>
    listOf(marking.marking_structures).flatMap(({ terms_of_use }) =>
      typeof terms_of_use === 'string' ? terms_of_use : [],
    ),
  )
  return terms.join(';')
}

const listOf = (value: unknown): Record<string, unknown>[] =>
  Array.isArray(value) ? value.filter((item) => typeof item === 'object' && item !== null) : []
