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
import { scanOf } from './scan.ts'
import { sentencesOf } from './sentences.ts'
import { findUris } from './uris.ts'

/** An observable that a text names, with the sentence and the place where it is named first. */
export interface Extracted {
  readonly type: ObservableType
  readonly value: string
  readonly context: string
  readonly start: number
  readonly end: number
}

/** How many observables are given at most, unless something else is said. */
export const MOST_OBSERVABLES = 10_000

/**
 * All observables in a text, refanged, each once in its one spelling, in the order in which they are first named. Every part
 * goes over the text a fixed number of times and looks a fixed number of characters around: twice the text takes twice as long.
 */
export function extractObservables(text: string, { limit = MOST_OBSERVABLES } = {}): Extracted[] {
  const scan = scanOf(text, refangedText(text))
  // What comes first takes its place: a name in an address is no name beside it.
  findRules(scan)
  findUris(scan)
  findLabelled(scan)
  findPaths(scan)
  findEmails(scan)
  findAddresses(scan)
  findNames(scan)
  findIdentifiers(scan)
  findHashes(scan)
  const sentences = sentencesOf(text)
  // What is larger comes before what is in it.
  return [...scan.found.values()]
    .sort((a, b) => a.start - b.start || b.end - a.end)
    .slice(0, limit)
    .map(({ type, value, start, end }) => ({ type, value, context: sentences.at(start, end), start, end }))
}
