import { createHash } from 'node:crypto'
import { z } from 'zod'
import { parseTimestamp } from '../../domain/timestamp.ts'

/** The position after a page, and the options of its request by parameter name. */
export interface Position {
  readonly addedAt: string
  readonly options: Readonly<Record<string, string>>
}

/**
 * Writes a position as the value of `next`. It is self-contained: the server stores nothing for clients that never return, and clients
 * that follow it need not repeat their options.
 */
export function formatNext({ addedAt, options }: Position, about: string): string {
  const text = JSON.stringify([addedAt, options])
  return Buffer.from(`${digestOf(about, text)}${text}`).toString('base64url')
}

/** Parses a value of `next`; undefined if it is invalid or belongs to another endpoint, object or collection. */
export function parseNext(next: string, about: string): Position | undefined {
  const plain = Buffer.from(next, 'base64url').toString()
  const text = plain.slice(DIGEST_LENGTH)
  if (plain.slice(0, DIGEST_LENGTH) !== digestOf(about, text)) return undefined
  const read = CONTENT.safeParse(text)
  const addedAt = read.success ? parseTimestamp(read.data[0]) : undefined
  if (!read.success || addedAt === undefined) return undefined
  const position = { addedAt, options: read.data[1] }
  // Only the canonical spelling is accepted.
  return formatNext(position, about) === next ? position : undefined
}

/** The digest is not a signature, so the text is validated like any other parameter. */
const CONTENT = z
  .string()
  .transform((text, check): unknown => {
    try {
      return JSON.parse(text)
    } catch {
      check.addIssue({ code: 'custom', message: 'is not JSON' })
      return z.NEVER
    }
  })
  .pipe(z.tuple([z.string(), z.record(z.string(), z.string())]))

const DIGEST_LENGTH = 22

const digestOf = (about: string, text: string): string =>
  createHash('sha256')
    .update(JSON.stringify([about, text]))
    .digest('base64url')
    .slice(0, DIGEST_LENGTH)
