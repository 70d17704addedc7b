import { csvLine } from '../../domain/csv.ts'
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

type Column = (typeof OBSERVABLE_COLUMNS)[number]

/** What differs between tables of observables. */
export interface ObservablesCsvOptions {
  /** In feeds that send what changed: whether these observables came or went. */
  readonly diff?: 'add' | 'del' | undefined
  /** Whether the line with the names of the columns comes first; what went may follow what came in one file. */
  readonly hasHeader?: boolean | undefined
}

/** Writes a table of observables, a row for each of each entity: `urn:eclecticiq.com:csv-extracts:1.0`. */
export const writeObservablesCsv = ({ diff, hasHeader = true }: ObservablesCsvOptions = {}): Writer => {
  const before = diff === undefined ? [] : [diff]
  return async function* (shipment) {
    if (hasHeader) yield csvLine(diff === undefined ? OBSERVABLE_COLUMNS : ['diff', ...OBSERVABLE_COLUMNS])
    for await (const entity of shipment.entities()) {
      const shared = sharedCells(entity, shipment)
      for (const observable of entity.observables) {
        const cells: Partial<Record<Column, string>> = { ...shared, ...cellsOf(observable, shipment) }
        yield csvLine([...before, ...OBSERVABLE_COLUMNS.map((column) => cells[column])])
      }
    }
  }
}

/** What the rows of one entity have in common. */
function sharedCells(entity: ShippedEntity, { baseUrl }: Shipment): Partial<Record<Column, string>> {
  const { id, data, meta, relevancy, taxonomy_paths } = entity
  const colour = meta.tlp_color ?? 'NONE'
  const reliability = text(meta.source_reliability)
  return {
    'entity.id': id,
    'entity.type': data.type,
    'entity.title': data.title,
    'meta.tlp': colour,
    'meta.terms_of_use': termsOf(data),
    'meta.ingest_time': time(meta.ingest_time ?? entity.last_updated_at),
    'meta.estimated_observed_time': time(meta.estimated_observed_time),
    'meta.estimated_threat_start_time': time(meta.estimated_threat_start_time),
    'meta.estimated_threat_end_time': time(meta.estimated_threat_end_time),
    'meta.relevancy': relevancy.toFixed(2),
    'meta.tags': (meta.tags ?? []).join(';'),
    'meta.taxonomy': taxonomy_paths.map((path) => path.join('/')).join(';'),
    'meta.source_reliability': reliability,
    'meta.entity_url': `${baseUrl}/api/v2/entities/${id}`,
    'calculated.tlp': colour,
    'calculated.relevancy': relevancy.toFixed(2),
    'calculated.source_reliability': reliability,
  }
}

function cellsOf(observable: ShippedObservable, { baseUrl }: Shipment): Partial<Record<Column, string>> {
  const { id, type, value, meta, sources, last_updated_at } = observable
  const level = maliciousnessNamed(meta.maliciousness) ?? 'unknown'
  // Clients know observables that nobody judged by empty cells.
  const judged = level === 'unknown' ? undefined : classificationOf(level)
  return {
    value,
    type,
    value_url: `${baseUrl}/api/v2/observables/${id}`,
    timestamp: time(last_updated_at).replace('T', ' '),
    'source.ids': sources.map((source) => source.id).join(';'),
    'source.names': sources.map((source) => source.name).join(';'),
    'meta.classification': judged?.classification ?? '',
    'meta.confidence': judged?.confidence ?? '',
  }
}

const text = (value: unknown): string => (typeof value === 'string' ? value : '')

const WIRE = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{6}\+00:00$/

/** A time with microseconds in UTC, as nearly all come. */
function time(value: unknown): string {
  if (typeof value !== 'string') return ''
  return WIRE.test(value) ? value : (readTime(value) ?? '')
}

/** The terms of use among the markings of an entity. */
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
