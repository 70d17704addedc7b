import { normaliseObservable } from '../../../domain/observables/normalise.ts'
import type { ObservableType } from '../../../domain/observables/types.ts'
import type { FoundAttachment, FoundObservable } from '../../finding.ts'
import { attributeOf, childOf, childrenOf, textOf, typeNameOf, type XmlElement } from '../../xml/xml-element.ts'
import { stixIdOf } from '../stix1-ids.ts'
import { typeByLooks, typeOfLeaf } from './cybox-leaves.ts'

/** What was read from a CybOX observable. */
export interface Observed {
  readonly observables: FoundObservable[]
  readonly attachments: FoundAttachment[]
  /** The ids of other observables, or of objects inside them, that it references. */
  readonly references: string[]
  readonly keywords: string[]
  /** Why values are not valid observables. */
  readonly faults: string[]
  /** Whether the fields above represent the observable completely. */
  isWhole: boolean
}

/** Reads a CybOX observable, object or event, and collects all values at any depth. */
export function observe(element: XmlElement): Observed {
  const keywords = keywordsOf(element)
  const seen: Observed = { observables: [], attachments: [], references: [], keywords, faults: [], isWhole: true }
  visit(element, element, seen)
  return seen
}

function keywordsOf(element: XmlElement): string[] {
  const list = childOf(element, 'Keywords')
  return list ? childrenOf(list).map(textOf) : []
}

/** The writer stores what STIX has no field for in keywords; this reads it back. */
function keywordEntries(keyword: string): [string, string][] {
  const [, name = '', value = ''] = /^(maliciousness|link_type)=(.{1,100})$/.exec(keyword) ?? []
  if (name === 'maliciousness' && !MALICIOUSNESS.has(value)) return []
  return name === '' ? [] : [[name, value]]
}

const MALICIOUSNESS = new Set(['unknown', 'safe', 'low', 'medium', 'high'])

/** Attributes that add nothing to the values. */
const IGNORED_ATTRIBUTES = new Set([
  'apply_condition',
  'category',
  'condition',
  'custom_name',
  'datatype',
  'delimiter',
  'id',
  'idref',
  'is_domain_name',
  'name',
  'object_reference',
  'operator',
  'type',
])

function visit(element: XmlElement, parent: XmlElement, seen: Observed): void {
  for (const attribute of ['idref', 'object_reference']) {
    const id = stixIdOf(element, attribute)
    if (id !== undefined) seen.references.push(id)
  }
  if (isTrue(attributeOf(element, 'negate'))) {
    seen.isWhole = false
    return
  }
  if (element.attributes.some(({ name, uri, value }) => uri === '' && !IGNORED_ATTRIBUTES.has(name) && !isFalse(value)))
    seen.isWhole = false
  const children = childrenOf(element)
  if (children.length === 0) visitLeaf(element, parent, seen)
  else if (element.name !== 'Keywords') visitInside(element, children, seen)
}

function visitInside(element: XmlElement, children: readonly XmlElement[], seen: Observed): void {
  const isConjunction = attributeOf(element, 'operator').toUpperCase() === 'AND'
  if (element.name === 'Observable_Composition' && isConjunction && children.length > 1) seen.isWhole = false
  const isRegistryKey = typeNameOf(element) === 'WindowsRegistryKeyObjectType' || element.name === 'Subkey'
  const start = seen.observables.length
  const taken = isRegistryKey ? visitRegistryKey(element, seen) : []
  for (const child of children) {
    // The name of a hash algorithm is already part of the observable type.
    const isNameOfHash = child.name === 'Type' && element.name === 'Hash'
    if (!isNameOfHash && !taken.includes(child)) visit(child, element, seen)
  }
  const said = Object.fromEntries(keywordsOf(element).flatMap(keywordEntries))
  if (Object.keys(said).length === 0) return
  for (let at = start; at < seen.observables.length; at++)
    seen.observables[at] = { ...(seen.observables[at] as FoundObservable), ...said }
}

/** The hive and the key of a registry entry form one value. */
function visitRegistryKey(element: XmlElement, seen: Observed): XmlElement[] {
  const [hive, key] = [childOf(element, 'Hive'), childOf(element, 'Key')]
  if (!key || !isEqual(key)) return []
  const start = textOf(hive)
  for (const path of valuesOf(key, 'winregistry')) {
    const isComplete = start === '' || path.toUpperCase().startsWith(start.toUpperCase())
    add('winregistry', isComplete ? path : `${start}\\${path.replace(/^\\+/, '')}`, key, seen)
  }
  return hive ? [hive, key] : [key]
}

function visitLeaf(leaf: XmlElement, parent: XmlElement, seen: Observed): void {
  const text = textOf(leaf)
  if (text === '') return
  if (leaf.name === 'Raw_Artifact') {
    visitArtifact(text, seen)
    return
  }
  const type = typeOfLeaf(leaf, parent, text)
  if (type === undefined) {
    seen.isWhole = false
    return
  }
  if (attributeOf(leaf, 'condition').toLowerCase() === 'inclusivebetween' && /^ipv[46]$/.test(type)) {
    add('inetnum', valuesOf(leaf, type).join(' - '), leaf, seen)
    return
  }
  if (!isEqual(leaf)) {
    seen.isWhole = false
    seen.faults.push(
      `${leaf.name} with the condition ${attributeOf(leaf, 'condition').slice(0, 40)} is not imported as an observable`,
    )
    return
  }
  for (const value of valuesOf(leaf, type)) add(type, value, leaf, seen)
}

function visitArtifact(text: string, seen: Observed): void {
  const bytes = Buffer.from(text, 'base64')
  if (/[^A-Za-z\d+/=\s]/.test(text) || bytes.length === 0) seen.isWhole = false
  else seen.attachments.push({ filename: `artifact-${seen.attachments.length + 1}`, bytes })
}

function add(type: ObservableType, value: string, leaf: XmlElement, seen: Observed): void {
  const alternative = typeByLooks(type, value)
  for (const [one, text] of [
    [type, value],
    [alternative, value],
    // Many producers omit the scheme if the type is a URL.
    [type === 'uri' && isWithoutScheme(value) ? type : undefined, `http://${value}`],
  ] as const) {
    const normalised = one && normaliseObservable(one, text)
    if (!normalised || 'fault' in normalised) continue
    if (text !== value) seen.isWhole = false
    seen.observables.push({ type: one, value: normalised.value })
    return
  }
  seen.isWhole = false
  seen.faults.push(`${leaf.name} '${value.slice(0, 80)}' is not a valid ${type} and is not imported as an observable`)
}

function isWithoutScheme(value: string): boolean {
  const host = value.slice(0, value.indexOf('/'))
  return host.includes('.') && !/[\s:]/.test(host)
}

/** Values of these types never contain a comma, and are often separated by nothing but commas. */
const WITHOUT_COMMA = /^(?:ipv|email$|mac-48$|domain$|host$|hash-(?!ssdeep)|port$|asn$)/

function valuesOf(leaf: XmlElement, type: ObservableType): string[] {
  const delimiter = attributeOf(leaf, 'delimiter') || '##comma##'
  const values = textOf(leaf).split(delimiter)
  const all = WITHOUT_COMMA.test(type) ? values.flatMap((value) => value.split(',')) : values
  return all.map((value) => value.trim()).filter((value) => value !== '')
}

function isEqual(leaf: XmlElement): boolean {
  const condition = attributeOf(leaf, 'condition').toLowerCase()
  return (condition === '' || condition === 'equals') && attributeOf(leaf, 'apply_condition').toUpperCase() !== 'NONE'
}

const isTrue = (value: string): boolean => value === 'true' || value === '1'
const isFalse = (value: string): boolean => value === 'false' || value === '0'
