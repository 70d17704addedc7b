import { z } from 'zod'
import { defineTask } from '../../../background/task.ts'
import { addToDataset, isSurplus, requireStatic, takeFromDataset } from '../fill-dataset.ts'
import { filling } from '../payloads.ts'
import { chosen, parametersOf } from '../selection.ts'
import { takeSnapshot } from '../snapshot.ts'
import { inBatches, type Step } from './in-batches.ts'

/** Fills a static dataset with what a query finds. */
export const fillDatasetByQuery = defineTask({
  type: 'fill-dataset-by-query',
  doc: 'Puts all entities that a query finds into a dataset, or takes them out of it, for who starts it.',
  parameters: parametersOf({ ...filling, dataset: z.int().min(1) }),
  expireInSeconds: 6 * 3600,
  run: (job) =>
    inBatches(job, ['modify intel-sets', 'read entities'], async (ctx) => {
      const { dataset, action } = job.parameters
      await requireStatic(ctx, dataset)
      const isChosen = await chosen(ctx, job.parameters)
      const add: Step['work'] = (inside, ids) => addToDataset(inside, dataset, ids)
      const take: Step['work'] = (inside, ids) => takeFromDataset(inside, dataset, ids)
      const found = await takeSnapshot(ctx, isChosen)
      if (action === 'remove') return [{ found, work: take }]
      if (action === 'add') return [{ found, work: add }]
      const others = await takeSnapshot(ctx, isSurplus(ctx, dataset, isChosen))
      return [
        { found, work: add },
        { found: others, work: take },
      ]
    }),
})
