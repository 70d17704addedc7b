import type { Document } from '../document.ts'
import type { Finding, FoundObservable } from '../finding.ts'
import { madeId } from '../made-id.ts'
import type { ListDraft } from './draw-list-row.ts'

/** Maximum number of observables in one report that can still be displayed. */
const MAX_OBSERVABLES = 10_000
const MAX_DESCRIPTION_LENGTH = 200_000
const MAX_NOTE_LENGTH = 500
const MAX_NOTES = 20

/** Collects the contents of a list: one indicator per row with additional information, and one report for everything else. */
export interface Collection {
  /** Processes a row and yields findings that are complete. */
  take(at: string, draft: ListDraft): Generator<Finding>
  /** Keeps a text in the report. */
  keep(text: string): void
  /** Adds a remark for users to the next finding. */
  note(text: string): void
  end(): Generator<Finding>
}

/** Starts collecting the contents of a list. */
export function collectionOf(document: Document): Collection {
  const held = new Map<string, FoundObservable>()
  const lines: string[] = []
  let length = 0
  let alone = 0
  let unkept = 0
  let notes: string[] = []
  let unnoted = 0

  const takeNotes = (): { notes?: readonly string[] } => {
    const taken = unnoted > 0 ? [...notes, `${unnoted} more comment lines are not shown`] : notes
    notes = []
    unnoted = 0
    return taken.length > 0 ? { notes: taken } : {}
  }
  const losses = (): string[] => [
    ...(alone > 0
      ? [`only the first ${MAX_OBSERVABLES} observables are part of this report; the others are imported separately`]
      : []),
    ...(unkept > 0 ? [`description: ${unkept} lines beyond ${MAX_DESCRIPTION_LENGTH} characters are not kept`] : []),
  ]

  return {
    *take(at, { data, meta, observables, losses: lost }) {
      if (Object.keys(data).length + Object.keys(meta).length > 0) {
        yield { kind: 'entity', at, entity: indicatorOf(data, meta, observables), ...lossesIn(lost), ...takeNotes() }
        return
      }
      if (lost.length > 0) yield { kind: 'lost', at, losses: lost }
      for (const observable of observables) {
        const key = `${observable.type} ${observable.value}`
        if (held.size < MAX_OBSERVABLES) held.set(key, observable)
        else if (!held.has(key)) {
          alone++
          yield { kind: 'observable', at, observable }
        }
      }
    },
    keep(text) {
      if (length + text.length > MAX_DESCRIPTION_LENGTH) {
        unkept++
        return
      }
      lines.push(text)
      length += text.length + 1
    },
    note(text) {
      if (notes.length < MAX_NOTES) notes.push(text.slice(0, MAX_NOTE_LENGTH))
      else unnoted++
    },
    *end() {
      if (held.size === 0 && lines.length === 0) return
      const observables = [...held.values()]
      const title = document.name.trim().slice(0, 300) || 'List of observables'
      const description = lines.join('\n').trim()
      const id = madeId('report', '', title, observables.length > 0 ? observables : description)
      const entity = { data: { type: 'report', title, id, ...(description !== '' && { description }) }, observables }
      yield { kind: 'entity', at: 'line 1', entity, ...lossesIn(losses()), ...takeNotes() }
    },
  }
}

const lossesIn = (losses: readonly string[]): { losses?: readonly string[] } => (losses.length > 0 ? { losses } : {})

function indicatorOf(data: ListDraft['data'], meta: ListDraft['meta'], found: readonly FoundObservable[]) {
  const observables = [...new Map(found.map((one) => [`${one.type} ${one.value}`, one])).values()]
  const content = { ...data, type: 'indicator', title: (observables[0]?.value ?? '').slice(0, 1_000) }
  return { data: { ...content, id: madeId('indicator', '', content, meta, observables) }, meta, observables }
}
