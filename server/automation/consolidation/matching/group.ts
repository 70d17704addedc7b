import {
  absorb,
  type Block,
  blockOf,
  type Candidate,
  type Decisions,
  isCompatible,
  isThawed,
  MAX_CONTRIBUTORS,
} from './blocks.ts'
import { isAssigned, isStrong } from './keys.ts'
import { areRefused, refusalsOf } from './refusals.ts'
import { type SharedKey, sharedKeys } from './shared-keys.ts'
import { type Suggestion, suggestionsFor } from './suggest.ts'

/** Entities that are one thing. */
export interface Group {
  /** At least two, in the order of their STIX ids. */
  readonly members: readonly string[]
  /** The key that first connected each member. */
  readonly joins: ReadonlyMap<string, string>
}

/** Who is joined, and who may be. */
export interface Grouping {
  readonly groups: readonly Group[]
  readonly suggestions: readonly Suggestion[]
  /** The number of keys that did not join all their entities because a group would have become too large. */
  readonly full: number
}

/**
 * Decides which entities are one thing. The strongest keys come first, and two blocks become one if nothing forbids it for any pair of
 * their entities. The result depends on nothing but the arguments, and not on their order.
 */
export function groupSubjects(subjects: readonly Candidate[], decisions: Decisions): Grouping {
  const candidates = [...subjects].sort((a, b) => compare(a.stixId, b.stixId) || compare(a.entity, b.entity))
  const keys = sharedKeys(candidates, decisions)
  const blocks = candidates.map((candidate, i) => blockOf(candidate, i, decisions))
  const refusals = refusalsOf(candidates, decisions.refused)
  const isRefused = (one: Block, other: Block): boolean => areRefused(one, other, blocks, refusals)
  const joins = new Map<number, string>()
  const full = new Set<string>()

  const mayJoin = (one: Block, other: Block, key: string): boolean => {
    if (one === other || one.type !== other.type) return false
    if (!isAssigned(key) && !(isCompatible(one, other) && isThawed(one, other) && !isRefused(one, other))) return false
    if (one.members.length + other.members.length <= MAX_CONTRIBUTORS) return true
    full.add(key)
    return false
  }

  const join = (one: Block, other: Block, key: string): Block => {
    for (const { members } of [one, other]) {
      const [only] = members
      if (members.length === 1 && only !== undefined) joins.set(only, key)
    }
    const [small, large] = one.members.length < other.members.length ? [one, other] : [other, one]
    for (const member of small.members) blocks[member] = large
    absorb(large, small)
    return large
  }

  for (const shared of keys) if (isStrong(shared.key)) connect(shared, blocks, mayJoin, join)
  return {
    groups: groupsOf(candidates, blocks, joins),
    suggestions: suggestionsFor(candidates, decisions, { keys, blocks, isRefused }),
    full: full.size,
  }
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

/**
 * Tries all pairs of the entities that share a key, in order. A pair of blocks that cannot become one never can later, as blocks only grow:
 * each block is tried once with each later one.
 */
function connect(
  { key, members }: SharedKey,
  blocks: readonly Block[],
  mayJoin: (one: Block, other: Block, key: string) => boolean,
  join: (one: Block, other: Block, key: string) => Block,
): void {
  let rest = members
  while (rest.length > 1) {
    const [first = 0, ...others] = rest
    rest = others.filter((other) => {
      const [one, two] = [blocks[first], blocks[other]]
      if (!one || !two || one === two) return false
      if (!mayJoin(one, two, key)) return true
      join(one, two, key)
      return false
    })
  }
}

function groupsOf(
  candidates: readonly Candidate[],
  blocks: readonly Block[],
  joins: ReadonlyMap<number, string>,
): Group[] {
  const entityAt = (member: number): string => candidates[member]?.entity ?? ''
  // In the order of their first members.
  return [...new Set(blocks)]
    .filter(({ members }) => members.length > 1)
    .map(({ members }) => {
      const sorted = [...members].sort((a, b) => a - b)
      return {
        members: sorted.map(entityAt),
        joins: new Map(sorted.map((member) => [entityAt(member), joins.get(member) ?? ''])),
      }
    })
}
