import { sql } from 'kysely'
import { tlpOf } from '../../domain/tlp.ts'
import { itemPrefix } from '../../engine/bulk-errors.ts'
import type { Context, Item } from '../../engine/context.ts'
import type { Operations } from '../../engine/definition.ts'
import { badRequest, forbidden } from '../../engine/errors.ts'
import { fetchRows } from '../../engine/fetch.ts'
import { standard } from '../../engine/standard.ts'
import { sightOf } from '../../identity/access/sight.ts'
import { sweepSoon } from '../../intelligence/stored-blobs/sweep-soon.ts'
import { serverSetting } from '../../settings/server.ts'
import { readSetting } from '../../settings/setting.ts'
import { filesToImport, filesWithoutRun, startProcessing } from './process.ts'

/** A file in a request, whose content is already stored. */
interface FileItem extends Item {
  readonly name?: string | undefined
  readonly sha256?: string | undefined
  readonly process?: boolean | undefined
  readonly source?: string | null | undefined
}

/** The standard operations; in addition, new files are imported, and content is removed with its last file. */
export const fileOperations: Operations = {
  list: standard.list,
  get: standard.get,
  create: async (ctx, resource, item: FileItem) => {
    // Users upload a file again to import it again, so this is neither a conflict nor a second file.
    const { rows } = await standard.upsert(ctx, resource, await composed(ctx, [item]))
    const id = rows[0]?.id ?? 0
    await startProcessing(ctx, await filesWithoutRun(ctx, [id]))
    return standard.get(ctx, resource, id)
  },
  upsert: async (ctx, resource, items: FileItem[]) => {
    const { rows, created } = await standard.upsert(ctx, resource, await composed(ctx, items))
    const ids = rows.map(({ id }) => id)
    await startProcessing(ctx, await filesToImport(ctx, ids))
    return { rows: await fetchRows(ctx, resource, ids), created }
  },
  update: async (ctx, resource, id, patch: FileItem) => {
    if (patch.data) throw badRequest('data: the content of a file cannot be changed; upload another file instead')
    const { source } = patch.source ? ((await standard.get(ctx, resource, id)) as FileItem) : patch
    refuseSources(ctx, [patch], () => source)
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

/** Completes uploaded files with their owner and the source for imported intelligence. */
async function composed(ctx: Context, items: readonly FileItem[]): Promise<FileItem[]> {
  const { home } = sightOf(ctx)
  const own = items.map((item) => ({
    ...item,
    data: undefined,
    name: item.name ?? '',
    owner: ctx.caller.id,
  }))
  const known = await knownSources(ctx, own)
  refuseSources(ctx, own, (item) => known.get(keyOf(item)))
  // A known file keeps fields that the request omits.
  return coloured(
    ctx,
    own.map((item) => (known.has(keyOf(item)) ? item : { ...item, source: item.source ?? home })),
  )
}

const keyOf = ({ sha256, name }: FileItem): string => JSON.stringify([sha256, name])

/** The sources of files that the caller has uploaded before. */
async function knownSources(ctx: Context, items: readonly FileItem[]): Promise<Map<string, string | null>> {
  const { rows } = await sql<{ sha256: string; name: string; source: string | null }>`
    select t.sha256, t.name, t.source
    from files as t
    where t.owner = ${ctx.caller.id} and t.sha256 = any(${items.map(({ sha256 }) => sha256)}::text[])`.execute(ctx.db)
  return new Map(rows.map((row) => [keyOf(row), row.source]))
}

/** Throws a 403 for a source that neither belongs to one of the caller's groups nor is the present one. */
function refuseSources<F extends FileItem>(
  ctx: Context,
  items: readonly F[],
  current: (item: F) => string | null | undefined,
): void {
  const { own } = sightOf(ctx)
  const faults = items.flatMap((item, i) => {
    const { source } = item
    if (!source || own.includes(source) || source === current(item)) return []
    return [`${itemPrefix(items, i)}source: '${source}' is not the source of one of your groups`]
  })
  if (faults.length > 0) throw forbidden(faults)
}

/** Converts TLP 2 colours to the stored ones. */
async function coloured(ctx: Context, items: readonly FileItem[]): Promise<FileItem[]> {
  const colours = items.map(({ tlp_color }) => tlp_color as string | null | undefined)
  if (!colours.some((colour) => colour)) return [...items]
  const { tlp_amber_strict_downgrade } = await readSetting(ctx.db, serverSetting)
  return items.map((item, i) =>
    colours[i] ? { ...item, tlp_color: tlpOf(colours[i], tlp_amber_strict_downgrade) } : item,
  )
}
