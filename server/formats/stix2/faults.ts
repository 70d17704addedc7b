import { isRecord } from '../../domain/record.ts'
import { textFrom } from '../../domain/text-from.ts'
import { CYBER, CYBER_COMMON, type Form, SUPPORTING } from './cyber-properties.ts'
import { isStixId, isTypeName } from './ids.ts'
import { fits, type Kind } from './kinds.ts'
import { KNOWN_EXTENSIONS } from './known-extensions.ts'
import { predefinedMarking } from './markings.ts'
import { parsePattern } from './pattern.ts'
import { COMMON, isCustomProperty, isDefined, isValidProperty, needsName } from './properties.ts'
import { type Fields, isSameJson } from './stix-object.ts'
import { isLater } from './times.ts'

/** Whether an object is valid according to the STIX 2.1 schemas, and is therefore accepted by strict readers. */
export function isValidObject(object: Fields): boolean {
  const { type, id } = object
  if (typeof type !== 'string' || !isTypeName(type) || !isStixId(id, type)) return false
  if (object.spec_version !== '2.1' && (isVersioned(object) || object.spec_version !== undefined)) return false
  return isWhole(object) && invalidProperties(object).length === 0
}

/**
 * Names the properties that make an object invalid, either by their own values or in combination with others. If two properties conflict,
 * the optional one is returned.
 */
export function invalidProperties(object: Fields): string[] {
  const type = textFrom(object.type)
  const names = Object.keys(object).filter((name) => !FIXED.has(name) && object[name] !== undefined)
  const unfit = names.filter((name) => !isFitting(type, name, object[name]))
  return [...unfit, ...contradictions(object).filter((name) => object[name] !== undefined && !unfit.includes(name))]
}

const FIXED = new Set(['type', 'id', 'spec_version'])

/** Whether a property with this value is allowed in objects of a type. */
export function isFitting(type: string, name: string, value: unknown): boolean {
  if (type === 'observed-data' && name === 'objects')
    return isRecord(value) && Object.keys(value).length > 0 && Object.values(value).every(isCyberObservable)
  const form = formOf(type)
  if (!form) return isValidProperty(type, name, value)
  const kind = Object.hasOwn(form.kinds, name) ? form.kinds[name] : commonKind(type, name)
  if (kind === undefined) return isCustomProperty(name, value)
  return fits(kind, value) && (kind !== 'extensions' || areKnown(value))
}

const isCyberObservable = (value: unknown): boolean =>
  isRecord(value) && formOf(textFrom(value.type)) !== undefined && isValidObject(value)

const formOf = (type: string): Form | undefined =>
  Object.hasOwn(CYBER, type) ? CYBER[type] : Object.hasOwn(SUPPORTING, type) ? SUPPORTING[type] : undefined

function commonKind(type: string, name: string): Kind | undefined {
  if (Object.hasOwn(CYBER, type) && Object.hasOwn(CYBER_COMMON, name)) return CYBER_COMMON[name]
  // Definitions and translations share the common properties of domain objects. In cyber observables these names are custom properties,
  // but strict readers still expect them to have their usual form.
  return Object.hasOwn(COMMON, name) ? COMMON[name] : undefined
}

/** Whether the extensions that STIX predefines have valid contents. */
const areKnown = (extensions: unknown): boolean =>
  Object.entries(extensions as Fields).every(([name, extension]) => {
    const form = Object.hasOwn(KNOWN_EXTENSIONS, name) ? KNOWN_EXTENSIONS[name] : undefined
    if (!form || !isRecord(extension)) return true
    const isFine = ([key, value]: [string, unknown]): boolean => {
      const kind = Object.hasOwn(form.kinds, key) ? form.kinds[key] : undefined
      return kind === undefined || fits(kind, value)
    }
    return has(extension, form) && Object.entries(extension).every(isFine)
  })

const has = (object: Fields, { all = [], any = [] }: Pick<Form, 'all' | 'any'>): boolean =>
  all.every((name) => object[name] !== undefined) &&
  (any.length === 0 || any.some((name) => object[name] !== undefined))

/** Whether objects of a type have versions. Cyber observables and markings do not. */
const isVersioned = ({ type, created, modified }: Fields): boolean =>
  type !== 'marking-definition' &&
  (Object.hasOwn(SUPPORTING, textFrom(type)) ||
    isDefined(textFrom(type)) ||
    (!Object.hasOwn(CYBER, textFrom(type)) && (created !== undefined || modified !== undefined)))

/** Required properties of domain objects, other than the name. */
const REQUIRED: Readonly<Record<string, readonly string[]>> = {
  grouping: ['context', 'object_refs'],
  indicator: ['pattern', 'pattern_type', 'valid_from'],
  malware: ['is_family'],
  'malware-analysis': ['product'],
  note: ['content', 'object_refs'],
  'observed-data': ['first_observed', 'last_observed', 'number_observed'],
  opinion: ['object_refs', 'opinion'],
  relationship: ['relationship_type', 'source_ref', 'target_ref'],
  report: ['published', 'object_refs'],
  sighting: ['sighting_of_ref'],
}

/** Properties of which a domain object must have at least one. */
const CHOICES: Readonly<Record<string, readonly string[]>> = {
  location: ['country', 'latitude', 'region'],
  'malware-analysis': ['analysis_sco_refs', 'result'],
  'observed-data': ['object_refs', 'objects'],
}

function isWhole(object: Fields): boolean {
  const type = textFrom(object.type)
  if (type === 'marking-definition') return isMarking(object)
  const form = formOf(type)
  if (form && !has(object, form)) return false
  if (!isVersioned(object)) return true
  const isFamily = type === 'malware' && object.is_family === true
  return (
    has(object, { all: ['created', 'modified', ...(REQUIRED[type] ?? [])], any: CHOICES[type] ?? [] }) &&
    (object.name !== undefined || !(needsName(type) || isFamily))
  )
}

/** Predefined markings must match their definition exactly. Others are statements, another kind of marking, or extensions. */
function isMarking(object: Fields): boolean {
  const { id, definition, definition_type, extensions, name, created } = object
  const predefined = predefinedMarking(textFrom(id))
  if (predefined) return isSameJson(object, predefined)
  if (object.spec_version !== '2.1' || !fits('time', created) || !(name === undefined || fits('text', name)))
    return false
  if (definition === undefined && definition_type === undefined) return extensions !== undefined
  if (definition_type === 'statement') return isRecord(definition) && fits('text', definition.statement)
  return fits('text', definition_type) && !/^statement|tlp$/.test(textFrom(definition_type)) && isRecord(definition)
}

/** The second time must not be before the first. Where marked as strict, the two must not be equal either. */
const ORDERED = [
  ['created', 'modified', false],
  ['first_seen', 'last_seen', false],
  ['first_observed', 'last_observed', false],
  ['valid_from', 'valid_until', true],
  ['start_time', 'stop_time', true],
  ['start', 'end', false],
  ['analysis_started', 'analysis_ended', false],
  ['validity_not_before', 'validity_not_after', false],
] as const

function contradictions(object: Fields): string[] {
  const disordered = ORDERED.filter(([first, second, isStrict]) => {
    const [one, other] = [object[first], object[second]]
    if (!fits('time', one) || !fits('time', other)) return false
    return isStrict ? !isLater(other, one) : isLater(one, other)
  }).map(([, second]) => second)
  return [...disordered, ...(CONFLICTS[textFrom(object.type)]?.(object) ?? []), ...unresolved(object)]
}

/** Returns the properties that conflict with each other, by object type. */
const CONFLICTS: Readonly<Record<string, (object: Fields) => string[]>> = {
  artifact: ({ payload_bin, hashes, encryption_algorithm }) => [
    ...(payload_bin !== undefined || hashes === undefined ? ['url'] : []),
    ...(encryption_algorithm === undefined ? ['decryption_key'] : []),
  ],
  'email-message': ({ is_multipart }) => [is_multipart === true ? 'body' : 'body_multipart'],
  'extension-definition': ({ extension_types }) =>
    Array.isArray(extension_types) && extension_types.includes('toplevel-property-extension')
      ? []
      : ['extension_properties'],
  indicator: ({ pattern, pattern_type }) =>
    (pattern_type === 'stix' || pattern_type === undefined) &&
    typeof pattern === 'string' &&
    'fault' in parsePattern(pattern)
      ? ['pattern']
      : [],
  location: ({ latitude, longitude }) => {
    if (latitude === undefined || longitude === undefined) return ['latitude', 'longitude', 'precision']
    return []
  },
  'network-traffic': ({ is_active }) => (is_active === true ? ['end'] : []),
  'observed-data': ({ object_refs }) => (object_refs === undefined ? [] : ['objects']),
}

/** Strict readers reject granular markings with selectors that match nothing. */
function unresolved(object: Fields): string[] {
  const { granular_markings: markings } = object
  if (!fits('markings', markings)) return []
  const selectors = (markings as Fields[]).flatMap(({ selectors }) => selectors as string[])
  return selectors.every((selector) => isIn(object, selector)) ? [] : ['granular_markings']
}

function isIn(object: Fields, selector: string): boolean {
  let value: unknown = object
  for (const step of selector.split('.')) {
    const index = /^\[(\d+)\]$/.exec(step)?.[1]
    if (index !== undefined) value = Array.isArray(value) ? value[Number(index)] : undefined
    else value = isRecord(value) && Object.hasOwn(value, step) ? value[step] : undefined
    if (value === undefined) return false
  }
  return true
}
