import { findAttackIds } from '../../formats/text/attack-ids.ts'
import { observablePlaces } from '../../formats/text/extract-observables.ts'
import type { Span } from '../../formats/text/scan.ts'
import { type Markup, markupIn } from './markup.ts'

/** A text in which everything that must not be translated is replaced by placeholders. */
export interface Protected {
  readonly text: string
  /** What each placeholder stands for, in the order of the text. */
  readonly originals: ReadonlyMap<string, string>
  /** The placeholders of tags, which must keep their order. */
  readonly tags: ReadonlySet<string>
}

/** Numbers the placeholders of a request. Their authors cannot know the token. */
export interface Numbering {
  readonly token: string
  next: number
}

/** Observables in any spelling, technique ids, markup, code and these names become placeholders. */
export function protectedText(text: string, names: readonly Span[], numbering: Numbering): Protected {
  const originals = new Map<string, string>()
  const tags = new Set<string>()
  const parts: string[] = []
  let read = 0
  const values = [...observablePlaces(text), ...findAttackIds(text), ...names]
  for (const { start, end, isTag } of merged([...markupIn(text), ...values.map(asValue)])) {
    const placeholder = `[[${numbering.token}-${numbering.next++}]]`
    originals.set(placeholder, text.slice(start, end))
    if (isTag) tags.add(placeholder)
    parts.push(text.slice(read, start), placeholder)
    read = end
  }
  return { text: [...parts, text.slice(read)].join(''), originals, tags }
}

const asValue = ({ start, end }: Span): Markup => ({ start, end, isTag: false })

/** Spans that overlap become one. */
function merged(spans: readonly Markup[]): Markup[] {
  const found: Markup[] = []
  for (const span of [...spans].sort((a, b) => a.start - b.start || b.end - a.end)) {
    const last = found.at(-1)
    if (span.end <= span.start) continue
    if (!last || span.start >= last.end) found.push(span)
    else
      found[found.length - 1] = {
        start: last.start,
        end: Math.max(last.end, span.end),
        isTag: last.isTag || span.isTag,
      }
  }
  return found
}

/** The placeholders of a request in a text. */
export const placeholdersIn = (text: string, token: string): string[] => {
  const [found, open]: [string[], string] = [[], `[[${token}-`]
  for (let at = text.indexOf(open); at >= 0; at = text.indexOf(open, at + open.length)) {
    const [number] = /^\d{1,7}(?=\]\])/.exec(text.slice(at + open.length, at + open.length + 10)) ?? []
    found.push(number === undefined ? open : `${open}${number}]]`)
  }
  return found
}

/** Puts what the placeholders stand for back in their places. */
export function restored(text: string, token: string, originals: ReadonlyMap<string, string>): string {
  const parts: string[] = []
  let read = 0
  for (const placeholder of placeholdersIn(text, token)) {
    const at = text.indexOf(placeholder, read)
    parts.push(text.slice(read, at), originals.get(placeholder) ?? placeholder)
    read = at + placeholder.length
  }
  return [...parts, text.slice(read)].join('')
}
