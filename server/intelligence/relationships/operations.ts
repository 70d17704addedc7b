import { isDeepStrictEqual } from 'node:util'
import { sql } from 'kysely'
import type { z } from 'zod'
import { isStrictStix1, isStrictStix2 } from '../../domain/stix-relationships.ts'
import { tlpOf, tlpRank } from '../../domain/tlp.ts'
import { badRequest, conflict, notFound } from '../../engine/errors.ts'
import { fetchRows } from '../../engine/fetch.ts'
import { makeId } from '../../engine/ids.ts'
import { mergeDocuments } from '../../engine/merge.ts'
import type { ListPlan } from '../../engine/query.ts'
import { type Id, type Link, toUrl } from '../../engine/reference.ts'
import type { AnyRow, Context, Item, Operations, Resource } from '../../engine/resource.ts'
import { standard } from '../../engine/standard.ts'
import { sightOf } from '../../identity/access/sight.ts'
import { keyOf, rankOf, sourceOf } from '../../identity/access/visibility.ts'
import { refuseForeignSources } from '../../identity/source-of.ts'
import { removePlaceholders } from '../entities/awaited.ts'
import { downgradeFor } from '../entities/compose.ts'
import { markOutdated } from '../entities/outdated.ts'
import { findEnds } from './ends.ts'
import { sourcesNamed, sourcesOn } from './named-sources.ts'
import type { relationshipData, relationshipMeta } from './relationships.ts'
import {
  insertRelationships,
  type Known,
  lockRelationships,
  type StoredRelationship,
  updateRelationships,
} from './store.ts'

/** A relationship as a request gives it. */
export interface RelationshipItem {
  readonly id?: string | undefined
  readonly data: z.output<typeof relationshipData>
  readonly meta?: z.output<typeof relationshipMeta> | undefined
  readonly sources: readonly Link[]
}

const SAME_ENDS = 'The element already exists: a relationship with these ends and this key.'

/** What a relationship says is made of more than its document. */
const withParts = (plan: ListPlan): ListPlan =>
  plan.attributes?.some((path) => /^data\b/.test(path)) ? { ...plan, attributes: [...plan.attributes, 'data'] } : plan

/** What relationships do: two entities are looked up, or waited for, by whatever they are called. */
export const operations: Operations = {
  list: async (ctx, resource, plan) => {
    const page = await standard.list(ctx, resource, withParts(plan))
    return { ...page, rows: page.rows.map((row) => shown(ctx, row)) }
  },
  get: async (ctx, resource, id) => shown(ctx, await standard.get(ctx, resource, id)),
  create: async (ctx, resource, item: RelationshipItem) => {
    const { rows, created } = await writeRelationships(ctx, resource, [item])
    if (created === 0) throw conflict(SAME_ENDS)
    return rows[0] ?? { id: '' }
  },
  upsert: (ctx, resource, items: RelationshipItem[]) => writeRelationships(ctx, resource, items),
  update: async (ctx, resource, id, patch: Item) => {
    if (patch.sources === undefined) throw badRequest('sources: is required')
    const [known] = await lockRelationships(ctx, resource, [
      { id: String(id), source: makeId(), target: makeId(), key: '', subtype: null },
    ])
    if (!known?.is_visible) throw notFound(id)
    const { source, target, key, subtype } = known
    const current = { id, data: { ...known.data, source, target, key, ...(subtype && { subtype }) }, meta: known.meta }
    const merged = mergeDocuments(resource, current, { data: {}, meta: {}, ...patch })
    const item = { ...merged, id: String(id) } as unknown as RelationshipItem
    const { rows } = await writeRelationships(ctx, resource, [item], { isWhole: true })
    return rows[0] ?? { id }
  },
  remove: async (ctx, resource, ids) => {
    const { rows } = await sql<{ source: string; target: string; subtype: string | null }>`
      select source, target, subtype from relationships
      where id = any(${ids}::uuid[])`.execute(ctx.db)
    await standard.remove(ctx, resource, ids)
    await markOutdated(
      ctx,
      rows.filter(({ subtype }) => subtype === 'stix_update_of').map(({ target }) => target),
    )
    await removePlaceholders(ctx, { ids: rows.flatMap(({ source, target }) => [source, target]) })
  },
}

function shown(ctx: Context, row: AnyRow): AnyRow {
  if (row.data === undefined) return row
  const url = (id: unknown) => toUrl(ctx.baseUrl, 'entities', id as Id)
  const { key, subtype, source, target } = row
  return {
    ...row,
    data: {
      ...(row.data as Item),
      key,
      ...(subtype !== null && { subtype }),
      source: url(source),
      target: url(target),
    },
  }
}

interface Manner {
  /** Whether what is not given goes away. */
  readonly isWhole?: boolean
  /**
   * Whether they come out of a document: one with an id of its own stands beside another with the same ends and key, and is not
   * taken for it; one that is known stays with its sources.
   */
  readonly isImport?: boolean
}

/** What came of writing relationships. */
interface Outcome {
  readonly rows: AnyRow[]
  readonly created: number
  isMade(row: AnyRow): boolean
  isChanged(row: AnyRow): boolean
}

/** Makes relationships, or updates those that are known. */
export async function writeRelationships(
  ctx: Context,
  resource: Resource,
  items: readonly RelationshipItem[],
  manner: Manner = {},
): Promise<Outcome> {
  const numbers = await sourcesNamed(ctx, items)
  const downgrade = await downgradeFor(
    ctx,
    items.map(({ meta }) => meta),
  )
  const colours = items.map(({ meta }) => (meta?.tlp_color ? tlpOf(meta.tlp_color, downgrade) : null))
  const keysOf = (i: number) =>
    (items[i]?.sources ?? []).map(({ id }) => keyOf(numbers.get(id)?.number ?? 0, tlpRank(colours[i] ?? 'NONE')))
  const ends = await findEnds(
    ctx,
    items.map(({ data }) => data),
    (i) => keysOf(i)[0] ?? 0,
  )
  const drafts = items.map((item, i): StoredRelationship => {
    const { source, target, key = '', subtype = null, ...data } = item.data
    const from = ends[i]?.source ?? { id: '', type: '' }
    const to = ends[i]?.target ?? { id: '', type: '' }
    return {
      id: item.id ?? makeId(),
      source: from.id,
      target: to.id,
      key,
      subtype,
      vis: [...new Set(keysOf(i))],
      strict_stix_1: isStrictStix1(from.type, key, to.type),
      strict_stix_2: isStrictStix2(from.type, key, to.type),
      data,
      meta: { ...item.meta, ...(item.meta?.tlp_color !== undefined && { tlp_color: colours[i] ?? null }) },
    }
  })
  refuseLoopsAndTwins(drafts, manner)
  const refuse = (known: readonly (Known | undefined)[]) =>
    refuseForeignSources(ctx, items, (i) => sourcesOn(ctx, known[i], numbers))
  const { ids, made, changed, outdated } = await store(ctx, resource, drafts, manner, refuse)
  await markOutdated(ctx, outdated)
  const rows = await fetchRows(ctx, resource, ids)
  const byId = new Map(rows.map((row) => [row.id, row]))
  return {
    rows: ids.map((id, i) => shown(ctx, byId.get(id) ?? ownRow(items[i], drafts[i], id))),
    created: made.size,
    isMade: ({ id }) => made.has(String(id)),
    isChanged: ({ id }) => changed.has(String(id)),
  }
}

/** Somebody may write what they cannot see afterwards: they get back what they sent. */
const ownRow = (item: RelationshipItem | undefined, draft: StoredRelationship | undefined, id: string): AnyRow => ({
  ...draft,
  id,
  sources: item?.sources.map((source) => source.id) ?? [],
})

/** Writes the drafts; `refuse` throws where the relationships that they stand for do not allow it. */
async function store(
  ctx: Context,
  resource: Resource,
  drafts: readonly StoredRelationship[],
  manner: Manner,
  refuse: (known: readonly (Known | undefined)[]) => void,
) {
  const first = match(drafts, await lockRelationships(ctx, resource, drafts), manner)
  refuse(first)
  const fresh = drafts.filter((_, i) => !first[i])
  const made = await insertRelationships(ctx, fresh)
  if (manner.isImport) {
    const twins = fresh.filter(({ id }) => !made.has(id)).map((draft) => ({ ...draft, twin: draft.id }))
    for (const id of await insertRelationships(ctx, twins)) made.add(id)
  }
  // What another request made in the meantime is known by now.
  const again = made.size < fresh.length ? match(drafts, await lockRelationships(ctx, resource, drafts), manner) : first
  if (again !== first) refuse(drafts.map(({ id }, i) => (made.has(id) ? first[i] : again[i])))
  const found = drafts.flatMap((draft, i) => {
    const row = made.has(draft.id) ? undefined : again[i]
    // What stands in the way is one from the same source that the caller may not see.
    if (!row && !made.has(draft.id)) throw conflict('The element already exists.')
    return row ? [{ row, draft }] : []
  })
  const changed = found
    .map(({ row, draft }) => ({
      row,
      draft: {
        ...draft,
        id: row.id,
        twin: twinOf(row, draft, manner),
        vis: keysOn(ctx, row, draft, manner),
        meta: manner.isWhole ? draft.meta : { ...row.meta, ...draft.meta },
      },
    }))
    .filter(({ row, draft }) => !isSame(row, draft))
  try {
    await updateRelationships(
      ctx,
      changed.map(({ draft }) => draft),
    )
  } catch (error) {
    // The constraint would name its columns and their values.
    if (error instanceof Error && 'code' in error && error.code === '23505') throw conflict(SAME_ENDS)
    throw error
  }
  const left = changed.flatMap(({ row, draft }) =>
    [row.source, row.target].filter((end) => end !== draft.source && end !== draft.target),
  )
  await removePlaceholders(ctx, { ids: left })
  const ids = drafts.map((draft, i) => (made.has(draft.id) ? draft.id : (again[i]?.id ?? draft.id)))
  const updates = [...drafts, ...found.map(({ row }) => row)].filter(({ subtype }) => subtype === 'stix_update_of')
  return {
    ids,
    made,
    changed: new Set([...made, ...changed.map(({ row }) => row.id)]),
    outdated: updates.map(({ target }) => target),
  }
}

/**
 * What tells a relationship from another one with its ends and key. One that a document moves to other ends gets its own id: another one may
 * have these ends already, and both are in the document.
 */
const twinOf = (row: Known, draft: StoredRelationship, { isImport = false }: Manner): string | null =>
  isImport && row.twin === null && endsOf(row) !== endsOf(draft) ? row.id : row.twin

/** Who sees a relationship after an update: by its sources, in the colour that it has then. */
function keysOn(ctx: Context, row: Known, draft: StoredRelationship, { isWhole, isImport }: Manner): number[] {
  const saysColour = isWhole || draft.meta.tlp_color !== undefined
  const rank = rankOf((saysColour ? draft.vis[0] : row.vis[0]) ?? 0)
  const coloured = (keys: readonly number[]) => keys.map((key) => keyOf(sourceOf(key), rank))
  if (isImport) return coloured(row.vis)
  // Sources that the caller cannot see are not theirs to take away.
  const held = new Set(sightOf(ctx).keys)
  return [...new Set([...coloured(draft.vis), ...row.vis.filter((key) => !held.has(key))])]
}

/** Whether there is nothing to write: what comes again and again in feeds is mostly the same. */
const isSame = (row: Known, draft: StoredRelationship): boolean =>
  (['source', 'target', 'key', 'subtype', 'vis', 'data', 'meta'] as const).every((name) =>
    isDeepStrictEqual(row[name], draft[name]),
  )

/** The relationship that each draft stands for: the one with its id, else a visible one with its ends and key. */
function match(
  drafts: readonly StoredRelationship[],
  known: readonly Known[],
  { isImport = false }: Manner,
): (Known | undefined)[] {
  const byId = new Map(known.map((row) => [row.id, row]))
  const byEnds = new Map(known.filter(({ is_visible }) => is_visible).map((row) => [endsOf(row), row]))
  return drafts.map((draft) => {
    const own = byId.get(draft.id)
    if (own && !own.is_visible) throw conflict('The element already exists.')
    return own ?? (isImport ? undefined : byEnds.get(endsOf(draft)))
  })
}

const endsOf = ({ source, target, key, subtype }: Pick<Known, 'source' | 'target' | 'key' | 'subtype'>): string =>
  [source, target, key, subtype ?? ''].join(' ')

function refuseLoopsAndTwins(drafts: readonly StoredRelationship[], { isImport = false }: Manner): void {
  const where = (position: number) => (drafts.length > 1 ? `[${position}].` : '')
  const loops = drafts.flatMap(({ source, target }, i) =>
    source === target ? [`${where(i)}data.target: must not be the same entity as data.source`] : [],
  )
  const positions = (nameOf: (draft: StoredRelationship) => string) =>
    [...Map.groupBy(drafts.keys(), (i) => nameOf(drafts[i] as StoredRelationship)).values()].filter(
      ({ length }) => length > 1,
    )
  const twins = [
    ...positions(({ id }) => id).map((same) => `${same.map((i) => `[${i}]`).join(' and ')} have the same id.`),
    ...(isImport ? [] : positions(endsOf)).map(
      (same) => `${same.map((i) => `[${i}]`).join(' and ')} have the same source, key and target.`,
    ),
  ]
  if (loops.length + twins.length > 0) throw badRequest([...loops, ...twins])
}
