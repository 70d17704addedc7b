import { isDeepStrictEqual } from 'node:util'
import { sql } from 'kysely'
import { causedBy } from '../../../engine/cause.ts'
import type { Context } from '../../../engine/context.ts'
import { inTurns } from '../../../engine/in-turns.ts'
import { NOBODY } from '../../../engine/route.ts'
import { documentList, integerList, textList, uuidList } from '../../../fast/binary-arrays.ts'
import { sourceOf } from '../../../identity/access/visibility.ts'
import { compose } from '../../../intelligence/entities/compose.ts'
import { ensureWords } from '../../../intelligence/entities/dictionary.ts'
import { insertEntities, type StoredEntity, updateEntities } from '../../../intelligence/entities/store.ts'
import { searchDocument } from '../../../search/document.ts'
import { type Composed, composeUnified } from './compose-unified.ts'
import type { Choices } from './contributor.ts'
import { haveSameLinks, storeLinks } from './link-unified.ts'
import { lockContributors, readUnified, type StoredContributor, type StoredUnified } from './read-contributors.ts'

/** A unified entity and what it is to consist of. */
export interface UnifiedGroup {
  /** The id of the unified entity. */
  readonly unified: string
  readonly stixId: string
  readonly isNew: boolean
  readonly type: string
  readonly policy: number | null
  /** The number of the source of the merge group. */
  readonly source: number
  readonly choices: Choices
  /** The ids of the contributors. */
  readonly contributors: readonly string[]
}

interface Draft extends Composed {
  readonly group: UnifiedGroup
  readonly contributors: readonly StoredContributor[]
}

/** A unified entity to be stored, and how it is stored now. */
export interface UnifiedWrite {
  readonly group: UnifiedGroup
  readonly composed: Composed
  readonly entity: StoredEntity
  readonly before: StoredUnified | undefined
}

/**
 * Stores unified entities as their contributors make them, in a constant number of statements. What has not changed is not written.
 * Returns the ids of those that were.
 */
export async function storeUnified(ctx: Context, groups: readonly UnifiedGroup[]): Promise<readonly string[]> {
  if (groups.length === 0) return []
  const contributors = await lockContributors(ctx, [...new Set(groups.flatMap((group) => group.contributors))])
  const known = await readUnified(
    ctx,
    groups.filter(({ isNew }) => !isNew).map(({ unified }) => unified),
  )
  const drafts = await inTurns(
    groups.filter((group) => group.contributors.some((id) => contributors.has(id))),
    (group): Draft => {
      const own = group.contributors.flatMap((id) => contributors.get(id) ?? [])
      return { ...composeUnified(own, group.choices, group.stixId), group, contributors: own }
    },
  )
  const keys = await keysFor(ctx, drafts)
  const writes = await inTurns(drafts, (draft, i) => writeOf(draft, keys[i] as number, known.get(draft.group.unified)))
  const changed = writes.filter(isChanged)
  await storeEntities(asConsolidation(ctx, groups), changed)
  await storeOrigins(ctx, writes)
  return changed.map(({ entity }) => entity.id)
}

/** No user created unified entities: they are caused by consolidation. */
const asConsolidation = (ctx: Context, groups: readonly UnifiedGroup[]): Context => {
  const policies = [...new Set(groups.flatMap(({ policy }) => policy ?? []))].sort((a, b) => a - b)
  return { ...ctx, caller: NOBODY, cause: ctx.cause ?? causedBy('consolidation', policies.join(), []) }
}

/** The visibility keys: only readers who hold the keys of all contributors hold them, whether or not these contribute. */
async function keysFor(ctx: Context, drafts: readonly Draft[]): Promise<number[]> {
  const { rows } = await sql<{ vis: number }>`
    select composite_of(i.source, i.rank, i.keys::integer[]) as vis
    from unnest(
      ${integerList(drafts.map(({ group }) => group.source))}::integer[],
      ${integerList(drafts.map(({ rank }) => rank))}::integer[],
      ${textList(drafts.map(({ contributors }) => `{${contributors.map(({ vis }) => vis).join()}}`))}::text[]
    ) with ordinality as i(source, rank, keys, n)
    order by i.n`.execute(ctx.db)
  return rows.map(({ vis }) => vis)
}

function writeOf(composed: Draft, vis: number, before: StoredUnified | undefined): UnifiedWrite {
  const { group, data, meta, taxonomies, attacks, titles } = composed
  const alias = typeof meta.alias === 'string' ? meta.alias : undefined
  // Found by the title of each contributor, as the contributors themselves are.
  const { vector } = searchDocument({
    data: { ...data, title: [...titles] },
    alias,
    tags: meta.tags ?? [],
    taxonomies,
    attacks,
  })
  const entity = compose({
    id: group.unified,
    data,
    meta,
    sourceNumber: sourceOf(vis),
    downgrade: 'RED',
    taxonomies,
    attacks,
    search: vector,
  })
  return { group, composed, entity, before }
}

function isChanged({ composed, entity, before }: UnifiedWrite): boolean {
  if (!before) return true
  const isSame = (name: 'vis' | 'data' | 'meta') => isDeepStrictEqual(entity[name], before[name])
  return !(isSame('vis') && isSame('data') && isSame('meta') && haveSameLinks(composed, before))
}

async function storeEntities(ctx: Context, writes: readonly UnifiedWrite[]): Promise<void> {
  if (writes.length === 0) return
  const made = writes.filter(({ before }) => !before)
  const updated = writes.flatMap(({ entity, before }) => (before ? [{ ...entity, before: before.meta }] : []))
  const inserted = made.length > 0 ? await insertEntities(ctx, entitiesOf(made)) : undefined
  if (inserted && inserted.count < made.length) throw new TypeError('The STIX id of a unified entity is taken.')
  if (made.length > 0) await markUnified(ctx, made)
  const epoch = await updateEntities(ctx, updated)
  await ensureWords(
    ctx,
    entitiesOf(writes).map(({ id }) => id),
    inserted?.epoch ?? epoch,
  )
  await storeLinks(ctx, writes)
}

const entitiesOf = (writes: readonly UnifiedWrite[]): StoredEntity[] => writes.map(({ entity }) => entity)

const markUnified = (ctx: Context, made: readonly UnifiedWrite[]) =>
  sql`
  update entities set is_unified = true
  where id = any(${uuidList(made.map(({ entity }) => entity.id))}::uuid[])`.execute(ctx.db)

/** Stores how unified entities came about, where that has changed. */
async function storeOrigins(ctx: Context, writes: readonly UnifiedWrite[]): Promise<void> {
  const changed = writes.filter(
    ({ group, composed, before }) =>
      !before ||
      before.policy !== group.policy ||
      before.source !== group.source ||
      !isDeepStrictEqual(before.provenance, composed.provenance),
  )
  if (changed.length === 0) return
  await sql`
    insert into unified_entities (entity, policy, source, provenance)
    select * from unnest(
      ${uuidList(changed.map(({ entity }) => entity.id))}::uuid[],
      ${integerList(changed.map(({ group }) => group.policy))}::integer[],
      ${integerList(changed.map(({ group }) => group.source))}::integer[],
      ${documentList(changed.map(({ composed }) => JSON.stringify(composed.provenance)))}::jsonb[])
    on conflict (entity) do update
    set policy = excluded.policy, source = excluded.source, provenance = excluded.provenance`.execute(ctx.db)
}
