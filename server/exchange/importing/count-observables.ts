import type { Context } from '../../engine/resource.ts'
import type { Seeing } from '../../identity/access/sight.ts'
import { extractsOf, type NamedObservable } from '../../intelligence/entities/observables-in.ts'
import type { Draft } from './drafts.ts'
import { FOREIGN } from './import-entities.ts'
import { keyOf, knownAmong } from './import-observables.ts'
import type { Outcome } from './outcome.ts'

/**
 * Looks which observables of entities the importer knows already, before these are stored; gives what adds to their outcomes how
 * many came with each of them. One that several entities have is counted with the first.
 */
export async function countObservables(
  ctx: Context,
  drafts: readonly Draft[],
  triedFor?: Seeing,
): Promise<(outcomes: readonly Outcome[]) => Outcome[]> {
  const named = new Map(drafts.map((draft) => [draft.located.position, observablesOf(draft)]))
  const all = [...named.values()].flat()
  const known = all.length === 0 ? undefined : await knownAmong(ctx, all, triedFor)
  if (!known) return (outcomes) => [...outcomes]
  const seen = new Set(known.keys())
  return (outcomes) =>
    outcomes
      .toSorted((a, b) => a.position - b.position)
      .map((outcome) => {
        const fresh = isStored(outcome) ? new Set((named.get(outcome.position) ?? []).map(keyOf)).difference(seen) : []
        const before = seen.size
        for (const key of fresh) seen.add(key)
        return { ...outcome, observablesCreated: seen.size - before }
      })
}

const observablesOf = ({ item }: Draft): readonly NamedObservable[] => [
  ...(item.observables ?? []).filter((each) => each.id === undefined),
  ...extractsOf(item.data, item.meta),
]

/** Whether the observables of an entity were linked to it. */
const isStored = ({ outcome, entity, notes }: Outcome): boolean =>
  entity !== undefined && outcome !== 'refused' && outcome !== 'outdated' && !notes?.includes(FOREIGN)
