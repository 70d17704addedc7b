import type { Made } from '../../ai/made.ts'
import type { Entity } from '../../api/resources.ts'

export interface FoundObservable {
  readonly type: string
  readonly value: string
}

interface Offsets {
  readonly field: string
  readonly start: number
  readonly end: number
}

/** An entity that a model found in a text, and the text proves. */
export interface ExtractedEntity {
  readonly type: string
  readonly title: string
  readonly aliases: readonly string[]
  readonly quote: string
  readonly offsets: Offsets
  /** The id of a known entity with this name. */
  readonly existing: string | null
  readonly confidence: 'low' | 'medium' | 'high'
  readonly attacks: readonly {
    readonly technique: string
    readonly name: string
    readonly attacks: readonly string[]
  }[]
  readonly observables: readonly FoundObservable[]
}

export interface ExtractedObservable extends FoundObservable {
  readonly quote: string
  readonly offsets: Offsets
  readonly is_excluded: boolean
  readonly label: 'malicious' | 'benign' | 'unknown'
  readonly use: string | null
}

/** What was extracted from a text. */
export interface Extraction extends Made {
  readonly entities: readonly ExtractedEntity[]
  readonly observables: readonly ExtractedObservable[]
  readonly dropped: { readonly count: number; readonly reasons: readonly { reason: string; count: number }[] }
  readonly notes: readonly string[]
}

/** The texts of an entity from which others are extracted. */
export function textsOf({
  data,
}: {
  readonly data: Readonly<Record<string, unknown>> | Entity['data']
}): Readonly<Record<string, string>> {
  const texts = (['title', 'description'] as const).flatMap((field) => {
    const text: unknown = data[field]
    return typeof text === 'string' && text.trim() !== '' ? [[field, text]] : []
  })
  return Object.fromEntries(texts)
}

const MARGIN = 90

/** Tags and comments, also such that were cut, and what encloses a comment with tags. */
const MARKUP = /<!--[^<>]{0,1000}-->|<!--|-->|<\/?[a-z][^<>]{0,1000}>|^[^<>]{0,200}>|<[^<>]{0,200}$/gis
/** A piece of a text without formatting. */
export const plain = (text: string): string => text.toWellFormed().replaceAll(MARKUP, ' ')

/** The words around a quote. */
export function contextOf(texts: Readonly<Record<string, string>>, { field, start, end }: Offsets) {
  const text = texts[field] ?? ''
  const from = Math.max(0, start - MARGIN)
  const to = Math.min(text.length, end + MARGIN)
  return {
    before: `${from > 0 ? '…' : ''}${plain(text.slice(from, start))}`,
    quote: plain(text.slice(start, end)),
    after: `${plain(text.slice(end, to))}${to < text.length ? '…' : ''}`,
  }
}

/** What was dropped, in words. */
export const droppedInWords = ({ count, reasons }: Extraction['dropped']): string =>
  `${count === 1 ? 'One statement of the model was' : `${count} statements of the model were`} dropped, because the text does not prove ${
    count === 1 ? 'it' : 'them'
  }: ${reasons.map((each) => `${each.reason} (${each.count})`).join(', ')}.`

/** What a reviewer decided about each item, by its key. */
export type Decisions = ReadonlyMap<string, 'accepted' | 'refused'>

export const entityKey = ({ type, title }: ExtractedEntity): string => `entity ${type} ${title}`
export const observableKey = ({ type, value }: FoundObservable): string => `observable ${type} ${value}`

export interface Accepted {
  readonly entities: readonly ExtractedEntity[]
  readonly observables: readonly ExtractedObservable[]
}

/** What was accepted of an extraction, to be stored later. */
export interface AcceptedExtraction {
  readonly extraction: Extraction
  readonly accepted: Accepted
}

/** The items of an extraction that were accepted. */
export const accepted = ({ entities, observables }: Extraction, decisions: Decisions): Accepted => ({
  entities: entities.filter((entity) => decisions.get(entityKey(entity)) === 'accepted'),
  observables: observables.filter((observable) => decisions.get(observableKey(observable)) === 'accepted'),
})

/** The request item that creates an entity as it was extracted. */
export const newEntity = (
  { type, title, quote, attacks, observables }: ExtractedEntity,
  { tlp_color, generated_by }: Made,
  sources: readonly string[],
) => ({
  data: { type, title, description: quote },
  meta: { tlp_color, generated_by, attacks: [...new Set(attacks.flatMap((each) => each.attacks))] },
  ...(observables.length > 0 && { observables: observables.map(({ type: kind, value }) => ({ type: kind, value })) }),
  sources,
})

/** The decisions after one about some items; undefined takes it back. */
export function decided(
  before: Decisions,
  keys: readonly string[],
  decision: 'accepted' | 'refused' | undefined,
): Decisions {
  const after = new Map(before)
  for (const key of keys)
    if (decision) after.set(key, decision)
    else after.delete(key)
  return after
}

export const countOf = ({ entities, observables }: Pick<Extraction, 'entities' | 'observables'>): number =>
  entities.length + observables.length
