import { csvLine } from '../domain/csv.ts'
import type { Shipment, ShippedEntity, Writer } from './shipment.ts'

type Read = (entity: ShippedEntity, shipment: Shipment) => unknown

const READERS: Readonly<Record<string, Read>> = {
  id: ({ id }) => id,
  url: ({ id }, { baseUrl }) => `${baseUrl}/api/v2/entities/${id}`,
  type: ({ data }) => data.type,
  tags: ({ meta }) => meta.tags ?? [],
  relevancy: ({ relevancy }) => relevancy,
  created_at: ({ created_at }) => created_at,
  last_updated_at: ({ last_updated_at }) => last_updated_at,
  sources: ({ sources }) => sources.map(({ id }) => id),
  'sources.id': ({ sources }) => sources.map(({ id }) => id),
  'sources.name': ({ sources }) => sources.map(({ name }) => name),
  taxonomies: ({ taxonomy_paths }) => taxonomy_paths.map((path) => path.join('/')),
  'meta.taxonomy_paths': ({ taxonomy_paths }) => taxonomy_paths.map((path) => path.join('/')),
  observables: ({ observables }) => observables.map(({ type, value }) => `${type}:${value}`),
  'observables.type': ({ observables }) => observables.map(({ type }) => type),
  'observables.value': ({ observables }) => observables.map(({ value }) => value),
  'observables.meta.maliciousness': ({ observables }) => observables.map(({ meta }) => meta.maliciousness),
  'extracts.kind': ({ observables }) => observables.map(({ type }) => type),
  'extracts.value': ({ observables }) => observables.map(({ value }) => value),
  'extracts.meta.maliciousness': ({ observables }) => observables.map(({ meta }) => meta.maliciousness),
  attachments: ({ attachments }) => attachments.map(({ filename }) => filename),
}

/** Entity fields that can be columns, in addition to paths in its `data` and `meta`. */
export const COLUMNS: readonly string[] = Object.keys(READERS)

/** Writes one line per entity with the chosen fields. Lists are joined with semicolons. */
export const fieldsCsv = (fields: readonly string[] = COLUMNS): Writer => {
  const readers = fields.map((name): Read => {
    const own = Object.hasOwn(READERS, name) ? READERS[name] : undefined
    const path = name.split('.')
    return own ?? ((entity) => valueAt(entity, path))
  })
  return async function* (shipment) {
    yield csvLine(fields)
    for await (const entity of shipment.entities()) {
      yield csvLine(readers.map((read) => cellOf(read(entity, shipment))))
    }
  }
}

/** Returns the value at a path. Lists on the way give one value for each of their items. */
function valueAt(value: unknown, [head, ...rest]: readonly string[]): unknown {
  if (head === undefined) return value
  if (Array.isArray(value)) return value.flatMap((item) => valueAt(item, [head, ...rest]) ?? [])
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, head)) return undefined
  return valueAt((value as Record<string, unknown>)[head], rest)
}

function cellOf(value: unknown): unknown {
  if (!Array.isArray(value)) return value
  return value.map((item) => (typeof item === 'object' ? JSON.stringify(item) : String(item))).join(';')
}
