import type { Context } from '../../engine/context.ts'
import { makeId } from '../../engine/ids.ts'
import { inTurns } from '../../engine/in-turns.ts'
import { type Seeing, sightOf } from '../../identity/access/sight.ts'
import { keyOf, rankOf, sourceOf } from '../../identity/access/visibility.ts'
import { summaryOf } from '../entities/data-summary.ts'
import { ensureWords } from '../entities/dictionary.ts'
import type { Written } from '../entities/link-entities.ts'
import { extractsOf, type ObservableLink } from '../entities/observables-in.ts'
import { addTags } from '../entities/search-preparation.ts'
import { type Enforced, type Enforcement, enforce } from './enforce.ts'
import { partsChanged } from './parts.ts'
import { type RuledEntity, recordRules } from './record-rules.ts'

/** Whether a write gives whole entities, to which all rules apply, or names what it changes. */
type Scope = 'whole' | 'changes'

/** Applies rules to entities before they are stored. */
export async function applyRules(
  force: Enforcement | undefined,
  written: readonly Written[],
  scope: Scope,
): Promise<readonly Written[]> {
  if (!force || written.length === 0) return written
  const drafts = written.map((each) => ({
    entity: each.entity,
    observables: observablesBefore(each),
    changed: scope === 'changes' ? changedBy(each) : undefined,
  }))
  const enforced = await enforce(force, drafts)
  return inTurns(written, (each, i) => {
    const result = enforced[i] as Enforced
    return result.merged ? ruled(each, result) : each
  })
}

function ruled(written: Written, enforced: Enforced): Written {
  const { entity } = enforced
  const isChanged = entity !== written.entity
  return {
    ...written,
    entity: isChanged ? { ...entity, ruledBy: enforced.rules.map(({ id }) => id) } : entity,
    summary: entity.data === written.entity.data ? written.summary : summaryOf(entity.data),
    taxonomies: entity.meta.taxonomies,
    plain: written,
    enforced,
  }
}

/** The observables that an entity has after the write. */
function observablesBefore({ item, row }: Written): ObservableLink[] {
  const kept = item.observables === undefined && row ? row.observables.map((id): ObservableLink => ({ id })) : []
  return [...(item.observables ?? []), ...extractsOf(item.data, item.meta), ...kept]
}

function changedBy({ entity, row, item }: Written): ReadonlySet<string> | undefined {
  if (!row || row.is_unresolved) return undefined
  const changed = partsChanged(row, entity)
  if (item.observables || changed.has('data.extracts')) changed.add('extracts')
  return changed
}

/** Adds words to the dictionary that rules have added to entities, and that were not prepared. */
export async function ensureRuledWords(ctx: Context, written: readonly Written[], epoch: number): Promise<void> {
  const changed = written.filter(({ entity, plain }) => entity !== plain?.entity)
  const named = changed.filter(({ entity, plain }) => entity.meta.alias !== plain?.entity.meta.alias)
  const tags = changed.flatMap(({ entity, plain }) => {
    const known = new Set(plain?.entity.meta.tags)
    return entity.meta.tags.filter((tag) => !known.has(tag))
  })
  if (tags.length > 0) await addTags(ctx, [...new Set(tags)])
  if (named.length > 0) {
    await ensureWords(
      ctx,
      named.map(({ entity }) => entity.id),
      epoch,
    )
  }
}

/** Records what rules did in a write, and adds entities to their datasets. `isStored` tells which entities the write changed. */
export async function recordWritten(
  ctx: Context,
  force: Enforcement | undefined,
  written: readonly Written[],
  isStored: (written: Written) => boolean,
): Promise<void> {
  if (!force) return
  const ruledEntities = written.flatMap((each): RuledEntity[] => {
    const { enforced, entity, plain, row } = each
    if (!enforced || !plain) return []
    const ranks = [entity, plain.entity, ...(row ? [row] : [])].map(({ vis }) => rankOf(vis))
    const vis = keyOf(sourceOf(entity.vis), Math.max(...ranks))
    return [{ id: entity.id, vis, enforced, isStored: isStored(each) }]
  })
  await recordRules(ctx, force, ruledEntities, { write: makeId(), run: null })
}

/**
 * The context in which a caller reads back what they have written: a rule may have made it more restricted than they can see, which must not
 * make the write fail.
 */
export function seeingWritten(ctx: Context, written: readonly Written[]): Context {
  const keys = written.flatMap(({ enforced, entity }) => (enforced ? [entity.vis] : []))
  const sight = sightOf(ctx)
  const missing = keys.filter((key) => !sight.keys.includes(key))
  if (missing.length === 0) return ctx
  const caller: Seeing = { ...ctx.caller, sight: { ...sight, keys: [...new Set([...sight.keys, ...missing])] } }
  return { ...ctx, caller }
}
