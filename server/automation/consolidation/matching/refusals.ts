import type { Block, Candidate } from './blocks.ts'

/** The entities that are not the same as each entity, by their positions. */
export function refusalsOf(
  candidates: readonly Candidate[],
  refused: ReadonlySet<string>,
): ReadonlyMap<number, readonly number[]> {
  const positions = new Map(candidates.map(({ entity }, i) => [entity, i]))
  const found = new Map<number, number[]>()
  const add = (one: number, other: number): void => {
    const known = found.get(one)
    if (known) known.push(other)
    else found.set(one, [other])
  }
  for (const pair of refused) {
    const [first, second] = pair.split(' ').map((entity) => positions.get(entity))
    if (first === undefined || second === undefined) continue
    add(first, second)
    add(second, first)
  }
  return found
}

/** Whether an entity of one block is not the same as one of the other. */
export function areRefused(
  one: Block,
  other: Block,
  blocks: readonly Block[],
  refusals: ReadonlyMap<number, readonly number[]>,
): boolean {
  if (refusals.size === 0) return false
  const [few, many] = one.members.length < other.members.length ? [one, other] : [other, one]
  return few.members.some((member) => refusals.get(member)?.some((refused) => blocks[refused] === many))
}
