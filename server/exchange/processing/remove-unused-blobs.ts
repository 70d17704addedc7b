import { z } from 'zod'
import { defineTask } from '../../background/task.ts'
import { blobsOf } from '../../intelligence/stored-blobs/store.ts'
import { SWEEP, sweepBlobs } from '../../intelligence/stored-blobs/sweep.ts'

/** Removes the bytes of files that are gone. */
export const removeUnusedBlobs = defineTask({
  type: SWEEP,
  doc: 'Removes the contents of files that were deleted, and what uploads left behind that broke off.',
  parameters: z.object({}),
  isUnique: true,
  retryLimit: 3,
  retryDelay: 60,
  run: async (job) => ({
    result: { removed: await sweepBlobs(job, job.signal), tidied: await blobsOf(job).tidy() },
  }),
})
