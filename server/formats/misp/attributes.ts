import { type ObservableType, observableTypeOf } from '../../domain/observables/types.ts'
import type { FoundAttachment, FoundObservable } from '../finding.ts'
import { type Json, listOf } from '../json/record.ts'
import { type Maliciousness, maliciousnessNamed } from '../maliciousness.ts'
import { observableAmong } from '../observable-among.ts'
import { partsOf, typesOfAttribute } from './attribute-types.ts'
import { isTrue, textOf } from './text-of.ts'
import { LEVEL, TYPE } from './write/attribute-of.ts'

/** What an attribute contributes to the report of its event. */
export interface Read {
  readonly observables: readonly FoundObservable[]
  readonly attachments: readonly FoundAttachment[]
  readonly references: readonly Json[]
  /** Other contents, as text for the description. */
  readonly texts: readonly string[]
  readonly losses: readonly string[]
  /** Whether it contains more than its type and value, and is kept unchanged. */
  readonly hasContext: boolean
}

const NOTHING: Read = { observables: [], attachments: [], references: [], texts: [], losses: [], hasContext: false }

/** Types whose values are texts for people. */
const TEXTS = new Set(['comment', 'text', 'email-body'])

const CONTEXT = ['comment', 'first_seen', 'last_seen']

/** Reads an attribute. Attributes for detection are as malicious as the threat level of their event. */
export function readAttribute(attribute: Json, threat: Maliciousness): Read {
  const type = textOf(attribute, 'type')
  const value = textOf(attribute, 'value')
  const comment = textOf(attribute, 'comment')
  const hasContext =
    CONTEXT.some((name) => textOf(attribute, name) !== '') ||
    ['Sighting', 'Tag', 'Galaxy'].some((name) => listOf(attribute[name]).length > 0)
  if (value === '') return { ...NOTHING, losses: [`attribute ${nameOf(attribute)} has no value`] }
  if (type === 'link') {
    return {
      ...NOTHING,
      references: [{ source_name: 'misp', url: value, ...(comment ? { description: comment } : {}) }],
    }
  }
  if (TEXTS.has(type)) return { ...NOTHING, texts: [comment ? `${comment}: ${value}` : value] }
  const maliciousness = maliciousnessNamed(LEVEL.read(attribute)) ?? (isTrue(attribute.to_ids) ? threat : 'unknown')
  const { observables, losses } = observablesIn(attribute, type, value, maliciousness)
  const file = attachmentIn(attribute, type, value)
  return {
    ...NOTHING,
    observables,
    attachments: file && 'bytes' in file ? [file] : [],
    losses: file && 'fault' in file ? [...losses, file.fault] : losses,
    hasContext: hasContext || observables.length === 0,
  }
}

const nameOf = (attribute: Json): string =>
  `${textOf(attribute, 'uuid') || '?'} (${textOf(attribute, 'type').slice(0, 60)})`

function observablesIn(
  attribute: Json,
  type: string,
  value: string,
  maliciousness: Maliciousness,
): { readonly observables: FoundObservable[]; readonly losses: string[] } {
  const losses: string[] = []
  const observables = partsOf(type, value).flatMap((part): FoundObservable[] => {
    const types = namedTypes(attribute) ?? typesOfAttribute(part.type)
    // Types that are not observables here are kept unchanged, so nothing is lost.
    if (!types) return []
    const found = observableAmong(types, part.value)
    if (!('fault' in found)) return [{ ...found, maliciousness }]
    losses.push(`attribute ${nameOf(attribute)}: '${part.value.slice(0, 80)}' ${found.fault}`)
    return []
  })
  return { observables, losses }
}

/** Returns the observable types from our own tag, if the MISP type is ambiguous. */
function namedTypes(attribute: Json): readonly ObservableType[] | undefined {
  const type = observableTypeOf(TYPE.read(attribute) ?? '')
  return type === undefined ? undefined : [type]
}

/** Returns the file of an attribute. Malware samples stay zip files with the password `infected`. */
function attachmentIn(attribute: Json, type: string, value: string): FoundAttachment | { fault: string } | undefined {
  const { data } = attribute
  if (typeof data !== 'string' || data === '') return undefined
  const bytes = Buffer.from(data, 'base64')
  const isWhole = bytes.length >= Math.floor((data.replaceAll(/[\s=]/g, '').length * 3) / 4)
  if (!isWhole || bytes.length === 0) return { fault: `attribute ${nameOf(attribute)}: its data is not valid base64` }
  if (type !== 'malware-sample') return { filename: value, bytes }
  return { filename: `${partsOf(type, value)[0]?.value ?? value}.zip`, bytes }
}
