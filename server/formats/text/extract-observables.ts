import type { ObservableType } from '../../domain/observables/types.ts'
import { findAddresses } from './addresses.ts'
import { findEmails } from './emails.ts'
import { findHashes } from './hashes.ts'
import { findIdentifiers } from './identifiers.ts'
import { findLabelled } from './labelled.ts'
import { findNames } from './names.ts'
import { findPaths } from './paths.ts'
import { refangedText } from './refanged.ts'
import { findRules } from './rules.ts'
import { type Found, type Scan, scanOf } from './scan.ts'
import { sentencesOf } from './sentences.ts'
import { findUris } from './uris.ts'

/** An observable in a text, with the position and the sentence of its first occurrence. */
export interface Extracted {
  readonly type: ObservableType
  readonly value: string
  readonly context: string
  readonly start: number
  readonly end: number
}

/** Default maximum number of observables returned. */
export const MAX_OBSERVABLES = 10_000

/**
 * Returns all observables in a text, refanged and normalised, each once, in the order of their first occurrence. Every step passes over the
 * text a fixed number of times and looks at a bounded number of characters around each position, so the time is linear.
 */
export function extractObservables(text: string, { limit = MAX_OBSERVABLES } = {}): Extracted[] {
  const { found } = scanned(scanOf(text, refangedText(text)))
  const sentences = sentencesOf(text)
  // Larger matches come before those inside them.
  return [...found.values()]
    .sort((a, b) => a.start - b.start || b.end - a.end)
    .slice(0, limit)
    .map(({ type, value, start, end }) => ({ type, value, context: sentences.at(start, end), start, end }))
}

/** Every occurrence of every observable in a text, in order; larger ones come before those inside them. */
export function observablePlaces(text: string): Found[] {
  const places: Found[] = []
  scanned(scanOf(text, refangedText(text), places))
  return places.sort((a, b) => a.start - b.start || b.end - a.end)
}

function scanned(scan: Scan): Scan {
  // Earlier steps take precedence: a name inside a URL is not reported as a separate name.
  findRules(scan)
  findUris(scan)
  findLabelled(scan)
  findPaths(scan)
  findEmails(scan)
  findAddresses(scan)
  findNames(scan)
  findIdentifiers(scan)
  findHashes(scan)
  return scan
}
