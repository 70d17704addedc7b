import { sql } from 'kysely'
import { startRuns } from '../../background/runs.ts'
import { readParameters } from '../../background/task.ts'
import type { Context, Item } from '../../engine/context.ts'
import { conflict, notFound } from '../../engine/errors.ts'
import { makeId } from '../../engine/ids.ts'

interface Startable {
  readonly task: number
  readonly name: string
  readonly is_active: boolean
  readonly finished_run: string | null
}

/**
 * Starts a run of a feed in the transaction `ctx.db` and returns its id, or that of the open run, which will process what the
 * transaction stored. An inactive feed is a 409.
 */
export async function startFeedRun(
  ctx: Pick<Context, 'db' | 'caller' | 'taskTypes' | 'cause'>,
  feed: number,
  parameters: Item = {},
): Promise<string> {
  const type = ctx.taskTypes.get('incoming-feed')
  // A run that ends checks for remaining blobs under the same lock.
  const { rows } = await sql<Startable>`
    select t.id as task, f.name, f.is_active, f.finished_run
    from incoming_feeds as f join tasks as t on t.id = f.update_task
    where f.id = ${feed}
    for no key update of t`.execute(ctx.db)
  const [found] = rows
  if (!type || !found) throw notFound(feed)
  if (!found.is_active) throw conflict(`The incoming feed '${found.name}' is not active.`)
  const { rows: open } = await sql<{ id: string; is_fetching: boolean }>`
    select id, parameters ->> 'collect' is distinct from 'false' as is_fetching
    from task_runs
    where task = ${found.task} and ended_at is null and id is distinct from ${found.finished_run}::uuid
    order by created_at
    limit 1`.execute(ctx.db)
  if (open[0] && (open[0].is_fetching || parameters.collect === false)) return open[0].id
  if (open[0])
    throw conflict(`The incoming feed '${found.name}' is still processing what it fetched before; try again later.`)
  const run = { id: makeId(), task: found.task, parameters: readParameters(type, { feed, ...parameters }) }
  // An open run, if any, does nothing more.
  await startRuns(ctx.db, ctx.caller.id || null, [{ ...run, type: { ...type, isUnique: false } }], ctx.cause)
  return run.id
}
