import { append } from './json.ts'
import type { Indexed, Survey } from './survey.ts'

/** Maximum number of references followed per document, so that a small document with many references cannot grow without bound. */
export const REFERENCE_BUDGET = 2_000_000

/** Returns the distinct observables that references lead to, directly or indirectly. */
export function claim(
  references: readonly string[],
  reading: { readonly survey: Survey; budget: number },
): { found: Indexed[]; unknown: string[]; isCut: boolean } {
  const found = new Set<Indexed>()
  const unknown: string[] = []
  const open = [...references]
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    if (reading.budget-- <= 0) return { found: [...found], unknown, isCut: true }
    const indexed = reading.survey.byId.get(id)
    if (!indexed) unknown.push(id)
    if (!indexed || found.has(indexed)) continue
    indexed.isClaimed = true
    found.add(indexed)
    append(open, indexed.references)
  }
  return { found: [...found], unknown, isCut: false }
}
