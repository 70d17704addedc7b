import { textFrom } from '../../../domain/text-from.ts'
import type { Item } from '../../../engine/context.ts'
import { TransportError } from '../collector.ts'

/** The position of a poll in a collection. */
export interface Position {
  /** Only objects added after this time are requested. */
  readonly addedAfter: string | null
  /** The `next` value of the server; null at the start of a poll. */
  readonly next: string | null
  /** When the last object was added that the server has reported in this poll. */
  readonly newest: string | null
  /** When the poll began, by the clock of the server. */
  readonly began: string | null
}

/** The paging information of a page. */
export interface Page {
  readonly more: boolean
  readonly next: string | null
  /** From the header; null for servers that have none. */
  readonly addedLast: string | null
  /** When it was sent, by the clock of the server. */
  readonly date: string | null
}

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,12})?(Z|[+-]\d\d:\d\d)$/
/** A server may add objects between reading a page and sending it. */
const MARGIN_MS = 60_000
const MAX_NEXT_LENGTH = 4000

/**
 * The position after a page. After the last page this is the time that the server gave for the last object. If it gave none, the next
 * poll requests everything since this poll began, with some overlap. Fails if the server says that there is more, but not where.
 */
export function advance(position: Position, { more, next, addedLast, date }: Page): Position {
  const began = position.began ?? date
  const newest = addedLast ?? position.newest
  if (!more)
    return { addedAfter: newest ?? before(began) ?? position.addedAfter, next: null, newest: null, began: null }
  if (next !== null) return { addedAfter: position.addedAfter, next, newest, began }
  if (addedLast === null || addedLast === position.addedAfter) {
    throw new TransportError('malformed', 'the server says that there is more, but not where')
  }
  return { addedAfter: addedLast, next: null, newest, began }
}

/** Reads an envelope with its headers. */
export function pageOf(value: unknown, headers: Readonly<Record<string, string>>): Page & { readonly count: number } {
  const envelope = (typeof value === 'object' && value !== null ? value : []) as Item
  const { objects = [], more, next } = envelope
  if (Array.isArray(envelope) || !Array.isArray(objects)) {
    throw new TransportError('malformed', 'the server did not return an envelope of objects')
  }
  if (textFrom(next ?? '').length > MAX_NEXT_LENGTH) {
    throw new TransportError('malformed', `the server returned a next value of more than ${MAX_NEXT_LENGTH} characters`)
  }
  return {
    count: objects.length,
    more: more === true,
    next: next === undefined || next === null || next === '' ? null : textFrom(next),
    addedLast: timeIn(headers['x-taxii-date-added-last']),
    date: dateIn(headers.date),
  }
}

/** The position that a cursor holds; undefined if it belongs to another collection or to none. */
export function positionIn(cursor: Item | null, collection: string): Position | undefined {
  if (cursor?.collection !== collection) return undefined
  const text = (value: unknown) => (typeof value === 'string' ? value : null)
  const { added_after, next, newest, began } = cursor
  return { addedAfter: text(added_after), next: text(next), newest: text(newest), began: text(began) }
}

export const cursorOf = (collection: string, { addedAfter, next, newest, began }: Position): Item => ({
  collection,
  added_after: addedAfter,
  ...(next !== null && { next }),
  ...(newest !== null && { newest }),
  ...(began !== null && { began }),
})

const timeIn = (text: string | undefined): string | null => {
  const given = text?.trim() ?? ''
  return TIME.test(given) && !Number.isNaN(Date.parse(given)) ? given : null
}

function dateIn(text: string | undefined): string | null {
  const time = Date.parse(text ?? '')
  return Number.isNaN(time) ? null : new Date(time).toISOString()
}

const before = (time: string | null): string | null =>
  time === null ? null : new Date(Date.parse(time) - MARGIN_MS).toISOString()
