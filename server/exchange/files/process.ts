import { sql } from 'kysely'
import { z } from 'zod'
import { defineAction } from '../../engine/action.ts'
import type { Context } from '../../engine/context.ts'
import { conflict } from '../../engine/errors.ts'
import { requireVisible } from '../../engine/fetch.ts'
import { readId } from '../../engine/query.ts'
import { type Id, toUrl } from '../../engine/reference.ts'
import type { Route } from '../../engine/route.ts'
import { resourceOf } from '../../engine/select.ts'
import { startSystemRuns } from '../../intelligence/by-query/start-run.ts'

/** Starts an import run for each of these files, in the transaction of the request. */
export async function startProcessing(ctx: Context, ids: readonly Id[]): Promise<string[]> {
  if (ids.length === 0) return []
  const runs = await startSystemRuns(
    ctx,
    'Process files',
    'process-file',
    ids.map((file) => ({ file })),
  )
  await sql`
    update files as t
    set run = i.run
    from unnest(${ids}::integer[], ${runs}::uuid[]) as i(id, run)
    where t.id = i.id`.execute(ctx.db)
  return runs
}

/** The files among these that are to be imported and have no active run. */
export async function filesWithoutRun(ctx: Context, ids: readonly Id[]): Promise<Id[]> {
  const { rows } = await sql<{ id: number }>`
    select t.id
    from files as t left join task_runs as r on r.id = t.run and r.ended_at is null
    where t.id = any(${ids}::integer[]) and t.process and r.id is null
    order by t.id`.execute(ctx.db)
  return rows.map(({ id }) => id)
}

/** The files among these that are to be imported and have no successful or active run. */
export async function filesToImport(ctx: Context, ids: readonly Id[]): Promise<Id[]> {
  const { rows } = await sql<{ id: number }>`
    select t.id
    from files as t left join task_runs as r on r.id = t.run
    where t.id = any(${ids}::integer[]) and t.process
      and (r.id is null or r.state in ('FAILURE', 'REVOKED', 'CAP_REACHED'))
    order by t.id`.execute(ctx.db)
  return rows.map(({ id }) => id)
}

export const processAgain: Route = defineAction({
  name: 'process_files',
  doc: 'Import a file again',
  tag: 'files',
  method: 'POST',
  path: '/files/:id/process',
  permission: 'modify files',
  status: 202,
  result: z.object({ task_run: z.url() }),
  refusals: [404, 409],
  run: async (ctx, _, { params }) => {
    const files = resourceOf(ctx, 'files')
    const id = readId(files, params.id ?? '')
    await requireVisible(ctx, files, id)
    // Two concurrent runs of one file would each see partial results of the other.
    const { rows } = await sql<{ state: string | null }>`
      select r.state
      from files as t left join task_runs as r on r.id = t.run and r.ended_at is null
      where t.id = ${id}
      for no key update of t`.execute(ctx.db)
    if (rows[0]?.state) throw conflict('The file is being imported.')
    const [run = ''] = await startProcessing(ctx, [id])
    return { task_run: toUrl(ctx.baseUrl, 'task_runs', run) }
  },
})
