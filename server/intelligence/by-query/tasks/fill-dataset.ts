import { z } from 'zod'
import { defineTask } from '../../../background/task.ts'
import { addToDataset, isSurplus, removeFromDataset, requireStatic } from '../fill-dataset.ts'
import { filling } from '../payloads.ts'
import { parametersOf, selectedEntities } from '../selection.ts'
import { takeSnapshot } from '../snapshot.ts'
import { inBatches, type Step } from './in-batches.ts'

/** Adds the entities that a query finds to a static dataset, or removes them from it. */
export const fillDatasetByQuery = defineTask({
  type: 'fill-dataset-by-query',
  doc: 'Adds all entities that match a query to a dataset, replaces its entities with them, or removes them from it, with the permissions of the user who starts it.',
  parameters: parametersOf({ ...filling, dataset: z.int().min(1) }),
  expireInSeconds: 6 * 3600,
  run: (job) =>
    inBatches(job, ['modify intel-sets', 'read entities'], async (ctx) => {
      const { dataset, action } = job.parameters
      await requireStatic(ctx, dataset)
      const isSelected = await selectedEntities(ctx, job.parameters)
      const add: Step['work'] = (inside, ids) => addToDataset(inside, dataset, ids)
      const remove: Step['work'] = (inside, ids) => removeFromDataset(inside, dataset, ids)
      const found = await takeSnapshot(ctx, isSelected)
      if (action === 'remove') return [{ found, work: remove }]
      if (action === 'add') return [{ found, work: add }]
      const others = await takeSnapshot(ctx, isSurplus(ctx, dataset, isSelected))
      return [
        { found, work: add },
        { found: others, work: remove },
      ]
    }),
})
