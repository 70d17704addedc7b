import type { Finding, FoundAttachment, FoundObservable, FoundRelationship } from '../../finding.ts'
import { childOf, childrenOf, textOf, type XmlElement } from '../../xml/xml-element.ts'
import { xmlText } from '../../xml/xml-text.ts'
import { claim } from './claim.ts'
import type { Handling } from './handling.ts'
import { append, type Json } from './json.ts'
import { observe } from './observe.ts'
import type { Survey } from './survey.ts'
import type { Taken } from './taken.ts'

/** What reading one document has come to. */
export interface Reading {
  readonly survey: Survey
  /** By id, so that what is said twice comes once. */
  readonly relationships: Map<string, { readonly at: string; readonly relationship: FoundRelationship }>
  readonly findings: Finding[]
  /** The ids that have come already, each with a digest of what it stands for; '' for packages. */
  readonly known: Map<string, string>
  /** How many references to observables may still be followed. */
  budget: number
}

/** What holds for everything in a package. */
export interface Setting {
  readonly namespace: string
  readonly handling: Handling
  readonly information_source: Json | undefined
}

/** An entity while its component is read. */
export interface Draft {
  readonly element: XmlElement
  readonly at: string
  readonly id: string
  readonly type: string
  readonly reading: Reading
  readonly setting: Setting
  readonly taken: Taken
  readonly data: Json
  readonly observables: FoundObservable[]
  readonly attachments: FoundAttachment[]
  /** The XML of observables that say more than their values. */
  readonly kept: string[]
  readonly losses: string[]
}

/** An entity to be read out of an element. */
export const draftOf = (
  element: XmlElement,
  at: string,
  id: string,
  type: string,
  reading: Reading,
  setting: Setting,
): Draft => ({
  element,
  at,
  id,
  type,
  reading,
  setting,
  taken: new Set(),
  data: {},
  observables: [],
  attachments: [],
  kept: [],
  losses: [],
})

/** A report has its title and so on in a header. */
export const headerOf = (element: XmlElement): XmlElement | undefined =>
  element.name === 'Report' ? childOf(element, 'Header') : element

/** Sets a field unless there is nothing to say. */
export function set(draft: Draft, field: string, value: unknown): void {
  const given = Array.isArray(value) ? value.filter((item) => item !== undefined) : value
  if (given === undefined || given === '' || (Array.isArray(given) && given.length === 0)) return
  draft.data[field] = given
}

/** Takes the observables in an element, which is one itself or a list of them. */
export function takeObservables(draft: Draft, element: XmlElement | undefined): void {
  if (!element) return
  draft.taken.add(element)
  const list = element.name === 'Observable' ? [element] : childrenOf(element, 'Observable')
  for (const observable of list) takeObservable(draft, observable)
}

/** Takes observables that are related to a component, each in an element that says how. */
export function takeRelatedObservables(draft: Draft, list: XmlElement | undefined, name: string): void {
  for (const related of list ? childrenOf(list, name) : []) {
    const observable = childOf(related, 'Observable')
    if (!observable) continue
    draft.taken.add(observable)
    takeObservable(draft, observable)
  }
}

/** Adds an observable that a field of the component names. */
export function addObservable(draft: Draft, observable: FoundObservable): void {
  draft.observables.push(observable)
}

function takeObservable(draft: Draft, element: XmlElement): void {
  const seen = observe(element)
  append(draft.observables, seen.observables)
  append(draft.attachments, seen.attachments)
  append(draft.losses, seen.faults)
  const isReference = childrenOf(element).length === 0 && textOf(element) === ''
  if (!seen.isWhole && !isReference) draft.kept.push(xmlText(element))
  takeReferences(draft, seen.references)
}

/** Takes what others say of observables that a component only refers to. */
export function takeReferences(draft: Draft, references: readonly string[]): void {
  const { found, unknown, isCut } = claim(references, draft.reading)
  for (const { observables, attachments, faults, xml, home } of found) {
    append(draft.observables, observables)
    append(draft.attachments, attachments)
    append(draft.losses, faults)
    if (xml !== undefined && home !== undefined) draft.kept.push(xml)
  }
  for (const id of unknown) draft.losses.push(`the observable '${id.slice(0, 200)}' is not in the document`)
  if (isCut) draft.losses.push('the document refers to observables too often: not every reference was followed')
}
