import { defineTask } from '../../../background/task.ts'
import { NOBODY } from '../../../engine/route.ts'
import { prepareSearch } from '../../entities/search-preparation.ts'
import { changeEntities, resolveChange } from '../change-entities.ts'
import { change } from '../payloads.ts'
import { countSelected, parametersOf, selectedEntities, withoutUnified } from '../selection.ts'
import { takeSnapshot } from '../snapshot.ts'
import { inBatches } from './in-batches.ts'

/** Updates all entities that a query finds. */
export const updateEntitiesByQuery = defineTask({
  type: 'update-entities-by-query',
  doc: 'Changes tags, taxonomies, attacks, confidence or colour of all entities that match a query, with the permissions of the user who starts it.',
  parameters: parametersOf(change),
  expireInSeconds: 6 * 3600,
  run: async (job) => {
    // Outside the transactions, because the dictionary commits each statement itself. An unused word does no harm.
    await prepareSearch({ ...job, caller: NOBODY, baseUrl: '' }, [{ meta: { tags: job.parameters.added_tags } }])
    return inBatches(job, ['modify entities', 'read entities'], async (ctx) => {
      const known = await resolveChange(ctx, job.parameters)
      const { changeable, unified } = withoutUnified(await selectedEntities(ctx, job.parameters))
      const found = await takeSnapshot(ctx, changeable)
      return [
        {
          found,
          unified: await countSelected(ctx, unified),
          work: (inside, ids) => changeEntities(inside, known, ids),
        },
      ]
    })
  },
})
