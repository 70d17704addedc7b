import { createHash } from 'node:crypto'
import { z } from 'zod'
import { parseTimestamp } from '../../engine/timestamp.ts'

/** Where a page ended, and the options that it was asked for with, by the names of the parameters. */
export interface Place {
  readonly addedAt: string
  readonly options: Readonly<Record<string, string>>
}

/**
 * Writes the place after an object of a collection, as the value of `next`. It holds everything there is to know: the server
 * remembers nothing for clients that never come back, and clients that follow it need not repeat their options.
 */
export function writePlace({ addedAt, options }: Place, about: string): string {
  const text = JSON.stringify([addedAt, options])
  return Buffer.from(`${digestOf(about, text)}${text}`).toString('base64url')
}

/** Reads a place; undefined where it is none, or one of another endpoint, object or collection. */
export function readPlace(next: string, about: string): Place | undefined {
  const plain = Buffer.from(next, 'base64url').toString()
  const text = plain.slice(DIGEST)
  if (plain.slice(0, DIGEST) !== digestOf(about, text)) return undefined
  const read = FORM.safeParse(text)
  const addedAt = read.success ? parseTimestamp(read.data[0]) : undefined
  if (!read.success || addedAt === undefined) return undefined
  const place = { addedAt, options: read.data[1] }
  // There is one spelling of each place.
  return writePlace(place, about) === next ? place : undefined
}

/** The digest is no proof: its text is read as carefully as any other parameter. */
const FORM = z
  .string()
  .transform((text, check): unknown => {
    try {
      return JSON.parse(text)
    } catch {
      check.addIssue({ code: 'custom', message: 'is no JSON' })
      return z.NEVER
    }
  })
  .pipe(z.tuple([z.string(), z.record(z.string(), z.string())]))

const DIGEST = 22

const digestOf = (about: string, text: string): string =>
  createHash('sha256')
    .update(JSON.stringify([about, text]))
    .digest('base64url')
    .slice(0, DIGEST)
