import { parseTimestamp } from '../../../domain/timestamp.ts'
import type { AttackReference, NetworkContact, Process } from '../adapter.ts'

/** A time in ISO 8601, or null. A time without a zone is one in UTC. */
export const timeOf = (text: string | null): string | null => (text === null ? null : (parseTimestamp(text) ?? null))

/** The id of a technique in a text that may have its name beside it; undefined if there is none. */
export const techniqueIn = (text: string): string | undefined =>
  /^\s?(T\d{4}(?:\.\d{3})?)(?!\d)/.exec(text)?.[1] ?? undefined

/** Each technique once; with its tactic if one is known. */
export function attacksOf(found: readonly AttackReference[]): AttackReference[] {
  const withTactic = new Set(found.flatMap(({ tactic_id, technique_id }) => (tactic_id ? [technique_id] : [])))
  const kept = found.filter(({ tactic_id, technique_id }) => tactic_id !== null || !withTactic.has(technique_id))
  return [...new Map(kept.map((each) => [`${each.tactic_id} ${each.technique_id}`, each])).values()]
}

/** Contacts, each once. */
export const contactsOf = (found: readonly NetworkContact[]): NetworkContact[] => [
  ...new Map(found.map((each) => [JSON.stringify(each), each])).values(),
]

/** Processes, each once: some vendors list them in a tree and in a list. */
export const processesOf = (found: readonly Process[]): Process[] => [
  ...new Map(found.map((each) => [JSON.stringify([each.pid, each.name, each.command_line]), each])).values(),
]

/** Texts, each once. */
export const unique = (texts: readonly string[]): string[] => [...new Set(texts)]

/** A number within bounds, or null. */
export const within = (value: number | null, least: number, most: number): number | null =>
  value === null ? null : Math.min(most, Math.max(least, value))
