import { isRecord } from '../../../../domain/record.ts'
import { isWebAddress } from '../../../../domain/web-address.ts'
import { type Json, listOf } from '../../../../formats/json/record.ts'
import { partsOf, typesOfAttribute } from '../../../../formats/misp/attribute-types.ts'
import { textOf } from '../../../../formats/misp/text-of.ts'
import { observableAmong } from '../../../../formats/observable-among.ts'
import type { Finding } from '../../function.ts'
import { tagFindings } from './tag-findings.ts'

/** Findings, and the types of attributes that cannot be shown. */
export interface Collected {
  readonly findings: Finding[]
  readonly leftOut: string[]
}

const RELATION = 'related-to'

/** Adds what an attribute says: links to observables, references, and its tags. */
export function collectAttribute(collected: Collected, attribute: unknown): void {
  if (!isRecord(attribute)) return void collected.leftOut.push('unknown')
  collected.findings.push(...tagFindings(attribute))
  const type = textOf(attribute, 'type')
  collectValue(collected, [type], textOf(attribute, 'value'), textOf(attribute, 'comment'))
  // The content of files is not stored.
  if (textOf(attribute, 'data') !== '') collected.leftOut.push(`${type} (content)`)
}

/** Adds a value that has one of several attribute types: the first that its form agrees with. */
export function collectValue(collected: Collected, types: readonly string[], value: string, comment = ''): void {
  const { findings, leftOut } = collected
  if (types.includes('link') && isWebAddress(value)) {
    findings.push({ kind: 'reference', url: value, ...(comment !== '' && { description: comment }) })
    return
  }
  for (const type of types) {
    const links = linksOf(type, value)
    if (links.length === 0) continue
    findings.push(...links)
    return
  }
  leftOut.push(types[0] || 'unknown')
}

function linksOf(type: string, value: string): Finding[] {
  return partsOf(type, value).flatMap((part): Finding[] => {
    const known = typesOfAttribute(part.type)
    if (!known) return []
    const found = observableAmong(known, part.value)
    return 'fault' in found ? [] : [{ kind: 'link', relation: RELATION, observable: found }]
  })
}

/** Adds what an object says: its attributes, and the vulnerability that it describes. Other objects are no entities here. */
export function collectObject(collected: Collected, object: unknown): void {
  if (!isRecord(object)) return void collected.leftOut.push('object')
  const attributes = listOf(object.Attribute)
  if (textOf(object, 'name') === 'vulnerability') collected.findings.push(...vulnerabilityIn(attributes))
  for (const attribute of attributes) collectAttribute(collected, attribute)
}

function vulnerabilityIn(attributes: readonly unknown[]): Finding[] {
  const textAt = (relation: string): string => {
    const found = attributes.filter(isRecord).find((each: Json) => textOf(each, 'object_relation') === relation)
    return found ? textOf(found, 'value') : ''
  }
  const id = textAt('id').toUpperCase()
  if (!/^CVE-\d{4}-\d{4,19}$/.test(id)) return []
  const description = textAt('summary') || textAt('description')
  return [{ kind: 'entity', type: 'exploit-target', id, title: id, ...(description !== '' && { description }) }]
}
