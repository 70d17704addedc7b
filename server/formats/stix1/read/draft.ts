import type { Finding, FoundAttachment, FoundObservable, FoundRelationship } from '../../finding.ts'
import { childOf, childrenOf, textOf, type XmlElement } from '../../xml/xml-element.ts'
import { xmlText } from '../../xml/xml-text.ts'
import { claim } from './claim.ts'
import type { Handling } from './handling.ts'
import { append, type Json } from './json.ts'
import { observe } from './observe.ts'
import type { Survey } from './survey.ts'
import type { Taken } from './taken.ts'

/** The state of reading one document. */
export interface Reading {
  readonly survey: Survey
  /** By id, so that duplicates are reported once. */
  readonly relationships: Map<string, { readonly at: string; readonly relationship: FoundRelationship }>
  readonly findings: Finding[]
  /** The ids read so far, each with a digest of its contents; '' for packages. */
  readonly known: Map<string, string>
  /** How many more references to observables may be followed. */
  budget: number
}

/** What applies to everything in a package. */
export interface Setting {
  readonly namespace: string
  readonly handling: Handling
  readonly information_source: Json | undefined
}

/** An entity under construction while its component is read. */
export interface EntityDraft {
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
  /** The XML of observables that contain more than their values. */
  readonly kept: string[]
  readonly losses: string[]
}

/** Starts an entity for an element. */
export const startEntity = (
  element: XmlElement,
  at: string,
  id: string,
  type: string,
  reading: Reading,
  setting: Setting,
): EntityDraft => ({
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

/** A report has its title, description and handling in a header. */
export const headerOf = (element: XmlElement): XmlElement | undefined =>
  element.name === 'Report' ? childOf(element, 'Header') : element

/** Sets a field unless the value is empty. */
export function set(draft: EntityDraft, field: string, value: unknown): void {
  const given = Array.isArray(value) ? value.filter((item) => item !== undefined) : value
  if (given === undefined || given === '' || (Array.isArray(given) && given.length === 0)) return
  draft.data[field] = given
}

/** Reads the observables in an element, which is either a single observable or a list. */
export function takeObservables(draft: EntityDraft, element: XmlElement | undefined): void {
  if (!element) return
  draft.taken.add(element)
  const list = element.name === 'Observable' ? [element] : childrenOf(element, 'Observable')
  for (const observable of list) takeObservable(draft, observable)
}

/** Reads observables that are related to a component, each in an element that states the relationship. */
export function takeRelatedObservables(draft: EntityDraft, list: XmlElement | undefined, name: string): void {
  for (const related of list ? childrenOf(list, name) : []) {
    const observable = childOf(related, 'Observable')
    if (!observable) continue
    draft.taken.add(observable)
    takeObservable(draft, observable)
  }
}

/** Adds an observable named by a field of the component. */
export function addObservable(draft: EntityDraft, observable: FoundObservable): void {
  draft.observables.push(observable)
}

function takeObservable(draft: EntityDraft, element: XmlElement): void {
  const seen = observe(element)
  append(draft.observables, seen.observables)
  append(draft.attachments, seen.attachments)
  append(draft.losses, seen.faults)
  const isReference = childrenOf(element).length === 0 && textOf(element) === ''
  if (!seen.isWhole && !isReference) draft.kept.push(xmlText(element))
  takeReferences(draft, seen.references)
}

/** Adds the observables that a component references but does not contain. */
export function takeReferences(draft: EntityDraft, references: readonly string[]): void {
  const { found, unknown, isCut } = claim(references, draft.reading)
  for (const { observables, attachments, faults, xml, home } of found) {
    append(draft.observables, observables)
    append(draft.attachments, attachments)
    append(draft.losses, faults)
    if (xml !== undefined && home !== undefined) draft.kept.push(xml)
  }
  for (const id of unknown) draft.losses.push(`the observable '${id.slice(0, 200)}' is not in the document`)
  if (isCut) draft.losses.push('the document contains too many references to observables; some were not followed')
}
