import { type Block, type Candidate, type Decisions, hasSameIdentifiers } from './blocks.ts'
import { describeKey, isAssigned } from './keys.ts'
import type { SharedKey } from './shared-keys.ts'

/** An entity is in at most this many suggestions: those with the strongest keys. */
export const MAX_SUGGESTIONS = 20

/** Two entities that may be one thing. The first has the lower STIX id. */
export interface Suggestion {
  readonly first: string
  readonly second: string
  /** The keys that they share, the strongest first. */
  readonly keys: readonly string[]
}

interface Grouped {
  readonly keys: readonly SharedKey[]
  readonly blocks: readonly Block[]
  readonly refusals: ReadonlyMap<number, readonly number[]>
}

/** Suggests pairs that share a key, that are not in one group, and that nothing keeps apart. Inactive policies suggest nothing. */
export function suggestionsFor(
  candidates: readonly Candidate[],
  decisions: Decisions,
  { keys, blocks, refusals }: Grouped,
): Suggestion[] {
  const counts = candidates.map(() => 0)
  const found = new Map<number, string[]>()

  const maySuggest = (first: number, second: number): boolean => {
    const [one, other] = [candidates[first], candidates[second]]
    if (!one || !other || refusals.get(first)?.includes(second)) return false
    return (one.source !== other.source || one.title === other.title) && hasSameIdentifiers(one, other)
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
    if (one >= MAX_SUGGESTIONS || other >= MAX_SUGGESTIONS || !maySuggest(first, second)) return
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
      keys: withoutRepeated(reasons),
    }))
}

/** All entities that share a key here have the same policy. */
const isFrozen = (candidate: Candidate | undefined, { frozen }: Decisions): boolean =>
  candidate !== undefined && candidate.policy !== null && frozen.has(candidate.policy)

/** An equal title is also an equal name, which needs no mention. */
function withoutRepeated(keys: readonly string[]): string[] {
  const described = keys.map(describeKey)
  const titles = new Set(described.filter(({ kind }) => kind === 'title').map(({ value }) => value))
  return keys.filter((_, i) => !(described[i]?.kind === 'name' && titles.has(described[i]?.value ?? '')))
}
