import { sql } from 'kysely'
import { sightOf } from '../../auth/sight.ts'
import { tlpOf } from '../../domain/tlp.ts'
import { badRequest } from '../../engine/errors.ts'
import { fetchRows } from '../../engine/fetch.ts'
import type { Context, Item, Operations } from '../../engine/resource.ts'
import { standard } from '../../engine/standard.ts'
import { serverSetting } from '../../settings/server.ts'
import { readSetting } from '../../settings/setting.ts'
import { sweepSoon } from '../stored-blobs/sweep-soon.ts'
import { idle, startProcessing, unprocessed } from './process.ts'

/** What a request says of a file whose content is stored. */
interface FileItem extends Item {
  readonly name?: string | undefined
  readonly sha256?: string | undefined
  readonly process?: boolean | undefined
  readonly source?: string | null | undefined
}

/** The standard operations; a new file is processed, and a content goes with its last file. */
export const operations: Operations = {
  list: standard.list,
  get: standard.get,
  create: async (ctx, resource, item: FileItem) => {
    // People upload a file again to have it read again: that is no conflict, and no second file.
    const { rows } = await standard.upsert(ctx, resource, await composed(ctx, [item]))
    const id = rows[0]?.id ?? 0
    await startProcessing(ctx, await idle(ctx, [id]))
    return standard.get(ctx, resource, id)
  },
  upsert: async (ctx, resource, items: FileItem[]) => {
    const { rows, created } = await standard.upsert(ctx, resource, await composed(ctx, items))
    const ids = rows.map(({ id }) => id)
    await startProcessing(ctx, await unprocessed(ctx, ids))
    return { rows: await fetchRows(ctx, resource, ids), created }
  },
  update: async (ctx, resource, id, patch: FileItem) => {
    if (patch.data) throw badRequest('data: the content of a file stays as it is; upload another file instead')
    await refuseSources(ctx, [patch])
    const [changes = patch] = await coloured(ctx, [patch])
    return standard.update(ctx, resource, id, { ...changes, data: undefined })
  },
  remove: async (ctx, resource, ids) => {
    await standard.remove(ctx, resource, ids)
    await sweepSoon(ctx)
  },
  link: standard.link,
  unlink: standard.unlink,
}

/** What is stored of new files: who uploads them, and where what they bring belongs. */
async function composed(ctx: Context, items: readonly FileItem[]): Promise<FileItem[]> {
  await refuseSources(ctx, items)
  const { home } = sightOf(ctx)
  const own = items.map((item) => ({
    ...item,
    data: undefined,
    name: item.name ?? '',
    owner: ctx.caller.id,
  }))
  const known = await knownKeys(ctx, own)
  // A file that is there keeps what the request does not name.
  return coloured(
    ctx,
    own.map((item) => (known.has(keyOf(item)) ? item : { ...item, source: item.source ?? home })),
  )
}

const keyOf = ({ sha256, name }: FileItem): string => JSON.stringify([sha256, name])

async function knownKeys(ctx: Context, items: readonly FileItem[]): Promise<Set<string>> {
  const { rows } = await sql<{ sha256: string; name: string }>`
    select t.sha256, t.name
    from files as t
    where t.owner = ${ctx.caller.id} and t.sha256 = any(${items.map(({ sha256 }) => sha256)}::text[])`.execute(ctx.db)
  return new Set(rows.map(keyOf))
}

/** Only the sources of groups can be given to something. */
async function refuseSources(ctx: Context, items: readonly Item[]): Promise<void> {
  const wanted = items.flatMap(({ source }) => source ?? [])
  if (wanted.length === 0) return
  const { rows } = await sql<{ id: string }>`
    select id from sources where id = any(${wanted}::uuid[]) and type = 'group'`.execute(ctx.db)
  const groups = new Set(rows.map(({ id }) => id))
  const faults = items.flatMap(({ source }, i) =>
    source && !groups.has(String(source))
      ? [`${items.length > 1 ? `[${i}].` : ''}source: '${source}' is not the source of a group`]
      : [],
  )
  if (faults.length > 0) throw badRequest(faults)
}

/** The colours of TLP 2 become the older ones when they are stored. */
async function coloured(ctx: Context, items: readonly FileItem[]): Promise<FileItem[]> {
  const colours = items.map(({ tlp_color }) => tlp_color as string | null | undefined)
  if (!colours.some((colour) => colour)) return [...items]
  const { tlp_amber_strict_downgrade } = await readSetting(ctx.db, serverSetting)
  return items.map((item, i) =>
    colours[i] ? { ...item, tlp_color: tlpOf(colours[i], tlp_amber_strict_downgrade) } : item,
  )
}
