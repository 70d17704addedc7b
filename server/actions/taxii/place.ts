import { createHash } from 'node:crypto'
import { parseTimestamp } from '../../engine/timestamp.ts'

/**
 * Writes the place behind an object of a collection, as the value of `next`. It holds all there is to know, so nothing has to be
 * remembered for whoever never comes back; and it belongs to what was asked.
 */
export const writePlace = (addedAt: string, asked: string): string =>
  Buffer.from(`${digestOf(asked)}${addedAt}`).toString('base64url')

/** Reads a place; undefined where it is none, or one of another query. */
export function readPlace(text: string, asked: string): string | undefined {
  const digest = digestOf(asked)
  const plain = Buffer.from(text, 'base64url').toString()
  if (!plain.startsWith(digest)) return undefined
  const time = parseTimestamp(plain.slice(digest.length))
  // There is one spelling of each place.
  return time !== undefined && writePlace(time, asked) === text ? time : undefined
}

const digestOf = (asked: string): string => createHash('sha256').update(asked).digest('base64url').slice(0, 22)
