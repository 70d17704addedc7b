import { sql } from 'kysely'
import type { Collection } from '../../collections.ts'
import type { Context } from '../../engine/context.ts'
import { conflict, missing } from '../../engine/errors.ts'
import type { Id } from '../../engine/reference.ts'
import { isAmong, resourceOf, visible } from '../../engine/select.ts'
import { touch } from '../../engine/write.ts'
import { sweepSoon } from '../../intelligence/stored-blobs/sweep-soon.ts'
import { type Change, requirePermissions } from '../../settings/transfer/install.ts'
import { nameOf, PORTABLE, type Portable, resourceFor } from '../../settings/transfer/portable.ts'
import { presentFiles, removeUploads } from '../files/remove-uploads.ts'

/** Records the objects that the installation of a pack found and created. Objects that it created earlier remain its own. */
export async function noteInstalled(ctx: Context, pack: Id, changes: readonly Change[]): Promise<void> {
  const objects = changes.map(({ collection, id, action }) => ({
    collection,
    object: id,
    is_made: action === 'create',
  }))
  await sql`
    insert into knowledge_pack_objects (pack, collection, object, is_made)
    select ${pack}::integer, i.collection, i.object, i.is_made
    from jsonb_to_recordset(${JSON.stringify(objects)}::jsonb) as i(collection text, object integer, is_made boolean)
    on conflict do nothing`.execute(ctx.db)
  await setInstalled(ctx, pack, true)
}

async function setInstalled(ctx: Context, pack: Id, isInstalled: boolean): Promise<void> {
  const { rows } = await sql`
    update knowledge_packs set is_installed = ${isInstalled}
    where id = ${pack} and is_installed <> ${isInstalled}
    returning id`.execute(ctx.db)
  if (rows.length > 0) await touch(ctx, resourceOf(ctx, 'knowledge_packs'), pack)
}

/** Deletes what came with a pack and does not belong to another installed pack. */
export async function uninstall(ctx: Context, pack: Id): Promise<Change[]> {
  const { rows: held } = await sql<{ is_installed: boolean }>`
    select is_installed from knowledge_packs where id = ${pack} for update`.execute(ctx.db)
  if (!held[0]?.is_installed) throw conflict('The knowledge pack is not installed.')
  const made = await releaseObjects(ctx, pack)
  requirePermissions(ctx, new Set(made.keys()), ['read', 'modify'])
  const gone: Change[] = await removeFiles(ctx, made.get('files') ?? [])
  // Objects are deleted before those that they refer to.
  for (const portable of PORTABLE.toReversed()) {
    const ids = made.get(portable.collection)
    if (ids) gone.push(...(await removeSome(ctx, portable, ids)))
  }
  if (!made.get('knowledge_packs')?.includes(pack)) await setInstalled(ctx, pack, false)
  return gone
}

/** Deletes files that a pack imported, with the entities that came only with them. */
async function removeFiles(ctx: Context, ids: readonly Id[]): Promise<Change[]> {
  if (ids.length === 0) return []
  const needed = ['modify files', 'modify entities'].filter((permission) => !ctx.caller.permissions.has(permission))
  if (needed.length > 0) throw missing(needed)
  const { rows } = await sql<{ id: number; name: string; is_running: boolean }>`
    select t.id, t.name, exists (select from task_runs as r where r.id = t.run and r.ended_at is null) as is_running
    from files as t
    where t.id = any(${await presentFiles(ctx, ids)}::integer[])
    order by t.id`.execute(ctx.db)
  if (rows.some(({ is_running }) => is_running)) throw conflict('The knowledge pack is being imported.')
  await removeUploads(ctx, { ids: rows.map(({ id }) => id), delete_entities: true, delete_extracts: true })
  await sweepSoon(ctx)
  return rows.map(({ id, name }) => ({ collection: 'files', id, name, action: 'delete' }))
}

/** Deletes the record of an installation, and gives the objects that it created. Objects of another pack are assigned to that pack. */
async function releaseObjects(ctx: Context, pack: Id): Promise<Map<Collection, Id[]>> {
  const { rows } = await sql<{ collection: Collection; ids: Id[] }>`
    with released as (
      delete from knowledge_pack_objects where pack = ${pack} returning collection, object, is_made
    ), shared as (
      select distinct on (o.collection, o.object) o.pack, o.collection, o.object
      from released as r join knowledge_pack_objects as o using (collection, object)
      where r.is_made and o.pack <> ${pack}
      order by o.collection, o.object, o.pack
    ), inherited as (
      update knowledge_pack_objects as o set is_made = true
      from shared as s where (o.pack, o.collection, o.object) = (s.pack, s.collection, s.object)
    )
    select r.collection, array_agg(r.object) as ids
    from released as r left join shared as s using (collection, object)
    where r.is_made and s.object is null
    group by r.collection`.execute(ctx.db)
  return new Map(rows.map(({ collection, ids }) => [collection, ids]))
}

async function removeSome(ctx: Context, portable: Portable, ids: readonly Id[]): Promise<Change[]> {
  const resource = resourceFor(ctx, portable)
  const { collection } = portable
  const { rows } = await sql<{ id: Id }>`
    select t.* from ${sql.table(resource.table)} as t
    where ${isAmong(collection, ids)} and ${visible(ctx, resource)}`.execute(ctx.db)
  const found = rows.map(({ id }) => id)
  if (found.length > 0) await resource.operations.remove?.(ctx, resource, found)
  return rows.map((row) => ({ collection, id: row.id, name: nameOf(row, portable), action: 'delete' }))
}
