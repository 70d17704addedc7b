import { type Kysely, sql } from 'kysely'
import { z } from 'zod'
import { defineAction } from '../engine/action.ts'
import type { Context } from '../engine/context.ts'

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
  enrichers: z
    .array(
      z.object({
        enricher: z.int(),
        name: z.string(),
        state: z.string(),
        waiting: z.int().describe('Look-ups in its queue.'),
        running: z.int(),
        oldest_seconds: z.number().describe('The age of the oldest look-up in its queue.'),
      }),
    )
    .describe('The queues of enrichers.'),
})

type Status = z.output<typeof status>

type Measured = Pick<Status, 'database' | 'queue' | 'blobs' | 'mails'>

/**
 * The endpoint for the state of the installation. The health of feeds is a separate endpoint.
 * @param readFollowers reads the state of the consumers of the change log
 * @param readLanes reads the queues of enrichers
 */
export const defineSystemStatus = (
  readFollowers: (db: Kysely<unknown>) => Promise<Status['followers']>,
  readLanes: (db: Kysely<unknown>) => Promise<Status['enrichers']>,
) =>
  defineAction({
    name: 'get_system_status',
    doc: 'Get the state of the installation: process, database, queue, blobs, mail, followers of the change log and queues of enrichers',
    tag: 'system',
    method: 'GET',
    path: '/system/status',
    permission: 'read configurations',
    result: status,
    run: async ({ db }: Context) => {
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
          where m.sent_at is null) as mails`.execute(db)
      const own = {
        node_version: process.version,
        uptime_seconds: process.uptime(),
        memory_bytes: process.memoryUsage.rss(),
      }
      return status.parse({ ...own, ...rows[0], followers: await readFollowers(db), enrichers: await readLanes(db) })
    },
  })
