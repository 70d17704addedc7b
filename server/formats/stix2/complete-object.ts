import type { FoundObservable } from '../finding.ts'
import { CORVUS } from './extension.ts'
import { misfitsIn } from './faults.ts'
import { makePattern } from './make-pattern.ts'
import { needsName } from './properties.ts'
import { isLater, stixTimeOf } from './times.ts'

/** What is known of an entity beside its data. */
export interface Circumstances {
  readonly title: string
  readonly description?: unknown
  readonly created: string
  readonly modified: string
  readonly meta: Readonly<Record<string, unknown>>
  readonly observables: readonly Pick<FoundObservable, 'type' | 'value'>[]
  /** The ids of the objects that stand for observables which nothing else names. */
  readonly refs: readonly string[]
}

type Draft = Record<string, unknown>

const LONG_AGO = '1970-01-01T00:00:00.000Z'

/** Gives an object what STIX requires and the entity does not say, made of what else is known. */
export function completeObject(object: Draft, known: Circumstances): Draft {
  const type = String(object.type)
  const created = object.created ?? stixTimeOf(known.created) ?? LONG_AGO
  const updated = object.modified ?? stixTimeOf(known.modified)
  const modified = isLater(created, updated) ? created : updated
  const whole: Draft = { ...object, created, modified }
  if (needsName(type) && whole.name === undefined) whole.name = known.title
  const complete = { ...(MAKERS[type]?.(whole, known) ?? whole) }
  // What was added may not go together with what was there.
  for (const name of misfitsIn(complete)) delete complete[name]
  return complete
}

const MAKERS: Readonly<Record<string, (object: Draft, known: Circumstances) => Draft>> = {
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

/** Whether objects of a type have a list of the objects that they are about. */
export const hasObjectRefs = (object: Readonly<Record<string, unknown>>): boolean =>
  ['grouping', 'note', 'observed-data', 'opinion', 'report'].includes(String(object.type)) &&
  object.objects === undefined

/** References that were there, and more; a list that would be empty, which STIX does not allow, names the platform. */
function listed(refs: unknown, more: readonly string[]): unknown[] {
  const all = [...new Set([...(Array.isArray(refs) ? refs : []), ...more])]
  return all.length > 0 ? all : [CORVUS.id]
}

/** A pattern of the observables; where none can be compared, one that matches nothing that is ever seen. */
function patternOf(observables: Circumstances['observables']): Draft {
  return { pattern: makePattern(observables) ?? "[x-corvus-observable:value = '']" }
}

/** A place has a country, a region, or both its degrees. */
function completeLocation(object: Draft): Draft {
  const { latitude, longitude, precision, ...place } = object
  const hasDegrees = latitude !== undefined && longitude !== undefined
  const degrees = hasDegrees ? { latitude, longitude, ...(precision !== undefined && { precision }) } : {}
  const isSomewhere = hasDegrees || place.country !== undefined || place.region !== undefined
  return { ...(!isSomewhere && { region: 'unknown' }), ...place, ...degrees }
}
