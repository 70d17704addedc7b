import { sql } from 'kysely'
import type { Context, Item } from '../../../engine/context.ts'
import { blockOfRun } from '../../../exchange/export-blocks/store.ts'
import { signingKey } from '../../../exchange/exporting/signing-key.ts'
import { startSystemRuns } from '../../../intelligence/by-query/start-run.ts'
import { type StepContext, StepError, type StepResult } from '../step.ts'

/** Starts a run that exports the entity. */
export async function beginExport(
  { ctx, subject }: StepContext,
  given: Item & { readonly sign: boolean },
): Promise<StepResult> {
  if (given.sign) await signingKey(ctx)
  const parameters: Item = {
    ...given,
    entities: [subject.id],
    at: new Date().toISOString(),
    base_url: ctx.publicUrl ?? ctx.baseUrl,
  }
  const [id] = await startSystemRuns(ctx, 'Export entities', 'export-entities', [parameters])
  return { outcome: 'started', output: { task_run: id } }
}

/** A run of an export that has ended; undefined while it has not. */
export async function readExport(
  ctx: Context,
  run: string,
): Promise<{ readonly entities: number; readonly result: StepResult } | undefined> {
  const { rows } = await sql<{ state: string; is_ended: boolean; error_detail: string | null }>`
    select state, ended_at is not null as is_ended, error_detail from task_runs where id = ${run}::uuid`.execute(ctx.db)
  const [row] = rows
  if (!row) throw new StepError('The run of the export no longer exists.')
  if (!row.is_ended) return undefined
  const block = await blockOfRun(ctx, run)
  if (!block) throw new StepError(row.error_detail ?? 'The run of the export was stopped.')
  const { id, items_count, losses_count } = block
  return {
    entities: items_count,
    result: {
      outcome: 'exported',
      output: { export_block: id, task_run: run, losses: losses_count },
      ...(losses_count > 0 && { warnings: [`The format could not represent everything. Losses: ${losses_count}.`] }),
    },
  }
}
