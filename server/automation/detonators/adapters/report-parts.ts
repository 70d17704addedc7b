import type { NetworkContact, Signature } from '../adapter.ts'
import { type Part, partsOf } from './document.ts'

/** A tree with more processes is not followed further. */
const MAX_PROCESSES = 20_000

/** The id of a technique in a text that may go on with its name; undefined if there is none. */
export const techniqueIn = (text: string): string | undefined =>
  /^\s?(T\d{4}(?:\.\d{3})?)(?!\d)/.exec(text)?.[1] ?? undefined

/** A contact of which only some members are known. */
export const contactOf = (protocol: string, known: Partial<NetworkContact>): NetworkContact => ({
  ...{ protocol, host: null, address: null, port: null, url: null },
  ...known,
})

/** The signatures that have a name. */
export const named = (found: readonly (Omit<Signature, 'name'> & { readonly name: string | null })[]): Signature[] =>
  found.flatMap(({ name, ...rest }) => (name === null ? [] : [{ name, ...rest }]))

interface ProcessNode {
  readonly node: Part
  readonly parent: Part | null
}

/** The nodes of a tree of processes, level by level. `children` is the member with the children of a node. */
export function processNodes(roots: readonly Part[], children: string): ProcessNode[] {
  const found: ProcessNode[] = roots.map((node) => ({ node, parent: null }))
  // Children are added to what the loop goes through.
  for (const { node: parent } of found) {
    if (found.length >= MAX_PROCESSES) break
    for (const node of partsOf(parent, children)) found.push({ node, parent })
  }
  return found.slice(0, MAX_PROCESSES)
}

/** The entry of a table under a word of a report; undefined if it has none. */
export const entryOf = <T>(table: Readonly<Record<string, T>>, word: string | null): T | undefined =>
  word !== null && Object.hasOwn(table, word) ? table[word] : undefined

/** Texts, each once. */
export const unique = (texts: readonly string[]): string[] => [...new Set(texts)]

/** A number within bounds, or null. */
export const within = (value: number | null, least: number, most: number): number | null =>
  value === null ? null : Math.min(most, Math.max(least, value))

/** A score from 0 to 100, of one from 0 to 10. */
export const scoreOutOfTen = (score: number | null): number | null =>
  score === null ? null : within(Math.round(score * 10), 0, 100)
