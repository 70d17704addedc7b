import { isRecord } from '../../domain/record.ts'
import { confidenceNumber } from './confidence.ts'
import { invalidProperties } from './faults.ts'
import { referenceOf } from './ids.ts'
import { fits, isExtension, isReference, type Kind } from './kinds.ts'
import { type Lookup, markingRefs } from './markings.ts'
import { isPlatformProperty } from './platform-properties.ts'
import { hasName, isCustomProperty, kindOf } from './properties.ts'
import { type Fields, textsIn } from './stix-object.ts'
import { stixTimeOf } from './times.ts'

/** The parts of an entity from which a STIX object is made. */
export interface Source {
  readonly data: Fields & { readonly type: string; readonly title: string; readonly id: string }
  readonly meta: Fields
  /** Finds an object kept with the entity. */
  readonly lookup: Lookup
}

const FIXED = new Set(['type', 'spec_version', 'id'])

/** Converts an entity to a STIX object, as far as STIX can express it. Required properties may be missing. */
export function makeObject({ data, meta, lookup }: Source, type: string, id: string): Record<string, unknown> {
  const object: Record<string, unknown> = { type, spec_version: '2.1', id }
  // Values that did not fit the platform's schema were moved to `as_sent` when the entity was stored.
  const aside = isRecord(data.as_sent) ? data.as_sent : {}
  for (const [name, value] of [...Object.entries(data), ...Object.entries(aside)]) {
    if (FIXED.has(name) || (isPlatformProperty(data.type, name) && kindOf(type, name) === undefined)) continue
    const fitting = fittingValue(type, name, value)
    if (fitting !== undefined) object[name] = fitting
  }
  if (hasName(type) && object.name === undefined) object.name = data.title
  const labels = [...new Set([...textsIn(data.labels), ...textsIn(meta.tags)])]
  if (labels.length > 0) object.labels = labels
  const confidence = confidenceNumber(data.confidence)
  if (confidence !== undefined) object.confidence = confidence
  for (const name of invalidProperties(object)) delete object[name]
  setMarkings(object, meta.tlp_color, lookup)
  return object
}

/** Sets the markings of an object according to its TLP colour in the platform. */
export function setMarkings(object: Record<string, unknown>, colour: unknown, lookup: Lookup): void {
  const markings = markingRefs(object, colour, lookup)
  if (markings.length > 0) object.object_marking_refs = markings
  else delete object.object_marking_refs
}

/** Converts a property value to the form STIX requires; undefined if STIX has no place for it. */
export function fittingValue(type: string, name: string, value: unknown): unknown {
  const kind = kindOf(type, name)
  if (!kind) return isCustomProperty(name, value) ? value : undefined
  if (fits(kind, value)) return value
  const converted = inForm(kind, value)
  return fits(kind, converted) ? converted : undefined
}

/** Converts a value to the form of a property kind. Vocabulary records become plain words. */
function inForm(kind: Kind, value: unknown): unknown {
  if (kind.startsWith('ids')) return referencesOf(kind, value)
  if (kind.startsWith('id')) return typeof value === 'string' ? referenceOf(value) : value
  switch (kind) {
    case 'extensions':
      return isRecord(value)
        ? Object.fromEntries(Object.entries(value).filter(([name, extension]) => isExtension(name, extension)))
        : value
    case 'stamp':
    case 'time':
      return stixTimeOf(value)
    case 'text':
      return wordOf(value)
    case 'texts':
      return Array.isArray(value) ? value.map(wordOf) : value
    case 'references':
      return Array.isArray(value) ? value.map(withoutAddress).filter(isReference) : value
    default:
      return value
  }
}

/** Keeps the ids that may be referenced by this kind of property, converted to STIX 2. */
const referencesOf = (kind: Kind, value: unknown): string[] =>
  textsIn(value)
    .flatMap((id) => referenceOf(id) ?? [])
    .filter((id) => fits(kind, [id]))

/** Drops the URL of an external reference if it is not a valid URI, and keeps the rest. */
function withoutAddress(reference: unknown): unknown {
  if (isReference(reference) || !isRecord(reference)) return reference
  const { url: _, ...rest } = reference
  return rest
}

const wordOf = (value: unknown): unknown => (isRecord(value) ? value.value : value)
