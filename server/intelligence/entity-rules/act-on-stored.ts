import type { Context, Item } from '../../engine/context.ts'
import { makeId } from '../../engine/ids.ts'
import { inTurns } from '../../engine/in-turns.ts'
import { relink } from '../../engine/links.ts'
import type { Id } from '../../engine/reference.ts'
import { resourceOf, visible } from '../../engine/select.ts'
import { keyOf, rankOf, sourceOf } from '../../identity/access/visibility.ts'
import { compose } from '../entities/compose.ts'
import { ensureWords } from '../entities/dictionary.ts'
import type { ObservableLink } from '../entities/observables-in.ts'
import type { EntityRow } from '../entities/state.ts'
import { lockEntities, type StoredEntity, updateEntities } from '../entities/store.ts'
import { type Enforced, type Enforcement, enforce, prepareRules } from './enforce.ts'
import { readsAny } from './parts.ts'
import { type Occasion, recordRules } from './record-rules.ts'
import type { Rule } from './rule.ts'

/** Entities at a time, of which each has its own statements: a change of a tag can concern any number. */
const BATCH_SIZE = 500

/** An entity that is stored, as a write would store it again. */
export const storedAgain = (row: EntityRow): StoredEntity =>
  compose({
    id: row.id,
    data: row.data,
    meta: row.meta,
    sourceNumber: sourceOf(row.vis),
    downgrade: 'RED',
    taxonomies: row.meta.taxonomies,
    attacks: row.meta.attacks,
  })

/** Stores entities, the previous states of which are locked: rows, words, and links to taxonomies. */
export async function storeAgain(
  ctx: Context,
  changed: readonly { readonly row: EntityRow; readonly entity: StoredEntity }[],
): Promise<void> {
  if (changed.length === 0) return
  const epoch = await updateEntities(
    ctx,
    changed.map(({ row, entity }) => ({ ...entity, before: row.meta })),
  )
  await ensureWords(
    ctx,
    changed.map(({ row }) => row.id),
    epoch,
  )
  const isMoved = ({ row, entity }: (typeof changed)[number]) =>
    String(row.meta.taxonomies) !== String(entity.meta.taxonomies)
  const links = changed
    .filter(isMoved)
    .map(({ row, entity }): [string, Item] => [row.id, { taxonomies: entity.meta.taxonomies.map((id) => ({ id })) }])
  await relink(ctx, resourceOf(ctx, 'entities'), new Map(links))
}

/** Lets rules act on stored entities, whose rows it locks. Gives the ids of the entities on which they did something. */
export async function actOnStored(
  force: Enforcement,
  ids: readonly string[],
  {
    changed,
    mayBegin,
    occasion,
  }: { changed?: ReadonlySet<string>; mayBegin?: (rule: Rule) => boolean; occasion: Occasion },
): Promise<{ readonly judged: number; readonly matched: number; readonly changed: number }> {
  const { ctx } = force
  const rows = await lockEntities(ctx, 'id', ids, visible(ctx, resourceOf(ctx, 'entities')))
  const { subjects, enforced } = await enforceStored(force, rows, changed, mayBegin)
  const ruled = subjects.flatMap(({ row, entity }, i) => {
    const result = enforced[i] as Enforced
    return result.merged ? [{ row, before: entity, result }] : []
  })
  const others = ruled.filter(({ before, result }) => result.entity !== before)
  await storeAgain(
    ctx,
    others.map(({ row, result }) => ({
      row,
      entity: { ...result.entity, ruledBy: result.rules.map(({ id }) => id) },
    })),
  )
  const recorded = ruled.map(({ row, before, result }) => ({
    id: row.id,
    vis: keyOf(sourceOf(row.vis), Math.max(rankOf(row.vis), rankOf(result.entity.vis))),
    enforced: result,
    isStored: result.entity !== before,
  }))
  return { judged: subjects.length, matched: ruled.length, changed: await recordRules(ctx, force, recorded, occasion) }
}

/** What rules would make of stored entities. */
export async function enforceStored(
  force: Enforcement,
  rows: readonly EntityRow[],
  changed?: ReadonlySet<string>,
  mayBegin?: (rule: Rule) => boolean,
) {
  // A placeholder has no content, and that of a unified entity follows from its contributors.
  const known = rows.filter((row) => !row.is_unresolved && !row.is_unified)
  const subjects = await inTurns(known, (row) => ({ row, entity: storedAgain(row) }))
  const drafts = subjects.map(({ row, entity }) => ({
    entity,
    observables: row.observables.map((id): ObservableLink => ({ id })),
    changed,
  }))
  return { subjects, enforced: await enforce(force, drafts, mayBegin) }
}

/** Lets the rules that read a part act on entities of which a statement changed this part, in the transaction of the change. */
export async function afterChange(ctx: Context, ids: readonly Id[], part: string): Promise<void> {
  const force = ids.length === 0 ? undefined : await prepareRules(ctx)
  const changed = new Set([part])
  if (!force?.rules.some((rule) => readsAny(rule, changed))) return
  const occasion = { write: makeId(), run: null }
  for (let from = 0; from < ids.length; from += BATCH_SIZE)
    await actOnStored(force, ids.slice(from, from + BATCH_SIZE).map(String), { changed, occasion })
}
