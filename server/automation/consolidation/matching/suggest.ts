import { type Block, type Candidate, type Decisions, hasSameIdentifiers, isCompatible } from './blocks.ts'
import { describeKey, isAssigned, isWeak, rankOf } from './keys.ts'
import type { SharedKey } from './shared-keys.ts'

/** An entity is in at most this many suggestions: those with the strongest keys. */
export const MAX_SUGGESTIONS = 20

/** Two entities that may be one thing. The first has the lower STIX id. */
export interface Suggestion {
  readonly first: string
  readonly second: string
  /** The keys that they share, the strongest first, and those of one kind in alphabetical order. */
  readonly keys: readonly string[]
}

interface Grouped {
  readonly keys: readonly SharedKey[]
  readonly blocks: readonly Block[]
  readonly isRefused: (one: Block, other: Block) => boolean
}

/**
 * Suggests pairs that share a key, that are not in one group, and that nothing keeps apart. A name is no reason if something keeps apart
 * any two entities of their groups: sources agree less on names than on what they describe. Inactive policies suggest nothing.
 */
export function suggestionsFor(
  candidates: readonly Candidate[],
  decisions: Decisions,
  { keys, blocks, isRefused }: Grouped,
): Suggestion[] {
  const counts = candidates.map(() => 0)
  const found = new Map<number, string[]>()

  const maySuggest = (key: string, first: number, second: number): boolean => {
    const [one, other] = [candidates[first], candidates[second]]
    const [mine, theirs] = [blocks[first], blocks[second]]
    if (!one || !other || !mine || !theirs) return false
    if (one.source === other.source && one.title !== other.title) return false
    return hasSameIdentifiers(one, other) && !isRefused(mine, theirs) && (!isWeak(key) || isCompatible(mine, theirs))
  }

  const consider = (key: string, first: number, second: number): void => {
    if (blocks[first] === blocks[second]) return
    const pair = first * candidates.length + second
    const known = found.get(pair)
    if (known) {
      known.push(key)
      return
    }
    const [one = 0, other = 0] = [counts[first], counts[second]]
    if (one >= MAX_SUGGESTIONS || other >= MAX_SUGGESTIONS || !maySuggest(key, first, second)) return
    found.set(pair, [key])
    counts[first] = one + 1
    counts[second] = other + 1
  }

  for (const { key, members } of keys) {
    if (isAssigned(key) || isFrozen(candidates[members[0] ?? 0], decisions)) continue
    for (const [i, first] of members.entries())
      for (let j = i + 1; j < members.length; j++) consider(key, first, members[j] ?? first)
  }
  return [...found]
    .sort(([a], [b]) => a - b)
    .map(([pair, reasons]) => ({
      first: candidates[Math.floor(pair / candidates.length)]?.entity ?? '',
      second: candidates[pair % candidates.length]?.entity ?? '',
      keys: withoutRepeated(reasons.sort(inOrder)),
    }))
}

/** All entities that share a key here have the same policy. */
const isFrozen = (candidate: Candidate | undefined, { frozen }: Decisions): boolean =>
  candidate !== undefined && candidate.policy !== null && frozen.has(candidate.policy)

/** An order that does not depend on other entities, which may change without these. */
const inOrder = (a: string, b: string): number => rankOf(a) - rankOf(b) || (a < b ? -1 : 1)

/** An equal title is also an equal name, which needs no mention. */
function withoutRepeated(keys: readonly string[]): string[] {
  const described = keys.map(describeKey)
  const titles = new Set(described.filter(({ kind }) => kind === 'title').map(({ value }) => value))
  return keys.filter((_, i) => !(described[i]?.kind === 'name' && titles.has(described[i]?.value ?? '')))
}
