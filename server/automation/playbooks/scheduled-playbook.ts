import { sql } from 'kysely'
import { z } from 'zod'
import { defineTask, type Job, TaskError } from '../../background/task.ts'
import { asOwner } from '../../identity/access/as-caller.ts'
import { READING } from './matches.ts'
import { findObjects } from './select-objects.ts'
import { startRuns } from './start-runs.ts'
import type { ScheduleTrigger, Trigger } from './trigger.ts'

interface Scheduled {
  readonly id: number
  readonly version: number
  readonly trigger: ScheduleTrigger
  readonly owner: number | null
}

/** Starts the runs of a playbook with a schedule. */
export const scheduledPlaybook = defineTask({
  type: 'playbook',
  doc: 'Starts runs of a playbook on the objects that match its trigger now, with the permissions of the user who last saved it.',
  parameters: z.object({ playbook: z.int().describe('The id of the playbook.') }),
  isUnique: true,
  run: async (job) => {
    const playbook = await readScheduled(job, job.parameters.playbook)
    const { trigger, owner } = playbook
    const started = await asOwner(job, owner, [READING[trigger.collection]], 'read committed', async (ctx) => {
      await sql`set local statement_timeout = '10min'`.execute(ctx.db)
      const objects = await findObjects(ctx, trigger, trigger.most, isDue(playbook))
      return startRuns(
        ctx.db,
        objects.map((object) => ({
          playbook: playbook.id,
          version: playbook.version,
          collection: trigger.collection,
          object,
          // A run that is tried again starts nothing twice.
          occurrence: trigger.repeat === 'once' ? '' : `run ${job.id}`,
          cause: 'schedule' as const,
          depth: 1,
        })),
      )
    })
    job.log(`Started ${started.length} runs.`)
    return { result: { started: started.length } }
  },
})

/** With `once`, each time goes on with objects on which this version has not run yet. */
const isDue = ({ id, version, trigger: { repeat, collection } }: Scheduled) =>
  repeat !== 'once'
    ? sql`true`
    : sql`not exists (
        select from playbook_runs as r
        where r.playbook = ${id} and r.version = ${version} and r.collection = ${collection} and r.object = t.id::text and r.occurrence = '')
      and not exists (
        select from playbook_objects as o
        where o.playbook = ${id} and o.version = ${version} and o.collection = ${collection} and o.object = t.id::text)`

async function readScheduled({ db }: Job<unknown>, id: number): Promise<Scheduled> {
  const { rows } = await sql<
    Omit<Scheduled, 'trigger'> & { trigger: Trigger; is_active: boolean; paused_at: string | null }
  >`
    select id, version, trigger, owner, is_active, paused_at from playbooks where id = ${id}`.execute(db)
  const [playbook] = rows
  const refuse = (reason: string) => new TaskError(reason, { isFinal: true })
  if (!playbook) throw refuse(`There is no playbook ${id}.`)
  if (!playbook.is_active) throw refuse('The playbook is not active. Activate it first.')
  if (playbook.paused_at !== null)
    throw refuse('The playbook is paused, because it failed repeatedly. Resume it first.')
  if (playbook.trigger.type !== 'schedule') throw refuse('The playbook has no schedule any more.')
  return { ...playbook, trigger: playbook.trigger }
}
