import { sql } from 'kysely'
import { defineTask } from '../../../background/task.ts'
import { uuidList } from '../../../engine/binary.ts'
import type { Context } from '../../../engine/resource.ts'
import { resourceOf, visible } from '../../../engine/select.ts'
import { removeEntities } from '../../entities/remove.ts'
import { deletion } from '../payloads.ts'
import { chosen, parametersOf } from '../selection.ts'
import { takeSnapshot } from '../snapshot.ts'
import { inBatches } from './in-batches.ts'

/** Deletes what a query finds. */
export const deleteEntitiesByQuery = defineTask({
  type: 'delete-entities-by-query',
  doc: 'Deletes all entities that a query finds, for who starts it.',
  parameters: parametersOf(deletion),
  expireInSeconds: 6 * 3600,
  run: (job) =>
    inBatches(job, ['modify entities', 'read entities'], async (ctx) => [
      { found: await takeSnapshot(ctx, await chosen(ctx, job.parameters)), work: removePresent },
    ]),
})

/** Removes those that are still there, in the order in which all writers lock them. */
async function removePresent(ctx: Context, ids: readonly string[]): Promise<number> {
  const entities = resourceOf(ctx, 'entities')
  const { rows } = await sql<{ id: string }>`
    select t.id
    from entities as t
    where t.id = any(${uuidList(ids)}::uuid[]) and ${visible(ctx, entities)}
    order by t.stix_id
    for update of t`.execute(ctx.db)
  const present = rows.map(({ id }) => id)
  if (present.length > 0) await removeEntities(ctx, entities, present)
  return present.length
}
