import type { Context } from '../../engine/context.ts'
import type { Seeing } from '../../identity/access/sight.ts'
import { extractsOf, type NamedObservable } from '../../intelligence/entities/observables-in.ts'
import { FOREIGN } from './entity-plan.ts'
import { keyOf, knownAmong } from './import-observables.ts'
import type { Outcome } from './outcome.ts'
import type { ParsedEntity } from './parse-entity.ts'

/**
 * Finds out, before entities are stored, which of their observables the importer already knows. The returned function adds to each
 * outcome the number of new observables; one that several entities share counts for the first.
 */
export async function countObservables(
  ctx: Context,
  entities: readonly ParsedEntity[],
  triedFor?: Seeing,
): Promise<(outcomes: readonly Outcome[]) => Outcome[]> {
  const named = new Map(entities.map((entity) => [entity.located.position, observablesOf(entity)]))
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

const observablesOf = ({ item }: ParsedEntity): readonly NamedObservable[] => [
  ...(item.observables ?? []).filter((each) => each.id === undefined),
  ...extractsOf(item.data, item.meta),
]

/** Whether the entity was stored, and its observables linked to it. */
const isStored = ({ outcome, entity, notes }: Outcome): boolean =>
  entity !== undefined && outcome !== 'refused' && outcome !== 'outdated' && !notes?.includes(FOREIGN)
