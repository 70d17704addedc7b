import { isRecord } from '../../domain/record.ts'
import { isObservableType } from './cyber-observables.ts'
import { uuidOf } from './ids.ts'
import { observableId } from './observable-ids.ts'
import { isDefined } from './properties.ts'
import { referencesOf } from './references.ts'
import { type StixObject, textsIn } from './stix-object.ts'

/** The STIX 2.1 property that replaces the labels of each STIX 2.0 type. */
const LABELLED: Readonly<Record<string, string>> = {
  identity: 'roles',
  indicator: 'indicator_types',
  malware: 'malware_types',
  report: 'report_types',
  'threat-actor': 'threat_actor_types',
  tool: 'tool_types',
}

/** A STIX 2.1 object, and the objects that were nested in it. */
export interface Upgraded {
  readonly object: StixObject
  readonly inner: readonly StixObject[]
}

/** Upgrades a STIX 2.0 object to 2.1. STIX 2.1 objects are returned unchanged. */
export function upgrade(object: StixObject): Upgraded {
  if (!isOld(object)) return { object, inner: [] }
  const listed = LABELLED[object.type]
  const labels = textsIn(object.labels)
  const current = {
    ...object,
    spec_version: '2.1',
    ...(listed && labels.length > 0 && object[listed] === undefined && { [listed]: labels }),
    ...(object.type === 'indicator' && object.pattern_type === undefined && { pattern_type: 'stix' }),
    ...(object.type === 'malware' && object.is_family === undefined && { is_family: false }),
  }
  return object.type === 'observed-data' ? takeOut(current) : { object: current, inner: [] }
}

/** Only STIX 2.1 cyber observables may omit `spec_version`. */
const isOld = ({ spec_version, type, created }: StixObject): boolean =>
  spec_version === '2.0' ||
  (spec_version === undefined && !isObservableType(type) && (created !== undefined || isDefined(type)))

/** Converts the cyber observables inside observed data, which reference each other by key, to separate objects. */
function takeOut(observed: StixObject): Upgraded {
  const { objects, ...rest } = observed
  if (!isRecord(objects)) return { object: observed, inner: [] }
  const inside = Object.entries(objects).filter(
    (entry): entry is [string, Record<string, unknown> & { type: string }] =>
      isRecord(entry[1]) && typeof entry[1].type === 'string',
  )
  const ids = new Map(inside.map(([key, object]) => [key, idOf(observed.id, key, object)]))
  const inner = inside.map(([key, object]) => ({
    ...(resolved('', object, ids) as Record<string, unknown>),
    type: object.type,
    spec_version: '2.1',
    id: String(ids.get(key)),
  }))
  const refs = [...new Set([...textsIn(observed.object_refs), ...ids.values()])]
  return { object: { ...rest, ...(refs.length > 0 && { object_refs: refs }) } as StixObject, inner }
}

/**
 * The id derives from the contents unless the object references others: their ids would be needed first, and references may be circular.
 */
const idOf = (
  owner: string,
  key: string,
  object: Readonly<Record<string, unknown>> & { readonly type: string },
): string =>
  referencesOf(object).length === 0 ? observableId(object) : `${object.type}--${uuidOf(owner, 'objects', key)}`

function resolved(name: string, value: unknown, ids: ReadonlyMap<string, string>): unknown {
  if (typeof value === 'string')
    return name.endsWith('_ref') || name.endsWith('_refs') ? (ids.get(value) ?? value) : value
  if (Array.isArray(value)) return value.map((item) => resolved(name, item, ids))
  if (!isRecord(value)) return value
  return Object.fromEntries(Object.entries(value).map(([inner, member]) => [inner, resolved(inner, member, ids)]))
}
