import { type Kysely, sql } from 'kysely'
import { startFollowing } from './background/followers/claims.ts'
import { installQueue } from './background/queue.ts'
import { removeUnusedBlobs } from './exchange/processing/remove-unused-blobs.ts'
import { feedHealth } from './feeds/health/feed-health.ts'
import { followers } from './followers.ts'
import { housekeeping } from './housekeeping.ts'
import { retention } from './retention/retention.ts'
import { mail } from './tasks.ts'

/** The tasks of every installation. */
const systemTasks = [
  {
    name: 'Housekeeping',
    type: housekeeping.type,
    description: housekeeping.doc,
    execution_schedule: { cron: '0 3 * * *', interval: null, time_zone: 'UTC' },
  },
  {
    name: 'Feed health',
    type: feedHealth.type,
    description: feedHealth.doc,
    execution_schedule: { cron: '10 * * * *', interval: null, time_zone: 'UTC' },
  },
  {
    name: 'Retention',
    type: retention.type,
    description: retention.doc,
    execution_schedule: { cron: '30 2 * * *', interval: null, time_zone: 'UTC' },
  },
  {
    name: 'Unused contents',
    type: removeUnusedBlobs.type,
    description: removeUnusedBlobs.doc,
    execution_schedule: { cron: '45 3 * * *', interval: null, time_zone: 'UTC' },
  },
  // Each mail starts a run.
  { name: 'Mail', type: mail.type, description: mail.doc, execution_schedule: null },
]

/** Creates the job queue, missing system tasks and missing followers. Existing tasks keep users' changes. */
export async function prepareTasks(db: Kysely<unknown>): Promise<void> {
  await installQueue(db)
  // A user may have a task of that name, and a suffix is better than a missing system task.
  await sql`
    insert into tasks (name, type, description, execution_schedule, is_system)
    select case when exists (select from tasks as t where t.name = i.name) then i.name || ' (system)' else i.name end,
      type, description, execution_schedule, true
    from jsonb_to_recordset(${JSON.stringify(systemTasks)}::jsonb)
      as i(name text, type text, description text, execution_schedule jsonb)
    where not exists (select from tasks as t where t.is_system and t.type = i.type)
    on conflict do nothing`.execute(db)
  for (const { name, due } of followers) if (!due) await startFollowing(db, name)
}
