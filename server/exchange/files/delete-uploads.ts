import { z } from 'zod'
import { parseBody } from '../../engine/action.ts'
import { link } from '../../engine/link.ts'
import type { Route } from '../../engine/route.ts'
import { startSystemRun } from '../../intelligence/by-query/start-run.ts'
import { sweepSoon } from '../../intelligence/stored-blobs/sweep-soon.ts'
import { removeUploads, requireFiles, type Uploads } from './remove-uploads.ts'

const MAX_FILES = 10_000

const shape = z.object({
  ids: z
    .array(link('files').transform(({ id }) => Number(id)))
    .min(1)
    .max(MAX_FILES)
    .transform((ids) => [...new Set(ids)]),
  delete_entities: z.boolean().default(false).describe('Whether to delete entities that came only with these files.'),
  delete_extracts: z
    .boolean()
    .default(false)
    .describe('Whether to delete observables that came with these files and that no entity and no other file has.'),
})

const started = z.object({ data: z.object({ task_run: z.url() }) })

/** Deletes files and, in a run, the intelligence imported from them. */
export const deleteUploads: Route<Uploads, { task_run: string } | undefined> = {
  method: 'POST',
  path: '/files/delete-uploads',
  permission: 'modify blob-uploads',
  doc: {
    operationId: 'delete_uploads',
    summary: 'Delete files and, optionally, the intelligence imported from them',
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
