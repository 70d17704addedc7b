import type { Candidate, Decisions } from './blocks.ts'
import { isAssigned, isStrong, MAX_KEY_MEMBERS, rankOf } from './keys.ts'

/** A key, and the positions of at least two entities that share it. */
export interface SharedKey {
  readonly key: string
  readonly rank: number
  readonly members: readonly number[]
}

/**
 * The keys that join or suggest something, the strongest first. Only a person joins entities of different policies, and exempt ones.
 * Weak keys that few entities share say more than others, and come first.
 */
export function sharedKeys(candidates: readonly Candidate[], decisions: Decisions): SharedKey[] {
  const found: SharedKey[] = []
  for (const [key, members] of membersByKey(candidates)) {
    if (members.length < 2) continue
    if (isAssigned(key)) found.push({ key, rank: rankOf(key), members })
    else if (members.length <= MAX_KEY_MEMBERS && !decisions.switchedOff.has(key))
      for (const some of byPolicy(candidates, members, decisions.exempt))
        found.push({ key, rank: rankOf(key), members: some })
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

/** Keys that end in a hash of database ids are compared by their entities. */
const textOf = ({ key }: SharedKey): string => (key.startsWith('content:') ? '' : key)

function inOrder(a: SharedKey, b: SharedKey): number {
  if (a.rank !== b.rank) return a.rank - b.rank
  if (!isStrong(a.key) && a.members.length !== b.members.length) return a.members.length - b.members.length
  const [one, other] = [textOf(a), textOf(b)]
  if (one !== other) return one < other ? -1 : 1
  return (a.members[0] ?? 0) - (b.members[0] ?? 0)
}
