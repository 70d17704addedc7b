import { identifierIn, isIdentifier } from './keys.ts'
import type { Subject } from './subject.ts'

/** A unified entity has at most this many contributors. */
export const MAX_CONTRIBUTORS = 100

/** An entity with the policy that applies to it, if any. */
export type Candidate = Subject & { readonly policy: number | null }

/** What people and policies decided about entities. */
export interface Decisions {
  /** Entities that only a person consolidates. */
  readonly exempt: ReadonlySet<string>
  /** Pairs of entities that are not the same, as `first second`. */
  readonly refused: ReadonlySet<string>
  /** Keys that join and suggest nothing. */
  readonly switchedOff: ReadonlySet<string>
  /** Policies that join nothing further. */
  readonly frozen: ReadonlySet<number>
  /** The unified entity that each entity contributes to now. */
  readonly current: ReadonlyMap<string, string>
}

/** Entities that are one thing, with what decides whether others can be the same. */
export interface Block {
  readonly members: number[]
  readonly type: string
  /** The title of each source's entities; undefined if they have several. */
  readonly titles: Map<number, string | undefined>
  /** The identifier of each scheme; undefined if there are several. */
  readonly identifiers: Map<string, string | undefined>
  /** The unified entities that members contribute to now; null for none. */
  readonly current: Set<string | null>
  /** The same, of members whose policy is frozen. */
  readonly frozen: Set<string | null>
}

/** Returns the block of a single entity. */
export function blockOf(candidate: Candidate, member: number, { frozen, current }: Decisions): Block {
  const unified = current.get(candidate.entity) ?? null
  const isFrozen = candidate.policy !== null && frozen.has(candidate.policy)
  return {
    members: [member],
    type: candidate.type,
    titles: new Map([[candidate.source, candidate.title]]),
    identifiers: identifiersIn(candidate.keys),
    current: new Set([unified]),
    frozen: new Set(isFrozen ? [unified] : []),
  }
}

function identifiersIn(keys: readonly string[]): Map<string, string | undefined> {
  const found = new Map<string, string | undefined>()
  for (const key of keys) {
    const identifier = identifierIn(key)
    if (identifier) agree(found, identifier.scheme, identifier.value)
  }
  return found
}

/** Whether no source keeps the entities of two blocks apart, and no identifier. */
export const isCompatible = (one: Block, other: Block): boolean =>
  one.type === other.type && agrees(one.titles, other.titles) && agrees(one.identifiers, other.identifiers)

/** Whether two entities have the same identifier in each scheme in which both have one. */
export function hasSameIdentifiers(one: Subject, other: Subject): boolean {
  const [mine, theirs] = [one, other].map(({ keys }) => keys.filter(isIdentifier))
  if (!mine?.length || !theirs?.length) return true
  return agrees(identifiersIn(mine), identifiersIn(theirs))
}

/** Whether the entities of two blocks may be joined although the policies of some of them join nothing further. */
export const isThawed = (one: Block, other: Block): boolean =>
  isUnchanged(one.frozen, other.current) && isUnchanged(other.frozen, one.current)

/** Whether frozen members contribute to the same unified entity as all of these. */
function isUnchanged(frozen: ReadonlySet<string | null>, current: ReadonlySet<string | null>): boolean {
  const [unified] = frozen
  return (
    frozen.size === 0 || (frozen.size === 1 && unified !== null && current.size === 1 && current.has(unified ?? null))
  )
}

/** Whether two maps have equal values wherever both have one. */
function agrees<K>(one: ReadonlyMap<K, string | undefined>, other: ReadonlyMap<K, string | undefined>): boolean {
  const [few, many] = one.size < other.size ? [one, other] : [other, one]
  for (const [key, value] of few) if (many.has(key) && (value === undefined || many.get(key) !== value)) return false
  return true
}

/** Adds the entities of a block to another. */
export function absorb(block: Block, other: Block): void {
  for (const member of other.members) block.members.push(member)
  for (const [source, title] of other.titles) agree(block.titles, source, title)
  for (const [scheme, value] of other.identifiers) agree(block.identifiers, scheme, value)
  for (const unified of other.current) block.current.add(unified)
  for (const unified of other.frozen) block.frozen.add(unified)
}

/** Sets a value that must be the only one of its key. */
function agree<K>(map: Map<K, string | undefined>, key: K, value: string | undefined): void {
  map.set(key, map.has(key) && map.get(key) !== value ? undefined : value)
}
