import { sql } from 'kysely'
import type { Change } from '../../background/followers/change-log.ts'
import { defineFollower } from '../../background/followers/follower.ts'
import { causedBy } from '../../engine/cause.ts'
import { ask, readEnrichers } from './ask.ts'
import { startChains } from './chains.ts'
import { type Matched, matchWritten } from './match.ts'
import { ableOwners, activeOwners } from './owners.ts'

/** Reactions to reactions are followed up to this depth, so that automations that cause each other come to an end. */
const MAX_DEPTH = 3

/**
 * Looks up the observables of what was written, as the enrichment rules say. What an enricher wrote is not looked up: one look-up would lead to
 * the next without end.
 */
export const enrichWritten = defineFollower({
  name: 'enrichment-rules',
  collections: ['entities', 'observables'],
  isIdle: async ({ db }) => {
    const { rows } = await sql`select from enrichment_rules where is_active limit 1`.execute(db)
    return rows.length === 0
  },
  handle: async (ctx, changes) => {
    const written = changes.filter(isFollowed)
    if (written.length === 0) return
    const owners = await ableOwners(ctx, await activeOwners(ctx))
    const found = await matchWritten(ctx, [...owners.keys()], {
      entities: [...new Set(of(written, 'entities').flatMap(({ ids }) => ids))],
      observables: of(written, 'observables').flatMap(({ id, ids }) =>
        ids.map((observable) => ({ change: id, observable: Number(observable) })),
      ),
    })
    if (found.length === 0) return
    const cause = causedBy(
      'follower',
      'enrichment-rules',
      written.map((change) => change.cause),
    )
    await startChains(
      ctx.db,
      found.filter(({ enricher }) => enricher === null),
      cause.depth,
    )
    const wishes = found.filter(isWish)
    const enrichers = await readEnrichers(ctx, [...new Set(wishes.map(({ enricher }) => enricher))])
    for (const [id, caller] of owners) {
      const own = wishes.filter(({ owner }) => owner === id)
      if (own.length > 0) await ask({ ...ctx, caller, cause }, own, enrichers)
    }
  },
})

const isFollowed = ({ kind, cause }: Change): boolean =>
  kind !== 'delete' && cause?.kind !== 'enricher' && (cause?.depth ?? 0) < MAX_DEPTH

const of = (changes: readonly Change[], collection: Change['resource']): Change[] =>
  changes.filter(({ resource }) => resource === collection)

const isWish = (matched: Matched): matched is Matched & { readonly enricher: number } => matched.enricher !== null
