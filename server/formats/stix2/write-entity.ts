import { isRecord } from '../../domain/record.ts'
import type { AttackVocabulary } from '../attack-words.ts'
import type { ShippedEntity, ShippedObservable } from '../shipment.ts'
import { attackProperties } from './attacks.ts'
import { completeObject, hasObjectRefs } from './complete-object.ts'
import { isContainer } from './container.ts'
import { difference, type ExtendedObservable, withExtension } from './extension.ts'
import { isValidObject } from './faults.ts'
import { stixIdOf, stixTypeOf } from './ids.ts'
import { namedWith } from './kept.ts'
import { makeObject } from './make-object.ts'
import { makeObservable } from './make-observable.ts'
import { recall } from './memory.ts'
import { readEntity } from './read-entity.ts'
import { relationId } from './relation-id.ts'
import { type Fields, isSameJson, type StixObject, textsIn } from './stix-object.ts'
import { isLater, stixTimeOf } from './times.ts'

/** The objects written for an entity: its own, and those for observables that no other object names. */
export interface WrittenEntity {
  readonly object: StixObject
  readonly others: readonly StixObject[]
}

/** Converts an entity to STIX objects. `invalid` are kept objects that can only be stored in the extension. */
export function writeEntity(
  entity: ShippedEntity,
  attacks: AttackVocabulary,
  invalid: readonly StixObject[] = [],
): WrittenEntity {
  const { data, meta, observables } = entity
  const kept = new Map(entity.kept.map(({ id, object }) => [id, object]))
  const lookup = (id: string): Fields | undefined => kept.get(id)
  const type = stixTypeOf(data)
  const memory = isRecord(data.stix) ? data.stix.properties : undefined
  const plain = recall(type, makeObject({ data, meta, lookup }, type, stixIdOf(data.id, type)), memory)
  const draft = { ...plain, ...attackProperties(plain, meta.attacks, attacks) }
  const hasRefs = hasObjectRefs(draft)
  const made = objectsFor(notIn(observables, namedWith(draft, entity.kept).observables))
  const fillers = type === 'observed-data' && isEmpty(draft) && made.size === 0 ? [filler(data.title)] : []
  const held = isContainer(data) ? entity.kept : []
  const refs = hasRefs ? [...held, ...made.values(), ...fillers].map(({ id }) => id) : []
  const known = { ...entity, title: data.title, description: data.description, refs }
  const object = validOf(draft, (fields) => completeObject(fields, known))
  // A pattern made of observables already names them.
  for (const one of isIn(made.keys(), namedWith(object, entity.kept).observables)) made.delete(one)
  const reading = readEntity(object as StixObject, lookup)
  const whole = withExtension(object, {
    ...difference(data, reading.data),
    meta: { ...metaDifference(meta, reading.meta), ...attackDifference(meta, attacks.idsOf(reading.attacks)) },
    observables: observables.flatMap((one) => extendedObservable(one, made.get(one)?.id)),
    fillers: fillers.map(({ id }) => id),
    kept: invalid,
  }) as StixObject
  const relations = hasRefs || type === 'sighting' ? [] : [...made.values()].map((one) => relationTo(whole, one))
  return { object: withdrawn(whole, entity), others: [...fillers, ...made.values(), ...relations] }
}

/**
 * An entity that was withdrawn in the platform gets a revoked version with a later timestamp. All later versions, including those after the
 * withdrawal is undone, must be newer than that one; otherwise consumers would ignore them.
 */
function withdrawn(object: StixObject, { meta, last_updated_at, was_withdrawn = false }: ShippedEntity): StixObject {
  const isMarked = meta.is_withdrawn === true && object.revoked !== true
  if (!isMarked && !was_withdrawn) return object
  const changed = stixTimeOf(last_updated_at)
  return {
    ...object,
    ...(isLater(changed, object.modified) && { modified: changed }),
    ...(isMarked && { revoked: true }),
  }
}

/** Completes an object. If it is still not valid STIX, it is reduced to the required properties, and the extension holds the rest. */
function validOf(draft: Record<string, unknown>, complete: (fields: Record<string, unknown>) => Fields): Fields {
  const whole = complete(draft)
  if (isValidObject(whole)) return whole
  const { type, spec_version, id, object_marking_refs } = draft
  return complete({ type, spec_version, id, ...(object_marking_refs !== undefined && { object_marking_refs }) })
}

const objectsFor = (observables: readonly ShippedObservable[]): Map<ShippedObservable, StixObject> =>
  new Map(observables.map((one) => [one, makeObservable(one)]))

const isEmpty = (object: Fields): boolean => object.object_refs === undefined && object.objects === undefined

/** STIX does not allow empty observed data, so their title becomes the only object. */
const filler = (title: string): StixObject => makeObservable({ type: 'name', value: title })

type Named = readonly { readonly type: string; readonly value: string }[]

const keyOf = ({ type, value }: Named[number]): string => `${type} ${value}`

function isIn(observables: Iterable<ShippedObservable>, named: Named): ShippedObservable[] {
  const known = new Set(named.map(keyOf))
  return [...observables].filter((one) => known.has(keyOf(one)))
}

function notIn(observables: readonly ShippedObservable[], named: Named): ShippedObservable[] {
  const known = new Set(named.map(keyOf))
  return observables.filter((one) => !known.has(keyOf(one)))
}

/** The extension entry of an observable: everything STIX cannot express, and the object written for it. */
function extendedObservable(observable: ShippedObservable, ref: string | undefined): ExtendedObservable[] {
  const { type, value, link_type, meta } = observable
  const { maliciousness } = meta as { readonly maliciousness?: ExtendedObservable['maliciousness'] }
  const isJudged = maliciousness !== undefined && maliciousness !== 'unknown'
  if (!ref && !isJudged && link_type === null) return []
  return [
    { type, value, ...(isJudged && { maliciousness }), ...(link_type !== null && { link_type }), ...(ref && { ref }) },
  ]
}

/** Meta fields that cannot be derived from any object. */
const OWN_META = ['alias', 'generated_by', 'source_reliability'] as const
const TIMES = ['estimated_threat_start_time', 'estimated_threat_end_time', 'estimated_observed_time'] as const

function metaDifference(meta: Fields, read: Fields): Fields {
  const hasValue = (value: unknown): boolean =>
    !(value === undefined || value === null || value === '' || isSameJson(value, []))
  const own = OWN_META.filter((name) => hasValue(meta[name]) && !isSameJson(meta[name], read[name]))
  const times = TIMES.filter((name) => stixTimeOf(meta[name]) !== stixTimeOf(read[name]))
  return Object.fromEntries([...own, ...times].map((name) => [name, meta[name] ?? null]))
}

/** The attack nodes of an entity, unless its object implies the same. */
function attackDifference({ attacks }: Fields, implied: readonly string[]): Fields {
  const meant = new Set(textsIn(attacks))
  const isSame = meant.size === implied.length && implied.every((id) => meant.has(id))
  return isSame ? {} : { attacks: [...meant] }
}

/** Creates the relationship between an object and an observable that the object cannot reference otherwise. */
function relationTo(object: StixObject, observable: StixObject): StixObject {
  const { created, modified, object_marking_refs } = object
  return {
    type: 'relationship',
    spec_version: '2.1',
    id: relationId(object.id, observable.id),
    created,
    modified,
    relationship_type: 'related-to',
    source_ref: object.id,
    target_ref: observable.id,
    ...(object_marking_refs !== undefined && { object_marking_refs }),
  }
}
