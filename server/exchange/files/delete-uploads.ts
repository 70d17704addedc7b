import { z } from 'zod'
import { parseBody } from '../../engine/action.ts'
import { link } from '../../engine/link.ts'
import type { Route } from '../../engine/route.ts'
import { startSystemRun } from '../../intelligence/by-query/start-run.ts'
import { sweepSoon } from '../../intelligence/stored-blobs/sweep-soon.ts'
import { removeUploads, requireFiles, type Uploads } from './remove-uploads.ts'

const MOST = 10_000

const shape = z.object({
  ids: z
    .array(link('files').transform(({ id }) => Number(id)))
    .min(1)
    .max(MOST)
    .transform((ids) => [...new Set(ids)]),
  delete_entities: z.boolean().default(false).describe('Whether the entities go that only these files brought.'),
  delete_extracts: z
    .boolean()
    .default(false)
    .describe('Whether the observables go that came with these files and that nothing else has.'),
})

const started = z.object({ data: z.object({ task_run: z.url() }) })

/** Deletes files with what they brought; that may outlast a request. */
export const deleteUploads: Route<Uploads, { task_run: string } | undefined> = {
  method: 'POST',
  path: '/files/delete-uploads',
  permission: 'modify blob-uploads',
  doc: {
    operationId: 'delete_uploads',
    summary: 'Delete files and, if you like, what they brought',
    tag: 'files',
    body: z.object({ data: shape }),
    example: { data: { ids: [1], delete_entities: true, delete_extracts: true } },
    success: { 202: started, 204: null },
    refusals: [400, 404],
  },
  parse: ({ body }) => parseBody(shape, body),
  guards: ({ delete_entities, delete_extracts }) => [
    ...(delete_entities ? ['modify entities'] : []),
    ...(delete_extracts ? ['modify extracts'] : []),
  ],
  run: async (ctx, uploads) => {
    await requireFiles(ctx, uploads.ids)
    if (uploads.delete_entities || uploads.delete_extracts) {
      return { task_run: await startSystemRun(ctx, 'Delete uploads', 'delete-uploads', { ...uploads }) }
    }
    await removeUploads(ctx, uploads)
    await sweepSoon(ctx)
    return undefined
  },
  answer: (data) => (data ? { status: 202, body: { data } } : { status: 204 }),
}
