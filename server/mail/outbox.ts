import { type Kysely, sql } from 'kysely'
import { startRuns, waitingRun } from '../background/runs.ts'
import type { Context } from '../engine/context.ts'
import { conflict } from '../engine/errors.ts'
import { makeId } from '../engine/ids.ts'
import { insertMails, type Mail } from './content.ts'
import { NO_MAIL } from './sender.ts'

/** The task that sends mails; undefined if mail is not configured or is disabled. */
export async function mailTask(db: Kysely<unknown>): Promise<number | undefined> {
  const { rows } = await sql<{ id: number }>`
    select t.id
    from tasks as t join settings as s on s.name = 'email'
    where t.is_system and t.type = 'mail' and t.is_active
      and s.value ->> 'host' is not null and s.value ->> 'from_email' is not null`.execute(db)
  return rows[0]?.id
}

/** The same for mails that a user requested: a 409 if none can be sent. */
export async function requireMail({ db }: Pick<Context, 'db'>): Promise<number> {
  const task = await mailTask(db)
  if (task === undefined) throw conflict(NO_MAIL)
  return task
}

/** The time that a notification waits for others to the same user. */
const WAIT_SECONDS = 1

/** Adds mails to the outbox and starts the run that will send them, in the transaction `db`. */
export async function queueMails(
  ctx: Pick<Context, 'db' | 'vault' | 'taskTypes'>,
  task: number,
  mails: readonly Mail[],
): Promise<void> {
  if (mails.length === 0) return
  const run = (await waitingRun(ctx.db, task)) ?? (await startRun(ctx, task))
  await insertMails(ctx, run, mails)
}

async function startRun({ db, taskTypes }: Pick<Context, 'db' | 'taskTypes'>, task: number): Promise<string> {
  const type = taskTypes.get('mail')
  if (!type) throw new TypeError('There is no task that sends mails.')
  const id = makeId()
  await startRuns(db, null, [{ id, task, type, parameters: {}, waitSeconds: WAIT_SECONDS }])
  return id
}
