import { isRecord } from '../../../domain/record.ts'
import { faultsOf, messageOf } from '../../../engine/body.ts'
import { badRequest } from '../../../engine/errors.ts'
import { type SentLayer, sentLayer } from './layer.ts'

export const MAX_LAYERS = 50
/** Of all layers of a document. */
const MAX_TECHNIQUES = 50_000
const MAX_FAULTS = 1000

/** Reads the layer, or the list of layers, in the body of a request. All faults are reported with their place. */
export function readLayers(body: unknown): readonly SentLayer[] {
  const isWrapped = isRecord(body) && Object.hasOwn(body, 'data')
  const document = isWrapped ? body.data : body
  const path = isWrapped ? ['data'] : []
  const list: readonly unknown[] = Array.isArray(document) ? document : [document]
  const at = isWrapped ? 'data: ' : ''
  if (list.length === 0) throw badRequest(`${at}must have at least 1 layer`)
  if (list.length > MAX_LAYERS) throw badRequest(`${at}must have at most ${MAX_LAYERS} layers`)
  const count = list.map(techniqueCount).reduce((a, b) => a + b, 0)
  if (count > MAX_TECHNIQUES)
    throw badRequest(`${at}has ${count} techniques; at most ${MAX_TECHNIQUES} can be imported at once`)
  const parsed = list.map((layer) => sentLayer.safeParse(withoutNulls(layer), { error: messageOf }))
  const faults = parsed.flatMap(({ error }, i) =>
    error ? faultsOf(error, Array.isArray(document) ? [...path, i] : path) : [],
  )
  const more = faults.length - MAX_FAULTS
  if (more > 0) throw badRequest([...faults.slice(0, MAX_FAULTS), `There are ${more} more faults.`])
  if (faults.length > 0) throw badRequest(faults)
  return parsed.flatMap(({ data }) => data ?? [])
}

const techniqueCount = (layer: unknown): number =>
  isRecord(layer) && Array.isArray(layer.techniques) ? layer.techniques.length : 0

/** Programs that write layers use null for what is absent. */
function withoutNulls(layer: unknown): unknown {
  if (!isRecord(layer)) return layer
  const { techniques, ...rest } = givenIn(layer)
  return {
    ...rest,
    ...(techniques !== undefined && { techniques: Array.isArray(techniques) ? techniques.map(givenIn) : techniques }),
  }
}

function givenIn<T>(value: T): T | Record<string, unknown>
function givenIn(value: unknown) {
  if (!isRecord(value) || !Object.values(value).includes(null)) return value
  return Object.fromEntries(Object.entries(value).filter(([, each]) => each !== null))
}
