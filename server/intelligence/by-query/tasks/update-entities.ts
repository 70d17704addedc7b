import { defineTask } from '../../../background/task.ts'
import { NOBODY } from '../../../engine/route.ts'
import { prepareSearch } from '../../entities/learn.ts'
import { changeEntities, readChange } from '../change-entities.ts'
import { change } from '../payloads.ts'
import { chosen, parametersOf } from '../selection.ts'
import { takeSnapshot } from '../snapshot.ts'
import { inBatches } from './in-batches.ts'

/** Changes what a query finds. */
export const updateEntitiesByQuery = defineTask({
  type: 'update-entities-by-query',
  doc: 'Changes tags, taxonomies, attacks, confidence or colour of all entities that a query finds, for who starts it.',
  parameters: parametersOf(change),
  expireInSeconds: 6 * 3600,
  run: async (job) => {
    // Before any transaction, because each statement of the dictionary stands alone; a word that nothing uses does no harm.
    await prepareSearch({ ...job, caller: NOBODY, baseUrl: '' }, [{ meta: { tags: job.parameters.added_tags } }])
    return inBatches(job, ['modify entities', 'read entities'], async (ctx) => {
      const known = await readChange(ctx, job.parameters)
      const found = await takeSnapshot(ctx, await chosen(ctx, job.parameters))
      return [{ found, work: (inside, ids) => changeEntities(inside, known, ids) }]
    })
  },
})
