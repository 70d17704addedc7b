import type { FoundAttack } from '../finding.ts'
import { attacksOf } from './attacks.ts'
import { confidenceWord } from './confidence.ts'
import { type Extension, separateExtension } from './extension.ts'
import { entityTypeOf, stixIdOf, stixTypeOf } from './ids.ts'
import { fits } from './kinds.ts'
import { makeObject, type Source } from './make-object.ts'
import { colourOfObject, type Lookup } from './markings.ts'
import { remember } from './memory.ts'
import { isPlatformProperty } from './platform-properties.ts'
import { hasName, isDefined, kindOf } from './properties.ts'
import type { Fields, StixObject } from './stix-object.ts'
import { isLater, momentOf } from './times.ts'
import { titleOf } from './title.ts'

type Data = Source['data']

/** The entity data and meta read from an object. */
export interface ReadEntity {
  readonly data: Data
  readonly meta: Fields
  /** The attack nodes that the object implies; none if our extension lists them in `meta.attacks`. */
  readonly attacks: readonly FoundAttack[]
}

const FIXED = new Set(['type', 'id', 'spec_version'])

/** Maximum length of a tag. */
export const TAG_LIMIT = 500

/** Converts an object to an entity. Properties that would not survive a round trip are recorded in `data.stix`. */
export function readEntity(given: StixObject, lookup: Lookup): ReadEntity {
  const { object, extension } = separateExtension(given)
  const meta = metaOf(object, lookup)
  const plain = dataOf(object)
  const memory = remember(object.type, object, makeObject({ data: plain, meta, lookup }, object.type, object.id))
  const data: Data = memory ? { ...plain, stix: { properties: memory } } : plain
  const attacks = extension?.meta && Object.hasOwn(extension.meta, 'attacks') ? [] : attacksOf(object)
  if (!extension) return { data, meta, attacks }
  return { data: extended(data, object, extension), meta: merged(meta, extension.meta), attacks }
}

/** Merges the meta of an object with that of our extension, where null removes a value. */
const merged = (meta: Fields, more: Fields = {}): Fields =>
  Object.fromEntries(Object.entries({ ...meta, ...more }).filter(([, value]) => value !== null))

function dataOf(object: StixObject): Data {
  const type = entityTypeOf(object.type)
  const data: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(object)) if (isKept(object.type, type, name, value)) data[name] = value
  const { confidence } = object
  if (fits('percent', confidence)) data.confidence = confidenceWord(Number(confidence))
  else if (confidence === undefined) data.confidence = 'unknown'
  return {
    ...data,
    type,
    id: object.id,
    title: titleOf(object),
    ...(type === 'custom-entity' && { custom_entity_type: object.type }),
  }
}

/** Whether a property is stored in the entity's data. Others are stored elsewhere, or only recorded for the round trip. */
function isKept(type: string, entityType: string, name: string, value: unknown): boolean {
  if (FIXED.has(name) || name === '__proto__') return false
  if (name === 'name') return !(hasName(type) && typeof value === 'string')
  if (name === 'labels') return !fits('texts', value)
  if (isPlatformProperty(entityType, name)) return kindOf(type, name) !== undefined
  // STIX allows neither null nor empty lists, so these carry no information.
  return !(isDefined(type) && (value === null || (Array.isArray(value) && value.length === 0)))
}

function metaOf(object: StixObject, lookup: Lookup): Fields {
  const tlp_color = colourOfObject(object, lookup)
  const tags = fits('texts', object.labels) ? tagsOf(object.labels as string[]) : []
  const start = firstTime(object.valid_from, object.first_seen, object.first_observed, object.published, object.created)
  const end = firstTime(object.valid_until, object.last_seen, object.last_observed)
  const observed = firstTime(object.last_observed, object.last_seen, object.created)
  return {
    ...(tlp_color && { tlp_color }),
    ...(tags.length > 0 && { tags }),
    ...(start && { estimated_threat_start_time: start }),
    ...(end && !isLater(start, end) && { estimated_threat_end_time: end }),
    ...(observed && { estimated_observed_time: observed }),
  }
}

/** Converts labels to tags: trimmed and without duplicates. */
const tagsOf = (labels: readonly string[]): string[] => [
  ...new Set(labels.map((label) => label.trim()).filter((label) => label !== '' && label.length <= TAG_LIMIT)),
]

const firstTime = (...values: readonly unknown[]): string | undefined => {
  for (const value of values) {
    const moment = momentOf(value)
    if (moment) return moment
  }
  return undefined
}

/** Merges the data with that of our extension, as far as the extension still describes the same object. */
function extended(data: Data, object: StixObject, { data: more, absent = [] }: Extension): Data {
  const whole: Record<string, unknown> = { ...data, ...more }
  for (const name of absent) delete whole[name]
  const { type, id, title } = whole
  if (typeof type !== 'string' || typeof id !== 'string' || typeof title !== 'string') return data
  const said = { ...whole, type, id, title }
  return stixTypeOf(said) === object.type && stixIdOf(id, object.type) === object.id ? said : data
}
