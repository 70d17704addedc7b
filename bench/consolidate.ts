import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { Kysely, PostgresDialect, sql } from 'kysely'
import { MATCHED_TYPES } from '../server/automation/consolidation/matching/keys.ts'
import { regroup } from '../server/automation/consolidation/regroup.ts'
import { demoEntities } from '../server/demo/entity.ts'
import { NOBODY } from '../server/engine/route.ts'
import { resourceMap } from '../server/registry.ts'
import { taskTypes } from '../server/tasks.ts'
import { startServer } from './server.ts'

const BATCH = 1000
const SEED = 20_260_101
/** Of ten entities, one has the title of an earlier one of another source. */
const ONE_IN = 10
const SHOWN_STATEMENTS = 5
/** Titles differ by their numbers. */
const SUBJECT = 'Subject of measurement'
const POLL_MS = 200
const MAX_LAG_SECONDS = 10

type Running = Awaited<ReturnType<typeof startServer>>

/**
 * Writes entities through the API without a policy and as many with one, and follows how far consolidation is behind; then groups everything
 * again, which must write nothing.
 */
export async function bench(args: string[]): Promise<void> {
  const { values } = parseArgs({ args, options: { entities: { type: 'string', default: '100000' } } })
  const count = BATCH * Math.max(1, Math.round(Number(values.entities) / BATCH))
  const server = await startServer()
  try {
    const sources = [await makeSource(server, 'One'), await makeSource(server, 'Two')]
    await putAll(server, sources, 0, 5 * BATCH)
    const plain = await putAll(server, sources, 5 * BATCH, count)
    console.log(`no policy: ${(count / plain).toFixed(0)} entities/s`)
    const run = await activate(server)
    console.log(`existing entities: ${((count + 5 * BATCH) / run).toFixed(0)}/s`)
    const lags: number[] = []
    const watch = setInterval(() => void lagOf(server).then((lag) => lags.push(lag)), POLL_MS)
    const followed = await putAll(server, sources, 5 * BATCH + count, count)
    const atEnd = await lagOf(server)
    while ((await lagOf(server)) > 0) await sleep(POLL_MS)
    clearInterval(watch)
    const most = Math.max(0, ...lags)
    console.log(
      `with a policy: ${(count / followed).toFixed(0)} entities/s, ${((plain / followed) * 100).toFixed(0)} % of the rate`,
    )
    console.log(
      `  lag: at most ${most.toFixed(1)} s, ${atEnd.toFixed(1)} s at the end${most > MAX_LAG_SECONDS ? `  (over ${MAX_LAG_SECONDS} s)` : ''}`,
    )
    await report(server)
    await regroupAgain(server)
  } finally {
    await server.stop()
  }
}

async function call(
  server: Running,
  method: string,
  path: string,
  data: unknown,
): Promise<{ readonly [name: string]: unknown }> {
  const answer = await fetch(`${server.url}/api/v2/${path}`, {
    method,
    headers: { authorization: `Bearer ${server.token}`, 'content-type': 'application/json' },
    ...(data !== undefined && { body: JSON.stringify({ data }) }),
  })
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${method} ${path}: ${text.slice(0, 1000)}`)
  return JSON.parse(text).data
}

async function makeSource(server: Running, name: string): Promise<string> {
  const { id } = await call(server, 'GET', 'users/self', undefined)
  return String((await call(server, 'POST', 'groups', { name, users: [id] })).source)
}

/** Writes entities one request at a time, and gives the seconds. The requests are made before. */
async function putAll(server: Running, sources: readonly string[], from: number, count: number): Promise<number> {
  let seconds = 0
  for (let first = from; first < from + count; first += BATCH) {
    const items = itemsOf(first, sources)
    const start = performance.now()
    await call(server, 'PUT', 'entities', items)
    seconds += (performance.now() - start) / 1000
  }
  return seconds
}

/** Entities of all types that can be consolidated, with two names of their own, in turns of two sources. */
function itemsOf(first: number, sources: readonly string[]): object[] {
  return [...demoEntities(SEED, BATCH, first)].map(({ data, meta, observables }, i) => {
    const n = first + i
    const isDuplicate = n % ONE_IN === ONE_IN - 1
    // An entity of the same type, of the other source.
    const own = isDuplicate ? Math.max(0, n - MATCHED_TYPES.length * (1 + 2 * (n % 500))) : n
    return {
      data: {
        type: MATCHED_TYPES[n % MATCHED_TYPES.length],
        title: `${SUBJECT} ${own}`,
        description: data.description,
        aliases: [`${data.title} alias ${n}`, `${data.title} name ${n}`],
      },
      meta: { ...meta, taxonomies: undefined },
      observables,
      sources: [sources[n % 2]],
    }
  })
}

/** Makes a policy for everything, and gives the seconds that its first run takes. */
async function activate(server: Running): Promise<number> {
  const policy = await call(server, 'POST', 'consolidation-rules', { name: 'All', is_active: true, merge_group: 1 })
  const start = performance.now()
  await call(server, 'POST', `consolidation-rules/${policy.id}/configurations`, {
    entity_types: MATCHED_TYPES,
    half_life_choice: 'highest',
    tlp_choice: 'highest',
  })
  const isDone = async () => {
    const { rows } = await sql<{ state: string }>`
      select r.state from task_runs as r join consolidation_rules as p on p.task = r.task order by r.created_at desc limit 1`.execute(
      server.db,
    )
    if (rows[0]?.state === 'FAILED') throw new Error('The run of the policy failed.')
    return rows[0]?.state === 'SUCCESS' || rows[0]?.state === 'WARNING'
  }
  while (!(await isDone())) await sleep(POLL_MS)
  return (performance.now() - start) / 1000
}

/** How many seconds ago the first change was made that consolidation has not handled yet; 0 if there is none. */
async function lagOf({ db }: Running): Promise<number> {
  const { rows } = await sql<{ lag: number }>`
    select coalesce(extract(epoch from clock_timestamp() - min(c.at)), 0)::real as lag
    from followers as f
    join changes as p on p.id = f.change
    join changes as c on (c.xact, c.id) > (p.xact, p.id)
    where f.name = 'consolidation'`.execute(db)
  return rows[0]?.lag ?? 0
}

async function report({ db }: Running): Promise<void> {
  const { rows } = await sql<{ name: string; count: number }>`
    select 'unified entities' as name, count(*)::integer as count from entities where is_unified
    union all select 'contributors', count(*)::integer from contributors
    union all select 'keys', count(*)::integer from match_keys
    union all select 'keys that are switched off', count(*)::integer from switched_off_keys
    union all select 'suggestions', count(*)::integer from consolidation_suggestions`.execute(db)
  console.log(`  ${rows.map(({ name, count }) => `${count} ${name}`).join(', ')}`)
}

/** Groups all entities again, in batches, and gives the statements of the batches and the rows they write. */
async function regroupAgain({ db, pool }: Running): Promise<void> {
  const { rows } = await sql<{ id: string }>`select id from entities where not is_unified order by id`.execute(db)
  const counts: number[] = []
  let statements = 0
  const times = new Map<string, number>()
  const counting = new Kysely<unknown>({
    dialect: new PostgresDialect({ pool }),
    log: ({ query, queryDurationMillis }) => {
      statements++
      const name = query.sql.replace(/\s+/g, ' ').trim().slice(0, 70)
      times.set(name, (times.get(name) ?? 0) + queryDurationMillis)
    },
  })
  const start = performance.now()
  let written = 0
  for (let from = 0; from < rows.length; from += BATCH) {
    const ids = rows.slice(from, from + BATCH).map(({ id }) => id)
    written += await counting.transaction().execute(async (trx) => {
      const before = await writtenRows(trx)
      statements = 0
      const vault = { seal: (text: string) => text, open: (text: string) => text }
      await regroup({ db: trx, vault, resources: resourceMap, taskTypes, caller: NOBODY, baseUrl: '' }, ids)
      counts.push(statements)
      return (await writtenRows(trx)) - before
    })
  }
  const seconds = (performance.now() - start) / 1000
  console.log(
    `grouped again: ${(rows.length / seconds).toFixed(0)} entities/s, ${Math.min(...counts)} to ${Math.max(...counts)} statements per batch of ${BATCH}, ${written} rows written`,
  )
  for (const [name, time] of [...times].sort(([, a], [, b]) => b - a).slice(0, SHOWN_STATEMENTS)) {
    console.log(`  ${(time / counts.length).toFixed(0).padStart(5)} ms per batch  ${name}`)
  }
}

/** How many rows a connection has written, including earlier ones that it has not reported yet. */
async function writtenRows(db: Kysely<unknown>): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select sum(n_tup_ins + n_tup_upd + n_tup_del)::integer as count from pg_stat_xact_user_tables`.execute(db)
  return rows[0]?.count ?? 0
}
