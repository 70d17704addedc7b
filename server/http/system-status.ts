import { sql } from 'kysely'
import { z } from 'zod'
import { defineAction } from '../engine/action.ts'
import type { Context } from '../engine/context.ts'

/** The queue of an enricher, a detonator or a playbook. */
const lane = z.object({
  name: z.string(),
  state: z.string().describe('Its state, which may keep due work waiting.'),
  waiting: z.int().describe('What no process works on.'),
  due: z.int().describe('What no process works on, although it is time.'),
  running: z.int().describe('What a process works on.'),
  oldest_seconds: z.number().describe('The age of the oldest; 0 if there is none.'),
  oldest_due_seconds: z.number().describe('For how long the oldest has been due; 0 if none is.'),
})

const status = z.object({
  node_version: z.string(),
  uptime_seconds: z.number().describe('Uptime of the responding process.'),
  memory_bytes: z.int().describe('Memory of the responding process.'),
  database: z.object({ version: z.string(), size_bytes: z.int(), connections: z.int() }),
  queue: z.object({
    waiting: z.int(),
    running: z.int(),
    failed_last_day: z.int(),
    longest_wait_seconds: z.number().describe('How long the oldest queued run has been waiting.'),
  }),
  blobs: z
    .object({ count: z.int(), size_bytes: z.int() })
    .describe('Uploaded files and the content that feeds collected or published.'),
  mails: z.object({ waiting: z.int(), failed: z.int() }),
  followers: z
    .array(
      z.object({
        name: z.string(),
        instances: z.int().describe('1, or the number of active webhooks.'),
        position: z.int().nullable().describe('The id of the change that it has reached.'),
        pending_changes: z.int().describe('Changes that it has not handled yet, counted up to 10,000.'),
        lag_seconds: z.number().describe('The age of the oldest of these changes.'),
        failures: z.int().describe('Failed attempts since the last success.'),
        last_error: z.string().nullable().describe('Why the last attempt failed; null once one has succeeded.'),
        last_failed_at: z.iso.datetime({ offset: true }).nullable(),
      }),
    )
    .describe('Consumers of the change log. For webhooks, the one that is furthest behind.'),
  enrichers: z.array(lane.extend({ enricher: z.int() })).describe('The look-ups of enrichers that have not ended.'),
  detonators: z.array(lane.extend({ detonator: z.int() })).describe('The detonations that have not ended.'),
  playbooks: z.array(lane.extend({ playbook: z.int() })).describe('The runs of playbooks that have not ended.'),
})

type Status = z.output<typeof status>

type Measured = Pick<Status, 'database' | 'queue' | 'blobs' | 'mails'>

/** What other capabilities add to the state, each with one statement. */
type Parts = {
  readonly [name in 'followers' | 'enrichers' | 'detonators' | 'playbooks']: (ctx: Context) => Promise<Status[name]>
}

/** The endpoint for the state of the installation. The health of feeds is a separate endpoint. */
export const defineSystemStatus = ({ followers, enrichers, detonators, playbooks }: Parts) =>
  defineAction({
    name: 'get_system_status',
    doc: 'Get the state of the installation: process, database, queue, blobs, mail, followers of the change log, queues of enrichers and detonators, and runs of playbooks',
    tag: 'system',
    method: 'GET',
    path: '/system/status',
    permission: 'read configurations',
    result: status,
    run: async (ctx: Context) => {
      const { rows } = await sql<Measured>`
      select
        (select jsonb_build_object(
          'version', current_setting('server_version'),
          'size_bytes', pg_database_size(current_database()),
          'connections', (select count(*) from pg_stat_activity where datname = current_database()))) as database,
        (select jsonb_build_object(
          'waiting', count(*) filter (where state in ('PENDING', 'SENT', 'RETRY')),
          'running', count(*) filter (where state = 'STARTED'),
          'failed_last_day', count(*) filter (where state = 'FAILURE'),
          'longest_wait_seconds', coalesce(extract(epoch from now() - min(created_at) filter (where state in ('PENDING', 'SENT'))), 0))
          from task_runs
          where ended_at is null or ended_at > now() - interval '1 day') as queue,
        (select jsonb_build_object('count', count(*), 'size_bytes', coalesce(sum(size), 0)) from stored_blobs) as blobs,
        (select jsonb_build_object(
          'waiting', count(*) filter (where is_waiting),
          'failed', count(*) filter (where not is_waiting))
          from mails as m, lateral (
            select m.refusal is null
              and exists (select from task_runs as r where r.id = m.task_run and r.ended_at is null) as is_waiting) as w
          where m.sent_at is null) as mails`.execute(ctx.db)
      const own = {
        node_version: process.version,
        uptime_seconds: process.uptime(),
        memory_bytes: process.memoryUsage.rss(),
      }
      return status.parse({
        ...own,
        ...rows[0],
        followers: await followers(ctx),
        enrichers: await enrichers(ctx),
        detonators: await detonators(ctx),
        playbooks: await playbooks(ctx),
      })
    },
  })
