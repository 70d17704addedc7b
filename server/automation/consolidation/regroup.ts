import { causedBy } from '../../engine/cause.ts'
import type { Context } from '../../engine/context.ts'
import { leaveAssigned } from './assigned-keys.ts'
import { readAssignedSources } from './assigned-sources.ts'
import { removeUnified } from './composing/remove-unified.ts'
import { storeUnified } from './composing/store-unified.ts'
import { readCoverage } from './coverage.ts'
import { type Decided, decide, type Group } from './decide.ts'
import { lockConsolidation } from './lock.ts'
import { isAssigned, isStrong } from './matching/keys.ts'
import { compareMemberships, lockContributors, type MembershipChanges, storeMemberships } from './memberships.ts'
import { type Neighbour, readNeighbourhood } from './neighbourhood.ts'
import { ENDINGS, type Ending, recordBeginnings, recordEndings } from './record-events.ts'
import { type Involved, refreshSubjects } from './subjects.ts'
import { pairOf, readPairs, storeSuggestions } from './suggested-pairs.ts'
import { countKeys } from './switched-off.ts'

/** What became of some entities. */
export interface Regrouped {
  /** How many of them take part. */
  readonly judged: number
  /** How many entities came to contribute to a unified entity. */
  readonly joined: number
  /** How many entities stopped contributing. */
  readonly left: number
  /** How many unified entities are new. */
  readonly groups: number
  /** How many suggestions are new. */
  readonly suggestions: number
  /** How many entities were not joined because a group was full. */
  readonly full: number
  /** The policies with entities that are connected with too many others to join them. */
  readonly overgrown: ReadonlySet<number>
}

const UNCHANGED: Regrouped = { judged: 0, joined: 0, left: 0, groups: 0, suggestions: 0, full: 0, overgrown: new Set() }

/**
 * Groups these entities again, with everything that is connected with them, and brings their unified entities up to date. The result depends
 * only on what is stored, not on the order of calls. Needs a transaction, in which it locks first what it changes; takes the same number of
 * statements for any number of entities. `reason` says why memberships of these entities end.
 */
export async function regroup(ctx: Context, entities: readonly string[], reason?: string): Promise<Regrouped> {
  if (entities.length === 0) return UNCHANGED
  await lockConsolidation(ctx.db)
  const coverage = await readCoverage(ctx.db)
  const alone = await leaveAssigned(ctx, entities, 'gone')
  const asked = [...new Set([...entities, ...alone])]
  const { involved, gone, lost, changes: keyChanges } = await refreshSubjects(ctx, coverage, asked)
  if (involved.length === 0) return UNCHANGED
  const { shared, switched } = await countKeys(ctx, keyChanges)
  const connected = involved.filter((each) => isConnected(each, shared)).map(({ entity }) => entity)
  const found = await readNeighbourhood(ctx, connected, { lost, switched })
  const neighbours = await lockConnected(ctx, found)
  const pairs = await readPairs(ctx, [...new Set([...involved, ...found].map(({ entity }) => entity))])
  const refused = new Set(
    pairs.filter(({ state }) => state === 'refused').map((pair) => pairOf(pair.first, pair.second)),
  )
  const decided = decide(coverage, neighbours, refused, await readAssignedSources(ctx, neighbours))
  const changes = await store(withCause(ctx), neighbours, decided, {
    asked: new Set(asked),
    gone: new Set(gone),
    reason,
  })
  const suggestions = await storeSuggestions(
    ctx,
    pairs,
    decided.suggestions,
    new Set([...involved, ...neighbours.filter(({ is_core }) => is_core)].map(({ entity }) => entity)),
    new Set(gone),
    new Map(neighbours.flatMap(({ entity, subject }) => (subject ? [[entity, subject.type]] : []))),
  )
  return {
    judged: involved.length,
    joined: changes.begun.length,
    left: changes.gone.length,
    groups: decided.groups.filter(({ isNew }) => isNew).length,
    suggestions,
    full: decided.full,
    overgrown: decided.overgrown,
  }
}

/** Whether an entity may have to do with others. */
const isConnected = ({ keys, is_contributor }: Involved, shared: ReadonlySet<string>): boolean =>
  is_contributor || keys.some((key) => isAssigned(key) || shared.has(key))

/** Locks what may be joined. What has gone or was withdrawn meanwhile takes no part. */
async function lockConnected(ctx: Context, neighbours: readonly Neighbour[]): Promise<readonly Neighbour[]> {
  const holders = new Map<string, number>()
  for (const { is_core, keys, off } of neighbours) {
    if (!is_core) continue
    for (const key of keys) if (isStrong(key) && !off.includes(key)) holders.set(key, (holders.get(key) ?? 0) + 1)
  }
  const mayContribute = ({ is_core, subject, keys, membership }: Neighbour): boolean =>
    is_core && subject !== null && (membership !== null || keys.some((key) => (holders.get(key) ?? 0) > 1))
  const candidates = neighbours.filter(mayContribute).map(({ entity }) => entity)
  const able = await lockContributors(ctx, candidates)
  const unable = new Set(candidates.filter((entity) => !able.has(entity)))
  return neighbours.map((each) => (unable.has(each.entity) ? { ...each, subject: null } : each))
}

interface Occasion {
  readonly asked: ReadonlySet<string>
  readonly gone: ReadonlySet<string>
  readonly reason: string | undefined
}

async function store(
  ctx: Context,
  neighbours: readonly Neighbour[],
  { groups }: Decided,
  occasion: Occasion,
): Promise<MembershipChanges> {
  const changes = compareMemberships(neighbours, groups)
  const { begun, restated, ended } = changes
  const present = new Set(groups.map(({ unified }) => unified))
  const touched = new Set([...begun, ...restated, ...ended].map(({ unified }) => unified))
  await storeMemberships(ctx, changes)
  const due = groups.filter(
    ({ unified, contributors }) => touched.has(unified) || contributors.some((entity) => occasion.asked.has(entity)),
  )
  const endings = endingsOf(neighbours, groups, changes, occasion)
  // Before the unified entities change: their readers need not see what has left them.
  await recordEndings(
    ctx,
    endings.filter(({ heir }) => heir === null),
  )
  if (due.length > 0) await storeUnified(ctx, due)
  await recordEndings(
    ctx,
    endings.filter(({ heir }) => heir !== null),
  )
  await recordBeginnings(ctx, due, begun)
  const empty = [...new Set(ended.map(({ unified }) => unified))].filter((unified) => !present.has(unified))
  if (empty.length > 0) await removeUnified(ctx, empty)
  return changes
}

/** Why memberships ended, and which unified entities took others in. */
function endingsOf(
  neighbours: readonly Neighbour[],
  groups: readonly Group[],
  { ended }: MembershipChanges,
  { asked, gone, reason }: Occasion,
): Ending[] {
  const heirs = new Map(groups.flatMap(({ contributors, unified }) => contributors.map((entity) => [entity, unified])))
  const present = new Set(groups.map(({ unified }) => unified))
  const able = new Set(neighbours.filter(({ subject }) => subject !== null).map(({ entity }) => entity))
  return ended.map(({ entity, unified }) => {
    const heir = heirs.get(entity) ?? null
    if (heir !== null && !present.has(unified)) return { entity, unified, reason: ENDINGS.absorbed, heir }
    if (gone.has(entity)) return { entity, unified, reason: ENDINGS.deleted, heir: null }
    const own = asked.has(entity) ? reason : undefined
    return { entity, unified, reason: own ?? (able.has(entity) ? ENDINGS.apart : ENDINGS.withdrawn), heir: null }
  })
}

/** Unified entities are written by consolidation, whatever made it necessary. */
const withCause = (ctx: Context): Context =>
  ctx.cause?.kind === 'consolidation' ? ctx : { ...ctx, cause: causedBy('consolidation', '', [ctx.cause]) }
