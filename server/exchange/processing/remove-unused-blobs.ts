import { z } from 'zod'
import { defineTask } from '../../background/task.ts'
import { blobsOf } from '../../intelligence/stored-blobs/store.ts'
import { SWEEP, sweepBlobs } from '../../intelligence/stored-blobs/sweep.ts'

/** Removes the bytes of deleted files. */
export const removeUnusedBlobs = defineTask({
  type: SWEEP,
  doc: 'Removes the contents of deleted files, and leftovers of interrupted uploads.',
  parameters: z.object({}),
  isUnique: true,
  retryLimit: 3,
  retryDelay: 60,
  run: async (job) => ({
    result: { removed: await sweepBlobs(job, job.signal), tidied: await blobsOf(job).tidy() },
  }),
})
