import { readFile } from 'node:fs/promises'
import { Agent, request } from 'node:http'
import { parseArgs } from 'node:util'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { Kysely, PostgresDialect } from 'kysely'
import type pg from 'pg'
import { clientOf } from '../cli/demo/client.ts'
import { putDefinitions } from '../cli/demo/put-definitions.ts'
import { root } from '../server/config.ts'
import { connect, migrate } from '../server/database/database.ts'
import type { Context } from '../server/engine/context.ts'
import { distinctLinks } from '../server/intelligence/entities/link-observables.ts'
import { insertEntities } from '../server/intelligence/entities/store.ts'
import { BATCH, type Batch, batchOf, requests } from './ingest-rows.ts'
import { benchRules } from './ingest-rules.ts'
import { startServer } from './server.ts'

const PARALLEL_REQUESTS = 2

/** A way to store batches: the API, or the bare driver on a copy of its tables. */
interface Way {
  readonly name: string
  readonly pool: pg.Pool
  /** Prepares the input before the turn, so that only the work itself is measured. */
  prepare(requests: readonly Buffer[]): Promise<(() => Promise<void>)[]>
}

/** Compares the entities per second of the API with the bare driver and the same rows, with and without indexes. */
export async function bench(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      entities: { type: 'string', default: '40000' },
      scale: { type: 'string', default: '1' },
      rounds: { type: 'string', default: '4' },
      rules: { type: 'string' },
    },
  })
  if (values.rules !== undefined) {
    const counts = values.rules.split(',').map(Number)
    return benchRules(counts, Number(values.entities), Number(values.rounds))
  }
  const scale = Number(values.scale)
  const rounds = Number(values.rounds)
  const each = BATCH * Math.max(PARALLEL_REQUESTS, Math.floor(Number(values.entities) / rounds / BATCH))
  const count = each * rounds
  const server = await startServer()
  await putDefinitions(clientOf(server.url, server.token, new AbortController().signal))
  const floor = await driverOn(server.pool, 'bench_floor', false)
  const limit = await driverOn(server.pool, 'bench_limit', true)
  const ways = [limit, floor, apiOf(server)]
  // Otherwise autovacuum for one way would run in the turn of another. All are vacuumed between comparisons instead.
  await server.pool.query('alter system set autovacuum = off')
  await server.pool.query('select pg_reload_conf()')
  let from = 0
  const next = () => {
    const start = from
    from += count
    return start
  }
  try {
    await compare(ways, next(), count, each, 'warm-up')
    await compare(ways, next(), count, each, 'first')
    const steady = await compare(ways, next(), count, each, 'steady')
    print('steady state (the indexes are merged within the time)', steady)
    if (scale > 1) {
      const size = count * scale
      console.log(`\nloading up to ${size} entities…`)
      while (from + count <= size) await compare(ways, next(), count, each, `load ${from}`)
      const large = await compare(ways, next(), count, each, 'large')
      print(`steady with ${from} entities`, large)
      for (const name of ['limit', 'floor', 'api'] as const) {
        const ratio = ((large[name] / steady[name]) * 100).toFixed(0)
        console.log(`  ${name.padEnd(6)} at ${from} entities to the first: ${ratio} %  (API: at least 80 % wanted)`)
      }
    }
    const { peak } = await memoryOf(server.pid)
    console.log(`\nserver memory at its peak, ${from} entities: ${(peak / 1024).toFixed(0)} MB  (under 400 MB wanted)`)
    await others(server, count, steady.api)
  } finally {
    await limit.pool.end()
    await floor.pool.end()
    await server.stop()
  }
}

type Rates = Record<'limit' | 'floor' | 'api', number>

/**
 * The ways take turns with the same entities, some batches at a time, so that other load affects all of them. With
 * few batches per turn, much of the API's time would be its start, when the database is idle, and its end, when only
 * one of two requests is left.
 */
async function compare(ways: readonly Way[], from: number, count: number, each: number, label: string): Promise<Rates> {
  const seconds = new Map<string, number>()
  for (let done = 0; done < count; done += each) {
    const bodies = requests(from + done, each)
    for (const { name, pool, prepare } of ways) {
      const sendings = await prepare(bodies)
      collectGarbage()
      const start = performance.now()
      await inParallel(sendings, (send) => send())
      await merge(pool)
      seconds.set(name, (seconds.get(name) ?? 0) + (performance.now() - start) / 1000)
    }
  }
  for (const { pool } of ways) await pool.query('vacuum (analyze)')
  const rate = (name: string) => count / (seconds.get(name) ?? 1)
  const rates = { limit: rate('limit'), floor: rate('floor'), api: rate('api') }
  console.log(
    `${label}: limit ${rates.limit.toFixed(0)}/s, floor ${rates.floor.toFixed(0)}/s, API ${rates.api.toFixed(0)}/s`,
  )
  return rates
}

setFlagsFromString('--expose-gc')
/** Collects garbage before a turn, which would otherwise be collected during it, on all cores. */
const collectGarbage = runInNewContext('gc') as () => void

async function inParallel<T>(items: readonly T[], run: (item: T) => Promise<void>): Promise<void> {
  const queue = items.values()
  const worker = async () => {
    for (const item of queue) await run(item)
  }
  await Promise.all(Array.from({ length: PARALLEL_REQUESTS }, worker))
}

const INDEXES = ['entities_search', 'observables_trigrams']

async function merge(pool: pg.Pool): Promise<void> {
  const { rows } = await pool.query<{ name: string }>('select relname as name from pg_class where relname = any($1)', [
    INDEXES,
  ])
  for (const { name } of rows) await pool.query(`select gin_clean_pending_list('${name}')`)
}

function apiOf({ url, token, pool }: { url: string; token: string; pool: pg.Pool }): Way {
  return {
    name: 'api',
    pool,
    prepare: async (bodies) => bodies.map((body) => () => call(url, token, 'PUT', body)),
  }
}

const agent = new Agent({ keepAlive: true })

/** Sends a request and reads the response to its end, at minimal cost for the client. */
function call(url: string, token: string, method: string, body: Buffer | string): Promise<void> {
  return new Promise((resolve, reject) => {
    const headers = {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
      authorization: `Bearer ${token}`,
    }
    const sent = request(`${url}/api/v2/entities`, { method, headers, agent }, (answer) => {
      let refusal = ''
      answer.on('data', (chunk: Buffer) => {
        if ((answer.statusCode ?? 500) >= 300) refusal += chunk.toString().slice(0, 2000)
      })
      answer.on('end', () => (refusal === '' ? resolve() : reject(new Error(refusal))))
      answer.on('error', reject)
    })
    sent.on('error', reject)
    sent.end(body)
  })
}

/** The same tables in a separate database, written by the driver alone. */
async function driverOn(admin: pg.Pool, name: string, hasKeysOnly: boolean): Promise<Way> {
  await admin.query(`create database ${name}`)
  const options = { ...admin.options, password: admin.options.password, database: name }
  const { pool } = connect(options, { poolSize: PARALLEL_REQUESTS + 1, statementTimeoutMs: 0 })
  await migrate(pool, `${root}/migrations`)
  if (hasKeysOnly) {
    const { rows } = await pool.query<{ name: string }>(`
      select indexrelid::regclass::text as name from pg_index
      where not indisunique and indrelid = any('{entities, observables, entity_observables, words, changes}'::regclass[])`)
    for (const index of rows) await pool.query(`drop index ${index.name}`)
  }
  // biome-ignore lint/suspicious/noExplicitAny: tables are known by their definitions
  const db = new Kysely<any>({ dialect: new PostgresDialect({ pool }) })
  const ctx = { db, caller: { id: 1, permissions: new Set() } } as unknown as Context
  const known = new Set<string>()
  const store = async ({ rows, wanted, words }: Batch) => {
    const unknown = words.filter((word) => !known.has(word)).sort()
    for (const word of unknown) known.add(word)
    await insertWords(pool, unknown)
    await db.transaction().execute(async (transaction) => {
      const inside = { ...ctx, db: transaction }
      // A driver that sends a document has to serialise it.
      const fresh = rows.map((row) => ({ ...row, text: JSON.stringify(row.data) }))
      await insertEntities(inside, fresh, distinctLinks(wanted))
    })
  }
  return {
    name: hasKeysOnly ? 'limit' : 'floor',
    pool,
    prepare: async (bodies) => {
      const made = await Promise.all(bodies.map((body) => batchOf(body, 1)))
      return made.map((batch) => () => store(batch))
    },
  }
}

const insertWords = async (pool: pg.Pool, words: readonly string[]): Promise<void> => {
  if (words.length === 0) return
  await pool.query('insert into words (word) select * from unnest($1::text[]) on conflict do nothing', [words])
}

/** Measures updates, unchanged writes and deletes through the API. */
async function others(
  { url, token, pool }: { url: string; token: string; pool: pg.Pool },
  count: number,
  inserted: number,
): Promise<void> {
  const size = Math.min(count, 10_000)
  const timed = async (bodies: readonly (Buffer | string)[], method: string) => {
    const start = performance.now()
    await inParallel(bodies, (body) => call(url, token, method, body))
    await merge(pool)
    return size / ((performance.now() - start) / 1000)
  }
  const updated = await timed(requests(0, size, ' (updated)'), 'PUT')
  const same = await timed(requests(0, size, ' (updated)'), 'PUT')
  const { rows } = await pool.query<{ id: string }>('select id from entities order by id limit $1', [size])
  const ids = rows.map(({ id }) => id)
  const bodies = Array.from({ length: size / BATCH }, (_, i) => JSON.stringify(ids.slice(i * BATCH, (i + 1) * BATCH)))
  const deleted = await timed(bodies, 'DELETE')
  console.log(`\nAPI, ${size} entities: update ${updated.toFixed(0)}/s, the same again ${same.toFixed(0)}/s`)
  console.log(
    `  delete ${deleted.toFixed(0)}/s, ${((deleted / inserted) * 100).toFixed(0)} % of insert  (at least 100 % wanted)`,
  )
}

function print(label: string, { limit, floor, api }: Rates): void {
  console.log(`\nPUT of ${BATCH} entities, ${PARALLEL_REQUESTS} at a time, ${label}`)
  console.log(`  limit, only keys   ${limit.toFixed(0)}/s`)
  console.log(`  floor, the driver  ${floor.toFixed(0)}/s  ${((floor / limit) * 100).toFixed(1)} % of the limit`)
  console.log(
    `  API                ${api.toFixed(0)}/s  ${((api / floor) * 100).toFixed(1)} % of the floor  (at least 65 % wanted)`,
  )
}

async function memoryOf(pid: number): Promise<{ peak: number }> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
  return { peak: Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) }
}
