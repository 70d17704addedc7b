import { normaliseObservable } from '../../domain/observables/normalise.ts'
import type { ObservableType } from '../../domain/observables/types.ts'
import type { Layer } from './layer.ts'

/** A place in the text as it was written. */
export interface Span {
  readonly start: number
  readonly end: number
}

/** Something that was found, in its one spelling. */
export interface Found extends Span {
  readonly type: ObservableType
  readonly value: string
}

/** What a place in the text was used for: nothing yet, a whole thing, or the path of an address. */
export const FREE = 0
export const USED = 1
export const PATH = 2

/** One look through a text: what it says as written and as refanged, what was found, and which places are used up. */
export interface Scan {
  readonly source: string
  readonly view: Layer
  /** By type and value, where each stands first. */
  readonly found: Map<string, Found>
  readonly used: Uint8Array
  /** The spellings of texts that came before: most are named more than once. */
  readonly spellings: Map<string, string | undefined>
}

export const scanOf = (source: string, view: Layer): Scan => ({
  source,
  view,
  found: new Map(),
  used: new Uint8Array(source.length),
  spellings: new Map(),
})

/** More different ones than any text for people has; the rest of such a text is not kept. */
const MOST_FOUND = 100_000
const LONGEST_REMEMBERED = 256

/** Notes a value if it is one of its type; answers its one spelling. */
export function note(scan: Scan, type: ObservableType, text: string, { start, end }: Span): string | undefined {
  const value = spellingOf(scan, type, text)
  if (value === undefined) return undefined
  const key = `${type} ${value}`
  const known = scan.found.get(key)
  if (known ? start < known.start : scan.found.size < MOST_FOUND) scan.found.set(key, { type, value, start, end })
  return value
}

/** The one spelling of a value, or undefined where it is none of its type. */
export function spellingOf({ spellings }: Scan, type: ObservableType, text: string): string | undefined {
  const key = `${type} ${text}`
  if (spellings.has(key)) return spellings.get(key)
  const answer = normaliseObservable(type, text)
  const value = 'value' in answer ? answer.value : undefined
  if (text.length <= LONGEST_REMEMBERED && spellings.size < MOST_FOUND) spellings.set(key, value)
  return value
}

/** Marks a place of the text as used. */
export function use(scan: Scan, { start, end }: Span, how: number = USED): void {
  scan.used.fill(how, start, end)
}

/** What the place at an offset of the text as written is used for. */
export const usedAt = (scan: Scan, offset: number): number => scan.used[offset] ?? FREE

/** The place in the text as written of a match in the refanged one. */
export const spanIn = (scan: Scan, start: number, end: number): Span => scan.view.sourceOf(start, end)

/** The place of a match in the text as written. */
export const spanOf = ({ 0: text, index }: RegExpExecArray): Span => ({ start: index, end: index + text.length })
