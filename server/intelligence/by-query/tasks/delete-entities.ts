import { sql } from 'kysely'
import { defineTask } from '../../../background/task.ts'
import type { Context } from '../../../engine/context.ts'
import { resourceOf, visible } from '../../../engine/select.ts'
import { uuidList } from '../../../fast/binary-arrays.ts'
import { removeEntities } from '../../entities/remove.ts'
import { deletion } from '../payloads.ts'
import { countSelected, parametersOf, selectedEntities, withoutUnified } from '../selection.ts'
import { takeSnapshot } from '../snapshot.ts'
import { inBatches } from './in-batches.ts'

/** Deletes all entities that a query finds. */
export const deleteEntitiesByQuery = defineTask({
  type: 'delete-entities-by-query',
  doc: 'Deletes all entities that match a query, with the permissions of the user who starts it.',
  parameters: parametersOf(deletion),
  expireInSeconds: 6 * 3600,
  run: (job) =>
    inBatches(job, ['modify entities', 'read entities'], async (ctx) => {
      const { changeable, unified } = withoutUnified(await selectedEntities(ctx, job.parameters))
      const found = await takeSnapshot(ctx, changeable)
      return [{ found, unified: await countSelected(ctx, unified), work: removePresent }]
    }),
})

/** Removes the entities that still exist, locked in the order that all writers use. */
async function removePresent(ctx: Context, ids: readonly string[]): Promise<number> {
  const entities = resourceOf(ctx, 'entities')
  const { rows } = await sql<{ id: string }>`
    select t.id
    from entities as t
    where t.id = any(${uuidList(ids)}::uuid[]) and not t.is_unified and ${visible(ctx, entities)}
    order by t.stix_id
    for update of t`.execute(ctx.db)
  const present = rows.map(({ id }) => id)
  if (present.length > 0) await removeEntities(ctx, entities, present)
  return present.length
}
