import { sql } from 'kysely'
import { itemPrefix } from '../../engine/bulk-errors.ts'
import type { Context, Item } from '../../engine/context.ts'
import type { Operations, Resource } from '../../engine/definition.ts'
import { badRequest, conflict, notFound, retry } from '../../engine/errors.ts'
import type { Id, Link } from '../../engine/reference.ts'
import { visible } from '../../engine/select.ts'
import { standard } from '../../engine/standard.ts'
import { refuseNewLinks, refuseUnified, unifiedAmong } from '../entities/refuse-unified.ts'
import { dropUnused, storeBlobs } from './blobs.ts'
import type { Content } from './content.ts'
import { type AttachmentLink, lockRelatedEntities, recordChanges, relatedOf } from './related.ts'

/** An attachment as a request sends it. */
interface AttachmentItem extends Item {
  readonly id?: string | undefined
  readonly data?: Content | null | undefined
  readonly entities?: readonly Link[] | null | undefined
}

/** The standard operations, which also store the content and record changes of the related entities. */
export const attachmentOperations: Operations = {
  list: standard.list,
  get: standard.get,
  create: async (ctx, resource, item: AttachmentItem) => {
    if (!item.data) throw badRequest('data: is required')
    await refuseUnified(ctx, item.entities?.map(({ id }) => id) ?? [])
    await lockRelatedEntities(ctx, [item])
    await storeBlobs(ctx, [item.data])
    const row = await standard.create(ctx, resource, stored(item))
    await recordChanges(ctx, [], await relatedOf(ctx, [row.id]))
    return row
  },
  upsert: async (ctx, resource, sent: AttachmentItem[]) => {
    const known = await lockAttachments(
      ctx,
      resource,
      sent.flatMap(({ id }) => id ?? []),
    )
    refuse(ctx, known, sent)
    const before = await relatedOf(ctx, [...known.keys()])
    const items = await withUnified(ctx, sent, before)
    await lockRelatedEntities(ctx, items)
    await storeBlobs(ctx, contentsOf(items))
    const { rows, created } = await standard.upsert(
      ctx,
      resource,
      items.map((item) => stored(item, known)),
    )
    // Another request created one of them after we looked. Its previous content would never be deleted.
    if (created < items.length - known.size) throw retry('An attachment was created during the write.')
    await dropUnused(ctx, replacedBy(known, items))
    const ids = rows.map(({ id }) => id)
    await recordChanges(ctx, before, await relatedOf(ctx, ids))
    return { rows, created }
  },
  update: async (ctx, resource, id, patch: AttachmentItem) => {
    const known = await lockAttachments(ctx, resource, [id])
    if (!known.get(id)?.is_visible) throw notFound(id)
    const sent = [{ ...patch, id: String(id) }]
    refuse(ctx, known, sent)
    const before = await relatedOf(ctx, [id])
    const items = await withUnified(ctx, sent, before)
    await lockRelatedEntities(ctx, items)
    await storeBlobs(ctx, contentsOf(items))
    const { id: _, ...change } = items[0] ?? patch
    const row = await standard.update(ctx, resource, id, stored(change))
    await dropUnused(ctx, replacedBy(known, items))
    await recordChanges(ctx, before, await relatedOf(ctx, [id]))
    return row
  },
  remove: async (ctx, resource, ids) => {
    const known = await lockAttachments(ctx, resource, ids)
    const before = await relatedOf(ctx, ids)
    await standard.remove(ctx, resource, ids)
    await dropUnused(
      ctx,
      [...known.values()].map(({ sha256 }) => sha256),
    )
    await recordChanges(ctx, before, [])
  },
}

interface Locked {
  readonly id: Id
  readonly sha256: string
  readonly created_by: number | null
  readonly is_visible: boolean
}

/** Locks attachments. Every request locks them before their contents, so that no two requests can deadlock. */
async function lockAttachments(ctx: Context, resource: Resource, ids: readonly Id[]): Promise<Map<Id, Locked>> {
  if (ids.length === 0) return new Map()
  const { rows } = await sql<Locked>`
    select t.id, encode(t.sha256, 'hex') as sha256, t.created_by, ${visible(ctx, resource)} as is_visible
    from attachments as t
    where t.id = any(${ids}::uuid[])
    order by t.id
    for update of t`.execute(ctx.db)
  return new Map(rows.map((row) => [row.id, row]))
}

/** Refuses new attachments without content, and changes that would hide the attachment from the caller. */
function refuse(ctx: Context, known: ReadonlyMap<Id, Locked>, items: readonly AttachmentItem[]): void {
  const faults = items.flatMap(({ id, data }, i) =>
    data || known.has(id ?? '') ? [] : [`${itemPrefix(items, i)}data: is required`],
  )
  if (faults.length > 0) throw badRequest(faults)
  const hiding = items.findIndex(({ id, entities }) => {
    const row = known.get(id ?? '')
    const isEmptied = entities === null || entities?.length === 0
    return isEmptied && row?.is_visible && row.created_by !== ctx.caller.id
  })
  if (hiding < 0) return
  throw conflict(
    `${itemPrefix(items, hiding)}entities: must not be empty, because you see this attachment only through an entity; delete it instead.`,
  )
}

/** Keeps the links with unified entities, which follow from their contributors, and refuses new ones. */
async function withUnified(
  ctx: Context,
  items: readonly AttachmentItem[],
  before: readonly AttachmentLink[],
): Promise<AttachmentItem[]> {
  const setters = items.filter(({ entities }) => entities)
  if (setters.length === 0) return [...items]
  const links = setters.flatMap(({ id = '', entities }) =>
    (entities ?? []).map((entity) => ({ entity: String(entity.id), target: id })),
  )
  await refuseNewLinks(ctx, 'entity_attachments', links)
  const unified = await unifiedAmong(ctx, { ids: [...new Set(before.map(({ entity }) => entity))] })
  const kept = Map.groupBy(
    before.filter(({ entity }) => unified.has(entity)),
    ({ attachment }) => attachment,
  )
  return items.map((item) => {
    const own = kept.get(item.id ?? '') ?? []
    return item.entities && own.length > 0
      ? { ...item, entities: [...item.entities, ...own.map(({ entity }) => ({ id: entity }))] }
      : item
  })
}

const contentsOf = (items: readonly AttachmentItem[]): Content[] => items.flatMap(({ data }) => data ?? [])

const replacedBy = (known: ReadonlyMap<Id, Locked>, items: readonly AttachmentItem[]): string[] =>
  items.flatMap(({ id, data }) => {
    const before = known.get(id ?? '')?.sha256
    return data && before !== undefined && before !== data.sha256 ? [before] : []
  })

/** The row of an attachment. An upsert needs the hash even if the row exists, because the column is not null. */
function stored({ data, ...item }: AttachmentItem, known?: ReadonlyMap<Id, Locked>): Item {
  const sha256 = data?.sha256 ?? known?.get(item.id ?? '')?.sha256
  return sha256 === undefined ? item : { ...item, sha256: `\\x${sha256}` }
}
