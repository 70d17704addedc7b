import { sql } from 'kysely'
import { z } from 'zod'
import { defineTask, type Job, TaskError } from '../background/task.ts'
import { type Content, newsLetter, openContent } from './content.ts'
import { type Letter, write } from './letter.ts'
import { canHear } from './readers.ts'
import { openSender } from './sender.ts'

const RETRIES = 10

/** Sends the mails that are in the outbox for this run, after `prepare` has composed them. */
export const defineMail = (prepare: (job: Job, run: string) => Promise<void>) =>
  defineTask({
    type: 'mail',
    doc: 'Sends the mails that wait.',
    parameters: z.object({}),
    retryLimit: RETRIES,
    retryDelay: 10,
    run: async (job) => {
      await forgetStrays(job)
      await prepare(job, job.id)
      const { letters, refused } = await lettersOf(job)
      const outcome = await sendAll(job, letters)
      if (outcome.reason !== undefined) {
        if (job.attempt > RETRIES) await giveUp(job, outcome.reason)
        throw new TaskError(outcome.reason)
      }
      const result = { sent: outcome.sent, refused: refused + outcome.refused }
      return result.refused > 0 ? { result, outcome: 'WARNING' } : { result }
    },
  })

/** A letter, and the rows of mails that it combines. */
interface Addressed {
  readonly ids: readonly number[]
  readonly to: string
  readonly letter: Letter
}

interface Waiting {
  readonly id: number
  readonly user: number
  readonly email: string
  readonly content: string
  readonly can_hear: boolean
}

/** The letters of this run: all notifications for a user are combined into one. */
async function lettersOf(job: Job<unknown>): Promise<{ letters: Addressed[]; refused: number }> {
  const { rows } = await sql<Waiting>`
    select m.id, m."user", u.email, m.content, ${canHear('u')} as can_hear
    from mails as m join users as u on u.id = m."user"
    where m.task_run = ${job.id} and m.content is not null
    order by m.id`.execute(job.db)
  const deaf = rows.filter(({ can_hear }) => !can_hear).map(({ id }) => id)
  await refuse(job, deaf, 'The user is locked, is not active, or has no e-mail address any more.')
  const heard = rows.filter(({ can_hear }) => can_hear).map((row) => ({ ...row, says: openContent(job, row.content) }))
  const unread = heard.filter(({ says }) => says === undefined).map(({ id }) => id)
  await refuse(job, unread, 'What it says was sealed with another secret key.')
  const single = heard.flatMap(({ id, email, says }): Addressed[] =>
    says && 'letter' in says ? [{ ids: [id], to: email, letter: says.letter }] : [],
  )
  const news = Map.groupBy(
    heard.filter(({ says }) => says && 'news' in says),
    ({ user }) => user,
  )
  const joined = [...news.values()].map((mine) => ({
    ids: mine.map(({ id }) => id),
    to: mine[0]?.email ?? '',
    letter: newsLetter(mine.flatMap(({ says }) => (isNews(says) ? [says] : []))),
  }))
  return { letters: [...single, ...joined], refused: deaf.length + unread.length }
}

type NewsContent = Extract<Content, { news: unknown }>

const isNews = (content: Content | undefined): content is NewsContent => content !== undefined && 'news' in content

/** Sends the letters one by one and records each immediately, so that an interrupted run repeats at most one. */
async function sendAll(job: Job<unknown>, letters: readonly Addressed[]) {
  const outcome = { sent: 0, refused: 0, reason: undefined as string | undefined }
  if (letters.length === 0) return outcome
  const opened = await openSender(job)
  if ('lacks' in opened) return { ...outcome, reason: opened.lacks }
  const { sender } = opened
  try {
    for (const [index, { ids, to, letter }] of letters.entries()) {
      job.signal.throwIfAborted()
      const failure = await sender.send({ id: `corvus.${job.id}.${ids[0]}`, to, ...write(letter) })
      if (failure === undefined) {
        await sql`
          update mails set sent_at = now(), content = null where id = any(${ids}::integer[])`.execute(job.db)
        outcome.sent++
      } else if (failure.kind === 'refused') {
        await refuse(job, ids, failure.reason)
        outcome.refused++
      } else outcome.reason = failure.reason
      if (failure?.kind === 'down') break
      job.progress((index + 1) / letters.length)
    }
  } finally {
    sender.close()
  }
  return outcome
}

/** Marks mails as failed. */
async function refuse(job: Job<unknown>, ids: readonly number[], reason: string): Promise<void> {
  if (ids.length === 0) return
  await sql`update mails set refusal = ${reason}, content = null where id = any(${ids}::integer[])`.execute(job.db)
  for (const id of ids.slice(0, 100)) job.log(`Mail ${id} is not sent: ${reason}`)
}

/** Marks the remaining mails of this run as failed. */
async function giveUp(job: Job<unknown>, reason: string): Promise<void> {
  await sql`
    update mails set refusal = ${reason}, content = null
    where task_run = ${job.id} and content is not null`.execute(job.db)
}

/** The contents of mails whose run was revoked, or lost with its worker. */
async function forgetStrays({ db }: Job<unknown>): Promise<void> {
  await sql`
    update mails as m set content = null
    from task_runs as r
    where m.content is not null and r.id = m.task_run and r.ended_at is not null`.execute(db)
}
