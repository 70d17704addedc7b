import { sql } from 'kysely'
import type { Context } from '../../engine/context.ts'
import { conflict, notFound } from '../../engine/errors.ts'
import type { Framework, Matrix } from '../frameworks/framework.ts'
import { storeFramework } from '../frameworks/store-framework.ts'
import { actingFor, LOAD_TIMEOUT } from './acting.ts'
import { loggingChanges } from './logged.ts'
import { packedText, unpackedText } from './packed.ts'
import { remap, restoreUses } from './remap.ts'
import { remapEntities, restoreEntities } from './remap-entities.ts'
import { openReviews, reopenReviews } from './review-queue.ts'
import { restoreSnapshot, snapshotOf } from './snapshot.ts'

/** Loads what was previewed, and re-maps what uses dead nodes. Needs a transaction: either all of it happens, or nothing. */
export async function loadPreview(asked: Context, id: number): Promise<void> {
  const ctx = actingFor(asked, id)
  const { db } = ctx
  await lockFrameworks(db)
  const { rows } = await sql<{ version: string; hash: string; document: Buffer | null; isSame: boolean }>`
    select l.version, l.hash, l.document, l.compared_with = f.loaded_at as "isSame"
    from framework_loads as l join frameworks as f on f.matrix = l.matrix
    where l.id = ${id}
    for update of l`.execute(db)
  const [preview] = rows
  if (!preview) throw notFound(id)
  if (!preview.document) throw conflict('This version was loaded before. Preview the document again.')
  if (!preview.isSame) throw conflict('Another version was loaded after this preview. Preview the document again.')
  const framework: Framework = JSON.parse(await unpackedText(preview.document))
  const previous = await packedText(await snapshotOf(db, framework))
  const { version, hash } = preview
  await loggingChanges(ctx, () => storeFramework(db, framework, { version, hash, user: ctx.caller.id || null }))
  await sql`
    update framework_loads
    set state = 'loaded', document = null, previous = ${previous}, loaded_at = clock_timestamp(), loaded_by = nullif(${ctx.caller.id}::integer, 0)
    where id = ${id}`.execute(db)
  await openReviews(ctx, framework.matrix, id)
  // Entities come last, because others cannot change them from then on until the end.
  const occasion = { load: id, review: null }
  await remap(ctx, await clearSuccessors(db, framework.matrix), occasion)
  await remapEntities(ctx, await placesOfTechniques(db, framework.matrix), occasion)
}

/** Goes back to the version before a load, and takes back what it re-mapped. Needs a transaction. */
export async function undoLoad(asked: Context, id: number): Promise<void> {
  const ctx = actingFor(asked, id)
  const { db } = ctx
  await lockFrameworks(db)
  const { rows } = await sql<{ matrix: Matrix; previous: Buffer | null; isNewest: boolean; isLatest: boolean }>`
    select l.matrix, l.previous,
      not exists (select from framework_loads as o where o.matrix = l.matrix and o.state = 'loaded' and o.loaded_at > l.loaded_at) as "isNewest",
      not exists (select from framework_loads as o where o.state = 'loaded' and o.loaded_at > l.loaded_at) as "isLatest"
    from framework_loads as l
    where l.id = ${id}
    for update of l`.execute(db)
  const [load] = rows
  if (!load) throw notFound(id)
  if (!load.previous) throw conflict('Only a version that is loaded can be undone.')
  if (!load.isNewest) throw conflict('Another version was loaded after this one. Undo that one first.')
  const previous = await unpackedText(load.previous)
  await restoreUses(ctx, id)
  await loggingChanges(ctx, () =>
    restoreSnapshot(db, load.matrix, previous, load.isLatest, () => restoreEntities(ctx, id)),
  )
  await sql`
    update framework_loads
    set state = 'undone', previous = null, undone_at = now(), undone_by = nullif(${ctx.caller.id}::integer, 0)
    where id = ${id}`.execute(db)
  await reopenReviews(db, id)
}

/** One load at a time: matrices share defenses. Reading and classifying go on. */
const lockFrameworks = (db: Context['db']) =>
  sql`lock table frameworks in share row exclusive mode`.execute(db).then(() => LOAD_TIMEOUT.execute(db))

/** The dead nodes of a matrix that exactly one live node takes the place of. */
async function clearSuccessors(db: Context['db'], matrix: Matrix): Promise<ReadonlyMap<string, readonly string[]>> {
  const { rows } = await sql<{ id: string; successors: string[] }>`
    select id, successors from attack_nodes
    where matrix = ${matrix} and state <> 'live' and cardinality(successors) = 1`.execute(db)
  return new Map(rows.map(({ id, successors }) => [id, successors]))
}

/** The live places of techniques by the ids of their publisher: documents may have named a technique before its version was loaded. */
async function placesOfTechniques(db: Context['db'], matrix: Matrix): Promise<ReadonlyMap<string, readonly string[]>> {
  const { rows } = await sql<{ id: string; places: string[] }>`
    select external_id as id, array_agg(id order by id) as places from attack_nodes
    where matrix = ${matrix} and state = 'live' and type in ('technique', 'subtechnique')
    group by external_id`.execute(db)
  return new Map(rows.map(({ id, places }) => [id, places]))
}
