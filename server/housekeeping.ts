import { type Kysely, sql } from 'kysely'
import { z } from 'zod'
import { purgeRuns } from './automation/playbooks/purge-runs.ts'
import { removeAll } from './background/remove-all.ts'
import { defineTask } from './background/task.ts'
import { deleteGone } from './feeds/incoming/processing/delete-gone.ts'
import { removeUnusedWords } from './intelligence/entities/remove-unused-words.ts'
import { serverSetting } from './settings/server.ts'
import { readSetting } from './settings/setting.ts'

const days = (fallback: number) => z.int().min(1).max(3650).default(fallback)

/** Previews of versions of attack frameworks. */
const KEEP_PREVIEWS_DAYS = 7

/** Requests to language models: the last full year and the current month can be compared. */
const KEEP_MODEL_REQUESTS_MONTHS = 13
/** Summaries by language models. */
const [KEEP_SUMMARIES_DAYS, MAX_SUMMARIES] = [30, 10_000]

/** Removes expired data, entities withdrawn by feeds and unused words, and refreshes the planner statistics. */
export const housekeeping = defineTask({
  type: 'housekeeping',
  doc: 'Removes expired sessions, links and tokens and unused words, and refreshes the database statistics.',
  parameters: z.object({
    keep_tokens_days: days(30).describe('Days to keep expired API tokens.'),
    refresh_statistics: z.boolean().default(true).describe('Whether to refresh the database statistics.'),
  }),
  isUnique: true,
  retryLimit: 3,
  retryDelay: 60,
  run: async (job) => {
    const { db, parameters, signal, progress, log } = job
    const { keep_tokens_days, refresh_statistics } = parameters
    const idle = (await readSetting(db, serverSetting)).session_inactivity_timeout
    const ended = sql`expires_at < now() or last_seen_at < now() - make_interval(secs => ${idle})`
    const chores = [
      ['sessions', ended],
      ['password_resets', sql`expires_at < now()`],
      ['tokens', sql`expires_at < now() - make_interval(days => ${keep_tokens_days})`],
      ['framework_loads', sql`state = 'preview' and created_at < now() - make_interval(days => ${KEEP_PREVIEWS_DAYS})`],
      ['ai_requests', sql`created_at < now() - make_interval(months => ${KEEP_MODEL_REQUESTS_MONTHS})`],
      [
        'ai_summaries',
        sql`created_at < now() - make_interval(days => ${KEEP_SUMMARIES_DAYS})
          or id in (select id from ai_summaries order by created_at desc, id desc offset ${MAX_SUMMARIES})`,
      ],
    ] as const
    const removed: Record<string, number> = {}
    for (const [index, [table, isOld]] of chores.entries()) {
      removed[table] = await removeAll(db, table, isOld, signal)
      progress((index + 1) / (chores.length + 2))
      if (removed[table] > 0) log(`Removed ${removed[table]} rows of ${table}.`)
    }
    removed.playbook_runs = await purgeRuns(db, signal)
    const gone = await deleteGone(job)
    if (gone > 0) log(`Deleted ${gone} entities withdrawn by the senders of feeds.`)
    const { removed: words, left } = await removeUnusedWords(db, signal)
    removed.words = words
    progress((chores.length + 1) / (chores.length + 2))
    if (words > 0) log(`Removed ${words} unused words from the dictionary.`)
    if (left > 0) log(`Left ${left} unused words for the next run because entities were being written.`)
    return { result: { removed, analyzed: refresh_statistics ? await analyze(db, signal) : 0 } }
  },
})

/** Refreshes the planner statistics table by table; autovacuum does so only after many changes. */
async function analyze(db: Kysely<unknown>, signal: AbortSignal): Promise<number> {
  const { rows } = await sql<{ name: string }>`
    select tablename as name
    from pg_tables
    where schemaname = current_schema()
    order by tablename`.execute(db)
  for (const { name } of rows) {
    signal.throwIfAborted()
    await db.transaction().execute(async (trx) => {
      await sql`set local statement_timeout = 0`.execute(trx)
      await sql`analyze (skip_locked) ${sql.table(name)}`.execute(trx)
    })
  }
  return rows.length
}
