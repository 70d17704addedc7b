import { isRecord } from '../../domain/record.ts'
import { confidenceNumber } from './confidence.ts'
import { misfitsIn } from './faults.ts'
import { referenceOf } from './ids.ts'
import { fits, isExtension, isReference, type Kind } from './kinds.ts'
import { type Lookup, markingRefs } from './markings.ts'
import { isPlatformProperty } from './platform-properties.ts'
import { hasName, isCustomProperty, kindOf } from './properties.ts'
import { type Fields, textsIn } from './stix-object.ts'
import { stixTimeOf } from './times.ts'

/** An entity, as far as an object of STIX is made of it. */
export interface Source {
  readonly data: Fields & { readonly type: string; readonly title: string; readonly id: string }
  readonly meta: Fields
  /** Finds what is kept with the entity. */
  readonly lookup: Lookup
}

const FIXED = new Set(['type', 'spec_version', 'id'])

/** The object of STIX that says what an entity says, as far as STIX has a place for it. What it requires may be missing. */
export function makeObject({ data, meta, lookup }: Source, type: string, id: string): Record<string, unknown> {
  const object: Record<string, unknown> = { type, spec_version: '2.1', id }
  // What did not fit the platform's own forms was put aside by who stored it.
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
  for (const name of misfitsIn(object)) delete object[name]
  setMarkings(object, meta.tlp_color, lookup)
  return object
}

/** Gives an object the markings of its colour in the platform. */
export function setMarkings(object: Record<string, unknown>, colour: unknown, lookup: Lookup): void {
  const markings = markingRefs(object, colour, lookup)
  if (markings.length > 0) object.object_marking_refs = markings
  else delete object.object_marking_refs
}

/** The value of a property as STIX takes it; undefined where it has no place there. */
export function fittingValue(type: string, name: string, value: unknown): unknown {
  const kind = kindOf(type, name)
  if (!kind) return isCustomProperty(name, value) ? value : undefined
  if (fits(kind, value)) return value
  const converted = inForm(kind, value)
  return fits(kind, converted) ? converted : undefined
}

/** A value in the form that STIX has for it; the platform's records of a vocabulary become their words. */
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

/** Those of a list of ids that lead where they may, in the form that they have in STIX 2. */
const referencesOf = (kind: Kind, value: unknown): string[] =>
  textsIn(value)
    .flatMap((id) => referenceOf(id) ?? [])
    .filter((id) => fits(kind, [id]))

/** A reference without an address that is no URI; the rest of it may still tell. */
function withoutAddress(reference: unknown): unknown {
  if (isReference(reference) || !isRecord(reference)) return reference
  const { url: _, ...rest } = reference
  return rest
}

const wordOf = (value: unknown): unknown => (isRecord(value) ? value.value : value)
