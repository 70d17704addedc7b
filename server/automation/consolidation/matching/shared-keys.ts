import type { Candidate, Decisions } from './blocks.ts'
import { isAssigned, isPairOfNames, isWeak, MAX_KEY_MEMBERS, rankOf } from './keys.ts'

/** A key, and the positions of at least two entities that share it. */
export interface SharedKey {
  readonly key: string
  readonly rank: number
  readonly members: readonly number[]
  /** How much it says compared with other keys of its kind. */
  readonly weight: number
}

/**
 * The keys that join or suggest something: the strongest kind first, and of one kind those that say most. Only a person joins entities of
 * different policies, and exempt ones.
 */
export function sharedKeys(candidates: readonly Candidate[], decisions: Decisions): SharedKey[] {
  const found: SharedKey[] = []
  for (const [key, members] of membersByKey(candidates)) {
    if (members.length < 2) continue
    if (isAssigned(key)) found.push({ key, rank: rankOf(key), members, weight: 0 })
    else if (members.length <= MAX_KEY_MEMBERS && !decisions.switchedOff.has(key))
      for (const some of byPolicy(candidates, members, decisions.exempt))
        found.push({ key, rank: rankOf(key), members: some, weight: weightOf(key, candidates, some) })
  }
  return found.sort(inOrder)
}

function membersByKey(candidates: readonly Candidate[]): Map<string, number[]> {
  const found = new Map<string, number[]>()
  for (const [i, { keys }] of candidates.entries())
    for (const key of keys) {
      const members = found.get(key)
      if (members) members.push(i)
      else found.set(key, [i])
    }
  return found
}

function byPolicy(
  candidates: readonly Candidate[],
  members: readonly number[],
  exempt: ReadonlySet<string>,
): readonly number[][] {
  const found = new Map<number, number[]>()
  for (const member of members) {
    const candidate = candidates[member]
    if (!candidate || candidate.policy === null || exempt.has(candidate.entity)) continue
    const others = found.get(candidate.policy)
    if (others) others.push(member)
    else found.set(candidate.policy, [member])
  }
  return [...found.values()].filter(({ length }) => length > 1)
}

/**
 * If a source keeps apart two entities that both list the title of a third, and are listed by it, the one that has more names in common
 * with it is joined. A name that few entities share says more than others.
 */
function weightOf(key: string, candidates: readonly Candidate[], members: readonly number[]): number {
  if (isWeak(key)) return -members.length
  return isPairOfNames(key) ? commonNames(members.flatMap((member) => candidates[member] ?? [])) : 0
}

/** The number of names that entities with one title share with entities with another. */
function commonNames(candidates: readonly Candidate[]): number {
  const title = candidates[0]?.title
  const namesOf = (some: readonly Candidate[]) => new Set(some.flatMap(({ keys }) => keys.filter(isWeak)))
  const others = namesOf(candidates.filter((candidate) => candidate.title !== title))
  return namesOf(candidates.filter((candidate) => candidate.title === title)).intersection(others).size
}

/** Keys that end in a hash of database ids are compared by their entities. */
const textOf = ({ key }: SharedKey): string => (key.startsWith('content:') ? '' : key)

function inOrder(a: SharedKey, b: SharedKey): number {
  if (a.rank !== b.rank) return a.rank - b.rank
  if (a.weight !== b.weight) return b.weight - a.weight
  const [one, other] = [textOf(a), textOf(b)]
  if (one !== other) return one < other ? -1 : 1
  return (a.members[0] ?? 0) - (b.members[0] ?? 0)
}
