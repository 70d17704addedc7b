import { definitionOf, observableTypeOf } from '../../../domain/observables/types.ts'
import { isRecord } from '../../../domain/record.ts'
import { type Json, listOf } from '../../json/record.ts'
import type { ShippedObservable } from '../../shipment.ts'
import { uuidOf } from '../../stix2/ids.ts'
import { textOf } from '../text-of.ts'

/** The attribute of observables whose type MISP does not have; a tag names the type. */
const OTHER = ['other', 'Other'] as const

/**
 * Converts an observable to an attribute. Its UUID depends on the event, because the same observable in two events gives two attributes.
 */
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

/** Defines a machine tag for information that MISP attributes have no field for. */
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

/** The observable type, if the attribute type is ambiguous. */
export const TYPE = machineTag('type')
/** The maliciousness of an observable. */
export const LEVEL = machineTag('maliciousness')
