import { sql } from 'kysely'
import { z } from 'zod'
import { defineTask } from '../../background/task.ts'
import { asCaller } from '../../identity/access/as-caller.ts'
import { sweepBlobs } from '../../intelligence/stored-blobs/sweep.ts'
import { presentFiles, removeUploads } from '../files/remove-uploads.ts'

/** Deletes files with the intelligence imported from them, in one transaction, so that a crash leaves nothing half done. */
export const deleteUploads = defineTask({
  type: 'delete-uploads',
  doc: 'Deletes files with the entities and observables that came only with them, with the permissions of the user who starts it.',
  parameters: z.object({
    ids: z.array(z.int()).min(1).describe('The ids of the files.'),
    delete_entities: z.boolean().default(false).describe('Whether to delete the entities.'),
    delete_extracts: z.boolean().default(false).describe('Whether to delete the observables.'),
  }),
  run: async (job) => {
    const { ids, delete_entities, delete_extracts } = job.parameters
    const needed = [
      'modify blob-uploads',
      ...(delete_entities ? ['modify entities'] : []),
      ...(delete_extracts ? ['modify extracts'] : []),
    ]
    const removed = await asCaller(job, needed, 'read committed', async (ctx) => {
      await sql`set local statement_timeout = '10min'`.execute(ctx.db)
      // Missing files were deleted by an earlier attempt or another request.
      return removeUploads(ctx, { ids: await presentFiles(ctx, ids), delete_entities, delete_extracts })
    })
    if (job.blobs) await sweepBlobs(job, job.signal)
    return { result: removed }
  },
})
