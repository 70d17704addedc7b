import { normaliseObservable } from '../../domain/observables/normalise.ts'
import type { ObservableType } from '../../domain/observables/types.ts'
import type { Layer } from './layer.ts'

/** A range in the original text. */
export interface Span {
  readonly start: number
  readonly end: number
}

/** A normalised observable and its position. */
export interface Found extends Span {
  readonly type: ObservableType
  readonly value: string
}

/** How a position in the text is used: not yet, by a complete match, or by the path of a URL. */
export const FREE = 0
export const USED = 1
export const PATH = 2

/** The state of one extraction: the original and the refanged text, the observables found, and the positions used. */
export interface Scan {
  readonly source: string
  readonly view: Layer
  /** The first occurrence of each observable, by type and value. */
  readonly found: Map<string, Found>
  /** Every occurrence, if it is wanted. */
  readonly places?: Found[] | undefined
  readonly used: Uint8Array
  /** A cache of normalised values, because most occur more than once. */
  readonly spellings: Map<string, string | undefined>
}

export const scanOf = (source: string, view: Layer, places?: Found[]): Scan => ({
  source,
  view,
  found: new Map(),
  places,
  used: new Uint8Array(source.length),
  spellings: new Map(),
})

/** Maximum number of distinct values. Texts for people never have more. */
const MAX_VALUES = 100_000
/** Maximum length of texts whose spelling is cached. */
const MAX_CACHED_LENGTH = 256

/** Records a value if it is valid for its type, and returns its normalised form. */
export function note(scan: Scan, type: ObservableType, text: string, { start, end }: Span): string | undefined {
  const value = spellingOf(scan, type, text)
  if (value === undefined) return undefined
  scan.places?.push({ type, value, start, end })
  const key = `${type} ${value}`
  const known = scan.found.get(key)
  if (known ? start < known.start : scan.found.size < MAX_VALUES) scan.found.set(key, { type, value, start, end })
  return value
}

/** Returns the normalised form of a value; undefined if it is not valid for its type. */
export function spellingOf({ spellings }: Scan, type: ObservableType, text: string): string | undefined {
  const key = `${type} ${text}`
  if (spellings.has(key)) return spellings.get(key)
  const answer = normaliseObservable(type, text)
  const value = 'value' in answer ? answer.value : undefined
  if (text.length <= MAX_CACHED_LENGTH && spellings.size < MAX_VALUES) spellings.set(key, value)
  return value
}

/** Marks a range of the text as used. */
export function use(scan: Scan, { start, end }: Span, how: number = USED): void {
  scan.used.fill(how, start, end)
}

/** How the position at an offset of the original text is used. */
export const usedAt = (scan: Scan, offset: number): number => scan.used[offset] ?? FREE

/** Converts a range in the refanged text to the original text. */
export const spanIn = (scan: Scan, start: number, end: number): Span => scan.view.sourceOf(start, end)

/** The range of a match in the original text. */
export const spanOf = ({ 0: text, index }: RegExpExecArray): Span => ({ start: index, end: index + text.length })
