/** Entities that belong together, in any order. */
export interface Block {
  readonly members: readonly string[]
}

/**
 * Which existing unified entity each block keeps, in the order of the blocks: null for a new one. A unified entity whose contributors are in
 * several blocks stays with the one that has most of them, or else the one with the lowest STIX id; of those of a block, the oldest stays.
 * Ids are in the order of creation. `unified` has the unified entity of each contributor until now.
 */
export function keepIdentities(
  blocks: readonly Block[],
  unified: ReadonlyMap<string, string>,
  stixIds: ReadonlyMap<string, string>,
): readonly (string | null)[] {
  const kept = new Map<number, string>()
  for (const [id, place] of heirs(blocks, unified, stixIds)) {
    const other = kept.get(place)
    if (other === undefined || id < other) kept.set(place, id)
  }
  return blocks.map((_, place) => kept.get(place) ?? null)
}

/** The block that each unified entity stays with. */
function heirs(
  blocks: readonly Block[],
  unified: ReadonlyMap<string, string>,
  stixIds: ReadonlyMap<string, string>,
): ReadonlyMap<string, number> {
  const best = new Map<string, { readonly place: number; readonly count: number; readonly lowest: string }>()
  blocks.forEach(({ members }, place) => {
    const counts = new Map<string, number>()
    for (const member of members) {
      const id = unified.get(member)
      if (id !== undefined) counts.set(id, (counts.get(id) ?? 0) + 1)
    }
    if (counts.size === 0) return
    const lowest = members.map((member) => stixIds.get(member) ?? '').reduce((a, b) => (b < a ? b : a))
    for (const [id, count] of counts) {
      const other = best.get(id)
      if (!other || count > other.count || (count === other.count && lowest < other.lowest)) {
        best.set(id, { place, count, lowest })
      }
    }
  })
  return new Map([...best].map(([id, { place }]) => [id, place]))
}
