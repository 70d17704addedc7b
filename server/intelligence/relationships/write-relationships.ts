import { isDeepStrictEqual } from 'node:util'
import type { z } from 'zod'
import { isStrictStix1, isStrictStix2 } from '../../domain/stix-relationships.ts'
import { tlpOf, tlpRank } from '../../domain/tlp.ts'
import { duplicateFaults, itemPrefix } from '../../engine/bulk-errors.ts'
import type { AnyRow, Context, Item } from '../../engine/context.ts'
import type { Resource } from '../../engine/definition.ts'
import { badRequest, conflict } from '../../engine/errors.ts'
import { fetchRows } from '../../engine/fetch.ts'
import { makeId } from '../../engine/ids.ts'
import { type Id, type Link, toUrl } from '../../engine/reference.ts'
import { sightOf } from '../../identity/access/sight.ts'
import { keyOf, rankOf, sourceOf } from '../../identity/access/visibility.ts'
import { refuseForeignSources } from '../../identity/source-of.ts'
import { downgradeFor } from '../entities/compose.ts'
import { markOutdated } from '../entities/outdated.ts'
import { removePlaceholders } from '../entities/placeholder-references.ts'
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

/** A relationship as a request sends it. */
export interface RelationshipItem {
  readonly id?: string | undefined
  readonly data: z.output<typeof relationshipData>
  readonly meta?: z.output<typeof relationshipMeta> | undefined
  readonly sources: readonly Link[]
}

/** The message for a relationship whose ends and key another one already has. */
export const SAME_ENDS = 'The element already exists: a relationship with these ends and this key.'

/** Adds the columns that belong to `data` to the row of a relationship. */
export function shown(ctx: Context, row: AnyRow): AnyRow {
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

interface WriteOptions {
  /** Whether absent properties of `meta` are removed. */
  readonly isWhole?: boolean
  /**
   * Whether the relationships come from a document. A new id then always makes a new relationship, even if another one has the same
   * ends and key, and a known relationship keeps its sources.
   */
  readonly isImport?: boolean
}

/** The result of writing relationships. */
interface WriteResult {
  readonly rows: AnyRow[]
  readonly created: number
  isMade(row: AnyRow): boolean
  isChanged(row: AnyRow): boolean
}

/** Creates relationships, or updates known ones. */
export async function writeRelationships(
  ctx: Context,
  resource: Resource,
  items: readonly RelationshipItem[],
  options: WriteOptions = {},
): Promise<WriteResult> {
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
  refuseLoopsAndTwins(drafts, options)
  const refuse = (known: readonly (Known | undefined)[]) =>
    refuseForeignSources(ctx, items, (i) => sourcesOn(ctx, known[i], numbers))
  const { ids, made, changed, outdated } = await store(ctx, resource, drafts, options, refuse)
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

/** The row of a relationship that its author cannot see after the write: as it was sent. */
const ownRow = (item: RelationshipItem | undefined, draft: StoredRelationship | undefined, id: string): AnyRow => ({
  ...draft,
  id,
  sources: item?.sources.map((source) => source.id) ?? [],
})

/** Stores the drafts. `refuse` throws if the stored relationships that they match do not allow the change. */
async function store(
  ctx: Context,
  resource: Resource,
  drafts: readonly StoredRelationship[],
  options: WriteOptions,
  refuse: (known: readonly (Known | undefined)[]) => void,
) {
  const first = match(drafts, await lockRelationships(ctx, resource, drafts), options)
  refuse(first)
  const fresh = drafts.filter((_, i) => !first[i])
  const made = await insertRelationships(ctx, fresh)
  if (options.isImport) {
    const twins = fresh.filter(({ id }) => !made.has(id)).map((draft) => ({ ...draft, twin: draft.id }))
    for (const id of await insertRelationships(ctx, twins)) made.add(id)
  }
  // Finds relationships that another request created concurrently.
  const again =
    made.size < fresh.length ? match(drafts, await lockRelationships(ctx, resource, drafts), options) : first
  if (again !== first) refuse(drafts.map(({ id }, i) => (made.has(id) ? first[i] : again[i])))
  const found = drafts.flatMap((draft, i) => {
    const row = made.has(draft.id) ? undefined : again[i]
    // The conflicting relationship has the same source but is not visible to the caller.
    if (!row && !made.has(draft.id)) throw conflict('The element already exists.')
    return row ? [{ row, draft }] : []
  })
  const changed = found
    .map(({ row, draft }) => ({
      row,
      draft: {
        ...draft,
        id: row.id,
        twin: twinOf(row, draft, options),
        vis: keysOn(ctx, row, draft, options),
        meta: options.isWhole ? draft.meta : { ...row.meta, ...draft.meta },
      },
    }))
    .filter(({ row, draft }) => !isSame(row, draft))
  try {
    await updateRelationships(
      ctx,
      changed.map(({ draft }) => draft),
    )
  } catch (error) {
    // The message of the constraint would reveal column names and values.
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
 * The value that distinguishes a relationship from another one with the same ends and key. A relationship that a document moves to
 * other ends gets its own id, because the document may also contain another relationship with these ends.
 */
const twinOf = (row: Known, draft: StoredRelationship, { isImport = false }: WriteOptions): string | null =>
  isImport && row.twin === null && endsOf(row) !== endsOf(draft) ? row.id : row.twin

/** The visibility keys of a relationship after an update: its sources in its new colour. */
function keysOn(ctx: Context, row: Known, draft: StoredRelationship, { isWhole, isImport }: WriteOptions): number[] {
  const saysColour = isWhole || draft.meta.tlp_color !== undefined
  const rank = rankOf((saysColour ? draft.vis[0] : row.vis[0]) ?? 0)
  const coloured = (keys: readonly number[]) => keys.map((key) => keyOf(sourceOf(key), rank))
  if (isImport) return coloured(row.vis)
  // Keeps the sources that the caller cannot see.
  const held = new Set(sightOf(ctx).keys)
  return [...new Set([...coloured(draft.vis), ...row.vis.filter((key) => !held.has(key))])]
}

/** Whether nothing has changed, which is the usual case for feeds that repeat their content. */
const isSame = (row: Known, draft: StoredRelationship): boolean =>
  (['source', 'target', 'key', 'subtype', 'vis', 'data', 'meta'] as const).every((name) =>
    isDeepStrictEqual(row[name], draft[name]),
  )

/** The stored relationship that each draft matches: the one with its id, otherwise a visible one with its ends and key. */
function match(
  drafts: readonly StoredRelationship[],
  known: readonly Known[],
  { isImport = false }: WriteOptions,
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

function refuseLoopsAndTwins(drafts: readonly StoredRelationship[], { isImport = false }: WriteOptions): void {
  const loops = drafts.flatMap(({ source, target }, i) =>
    source === target ? [`${itemPrefix(drafts, i)}data.target: must not be the same entity as data.source`] : [],
  )
  const twins = [
    ...duplicateFaults(drafts, ({ id }) => id, 'id'),
    ...(isImport ? [] : duplicateFaults(drafts, endsOf, 'source, key and target')),
  ]
  if (loops.length + twins.length > 0) throw badRequest([...loops, ...twins])
}
