import { definitionOf, observableTypeOf } from '../../../domain/observables/types.ts'
import { isRecord } from '../../../domain/record.ts'
import { type Json, listOf } from '../../json/record.ts'
import type { ShippedObservable } from '../../shipment.ts'
import { uuidOf } from '../../stix2/ids.ts'
import { textOf } from '../text-of.ts'

/** What observables are whose type MISP has no attributes for: a tag names the type. */
const OTHER = ['other', 'Other'] as const

/** What an observable is in an event, whose UUID its own depends on: the same one in two events is two attributes. */
export function attributeOf(observable: ShippedObservable, event: string, comment: string, timestamp: string): Json {
  const { type, value, meta } = observable
  const known = observableTypeOf(type)
  const { misp = OTHER, isTaggedInMisp } = known ? definitionOf(known) : {}
  const [kind, category] = misp
  const level = String(meta.maliciousness ?? 'unknown')
  const tags = [
    ...(misp === OTHER || isTaggedInMisp ? [TYPE.write(type)] : []),
    ...(level === 'unknown' ? [] : [LEVEL.write(level)]),
  ]
  return {
    uuid: uuidOf('misp-attribute', event, type, value),
    type: kind,
    category,
    value,
    to_ids: DETECTED.has(level),
    comment,
    timestamp,
    ...(tags.length > 0 ? { Tag: tags.map((name) => ({ name })) } : {}),
  }
}

const DETECTED = new Set(['low', 'medium', 'high'])

/** A machine tag of ours on attributes: MISP has no field for what it says. */
const machineTag = (predicate: string) => ({
  write: (value: string): string => `corvus:${predicate}="${value}"`,
  read(attribute: Json): string | undefined {
    const start = `corvus:${predicate}="`
    const names = listOf(attribute.Tag)
      .filter(isRecord)
      .map((tag) => textOf(tag, 'name'))
    return names.find((name) => name.startsWith(start) && name.endsWith('"'))?.slice(start.length, -1)
  },
})

/** The type of an observable where that of the attribute does not tell. */
export const TYPE = machineTag('type')
/** How malicious an observable is. */
export const LEVEL = machineTag('maliciousness')
