import type { FoundObservable } from '../finding.ts'
import { CORVUS } from './extension.ts'
import { invalidProperties } from './faults.ts'
import { makePattern } from './make-pattern.ts'
import { needsName } from './properties.ts'
import { isLater, stixTimeOf } from './times.ts'

/** Context of an entity that is needed in addition to its data. */
export interface EntityContext {
  readonly title: string
  readonly description?: unknown
  readonly created: string
  readonly modified: string
  readonly meta: Readonly<Record<string, unknown>>
  readonly observables: readonly Pick<FoundObservable, 'type' | 'value'>[]
  /** The ids of the objects written for observables that no other object names. */
  readonly refs: readonly string[]
}

type PartialObject = Record<string, unknown>

const LONG_AGO = '1970-01-01T00:00:00.000Z'

/** Adds the properties that STIX requires and the entity lacks, derived from its context. */
export function completeObject(object: PartialObject, known: EntityContext): PartialObject {
  const type = String(object.type)
  const created = object.created ?? stixTimeOf(known.created) ?? LONG_AGO
  const updated = object.modified ?? stixTimeOf(known.modified)
  const modified = isLater(created, updated) ? created : updated
  const whole: PartialObject = { ...object, created, modified }
  if (needsName(type) && whole.name === undefined) whole.name = known.title
  const complete = { ...(MAKERS[type]?.(whole, known) ?? whole) }
  // Added properties may conflict with existing ones.
  for (const name of invalidProperties(complete)) delete complete[name]
  return complete
}

const MAKERS: Readonly<Record<string, (object: PartialObject, known: EntityContext) => PartialObject>> = {
  grouping: (object, { refs }) => ({
    context: 'unspecified',
    ...object,
    object_refs: listed(object.object_refs, refs),
  }),
  indicator: ({ pattern_version, ...object }, { observables, meta }) => ({
    valid_from: stixTimeOf(meta.estimated_threat_start_time) ?? object.created,
    ...object,
    ...(object.pattern === undefined
      ? { ...patternOf(observables), pattern_type: 'stix' }
      : { pattern_type: object.pattern_type ?? 'stix', ...(pattern_version !== undefined && { pattern_version }) }),
  }),
  location: completeLocation,
  malware: (object, { title }) => ({ is_family: false, ...(object.is_family === true && { name: title }), ...object }),
  'malware-analysis': (object, { title }) => ({
    product: title,
    ...(object.analysis_sco_refs === undefined && { result: 'unknown' }),
    ...object,
  }),
  note: (object, { title, description, refs }) => ({
    ...(object.content === undefined && { abstract: title }),
    content: typeof description === 'string' && description !== '' ? description : title,
    ...object,
    object_refs: listed(object.object_refs, refs),
  }),
  'observed-data': (object, { meta, refs }) => {
    const first_observed = object.first_observed ?? stixTimeOf(meta.estimated_threat_start_time) ?? object.created
    const last = object.last_observed ?? stixTimeOf(meta.estimated_observed_time) ?? object.created
    return {
      number_observed: 1,
      ...object,
      first_observed,
      last_observed: isLater(first_observed, last) ? first_observed : last,
      ...(object.objects === undefined && { object_refs: listed(object.object_refs, refs) }),
    }
  },
  opinion: (object, { refs }) => ({ opinion: 'neutral', ...object, object_refs: listed(object.object_refs, refs) }),
  report: (object, { refs }) => ({
    published: object.created,
    ...object,
    object_refs: listed(object.object_refs, refs),
  }),
  sighting: (object) => ({ sighting_of_ref: CORVUS.id, ...object }),
}

/** Whether objects of a type have an `object_refs` list. */
export const hasObjectRefs = (object: Readonly<Record<string, unknown>>): boolean =>
  ['grouping', 'note', 'observed-data', 'opinion', 'report'].includes(String(object.type)) &&
  object.objects === undefined

/** Appends references to a list. STIX does not allow empty lists, so an empty one refers to the platform instead. */
function listed(refs: unknown, more: readonly string[]): unknown[] {
  const all = [...new Set([...(Array.isArray(refs) ? refs : []), ...more])]
  return all.length > 0 ? all : [CORVUS.id]
}

/** Builds a pattern from the observables. If none can be compared, the pattern matches nothing that can occur in practice. */
function patternOf(observables: EntityContext['observables']): PartialObject {
  return { pattern: makePattern(observables) ?? "[x-corvus-observable:value = '']" }
}

/** STIX requires a location to have a country, a region, or both coordinates. */
function completeLocation(object: PartialObject): PartialObject {
  const { latitude, longitude, precision, ...place } = object
  const hasDegrees = latitude !== undefined && longitude !== undefined
  const degrees = hasDegrees ? { latitude, longitude, ...(precision !== undefined && { precision }) } : {}
  const hasLocation = hasDegrees || place.country !== undefined || place.region !== undefined
  return { ...(!hasLocation && { region: 'unknown' }), ...place, ...degrees }
}
