import { parseTimestamp } from '../../../domain/timestamp.ts'
import type { AttackReference, NetworkContact, Process, Report } from '../adapter.ts'
import { type Part, warningsOf } from './document.ts'
import { type Extracts, extractsOf, leftOutOf } from './extracts.ts'
import { unique } from './report-parts.ts'

/** What an adapter read of a report. Lists may name things several times, and times may have any form. */
interface Findings extends Omit<Report, 'extracts' | 'raw' | 'warnings'> {
  readonly extracts: Extracts
  readonly raw: { readonly filename: string; readonly content: Buffer }
  /** Where it was read. What was wrong there becomes a warning. */
  readonly documents: readonly Part[]
  readonly warnings?: readonly string[]
}

/** The report of what was read: everything once, with warnings for what could not be read. */
export const composeReport = ({ documents, extracts, raw, warnings = [], ...read }: Findings): Report => ({
  ...read,
  families: unique(read.families),
  tags: unique(read.tags),
  started_at: timeOf(read.started_at),
  ended_at: timeOf(read.ended_at),
  extracts: extractsOf(extracts),
  attacks: attacksOf(read.attacks),
  processes: onlyOnce(read.processes, ({ pid, name, command_line }: Process) => [pid, name, command_line]),
  network: onlyOnce(read.network, (contact: NetworkContact) => contact),
  raw: { ...raw, media_type: 'application/json' },
  warnings: [...warnings, ...leftOutOf(extracts), ...documents.flatMap(warningsOf)],
})

/** A time in ISO 8601, or null. A time without a zone is one in UTC. */
const timeOf = (text: string | null): string | null => (text === null ? null : (parseTimestamp(text) ?? null))

/** Each technique once; with its tactic if one is known. */
function attacksOf(found: readonly AttackReference[]): AttackReference[] {
  const withTactic = new Set(found.flatMap(({ tactic_id, technique_id }) => (tactic_id ? [technique_id] : [])))
  const kept = found.filter(({ tactic_id, technique_id }) => tactic_id !== null || !withTactic.has(technique_id))
  return onlyOnce(kept, ({ tactic_id, technique_id }) => [tactic_id, technique_id])
}

const onlyOnce = <T>(found: readonly T[], keyOf: (each: T) => unknown): T[] => [
  ...new Map(found.map((each) => [JSON.stringify(keyOf(each)), each])).values(),
]
