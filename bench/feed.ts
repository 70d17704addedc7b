import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { to as copyTo } from 'pg-copy-streams'
import { tlpRank } from '../server/domain/tlp.ts'
import { keyOf } from '../server/identity/access/visibility.ts'
import { watchMemory } from './memory.ts'
import { startServer } from './server.ts'

type Running = Awaited<ReturnType<typeof startServer>>

const MEGABYTE = 1_000_000
/** The maximum memory of the server in MB, for output of any size. */
const WANTED = 300
const PER_ENTITY = 10

/**
 * Compares how fast a feed writes a table of all observables with a bare copy of the same rows from the database, and
 * measures the memory of the server. With `--data` the folder is kept for later runs.
 */
export async function bench(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      observables: { type: 'string', default: '1000000' },
      strategy: { type: 'string', default: 'REPLACE' },
      data: { type: 'string' },
    },
  })
  const server = await startServer(values.data)
  try {
    const dataset = await load(server, Number(values.observables))
    const feed = await call(server, 'POST', '/api/v2/outgoing-feeds', {
      name: `bench ${Date.now()}`,
      content_type: 'urn:eclecticiq.com:csv-extracts:1.0',
      update_strategy: values.strategy,
      transport_type: 'eiq.outgoing-transports.http-download',
      transport_configuration: {},
      datasets: [dataset],
    })
    const bare = await measured('bare COPY', server, () => copied(server))
    for (const name of ['first run', 'second run']) {
      const run = await measured(name, server, () => packaged(server, Number(feed.id)))
      console.log(`  ${(bare / run).toFixed(2)} times as long as the bare copy`)
    }
  } finally {
    await server.stop()
  }
}

/** Loads missing data inside the database, and returns the dataset that contains all of it. */
async function load({ pool, token, url }: Running, count: number): Promise<number> {
  const { rows } = await pool.query<{ count: number }>('select count(*) from entity_observables')
  const known = await pool.query<{ id: number }>(`select id from datasets where name = 'Bench'`)
  if ((rows[0]?.count ?? 0) >= count && known.rows[0]) return known.rows[0].id
  const start = performance.now()
  const dataset = await call({ url, token }, 'POST', '/api/v2/datasets', { name: 'Bench', workspaces: [1] })
  const entities = Math.ceil(count / PER_ENTITY)
  const sources = await pool.query<{ number: number }>(`select number from sources where name = 'Default'`)
  const key = keyOf(sources.rows[0]?.number ?? 0, tlpRank('NONE'))
  await pool.query('set statement_timeout = 0')
  await pool.query(
    `insert into entities (id, stix_id, type, vis, half_life, threat_start, observed, tags, data, meta, search)
    select i.id, 'indicator--' || i.id, 'indicator', $2::integer, 30,
      now(), now(), '{bench,"a tag"}',
      jsonb_build_object('type', 'indicator', 'id', 'indicator--' || i.id, 'title', 'Indicator ' || i.n,
        'description', repeat('Seen with others. ', 20)),
      '{"tlp_color": null}', ''
    from (select n, gen_random_uuid() as id from generate_series(1, $1::integer) as n) as i`,
    [entities, key],
  )
  await pool.query(
    `insert into observables (type, value) select 'domain', 'host-' || n || '.bench.example' from generate_series(1, $1::integer) as n`,
    [count],
  )
  await pool.query(
    `insert into entity_observables (source, target)
    select e.id, o.id
    from (select id, row_number() over (order by id) as n from entities where type = 'indicator') as e
    join (select id, row_number() over (order by id) as n from observables) as o on e.n = (o.n - 1) / $1::integer + 1`,
    [PER_ENTITY],
  )
  await pool.query(
    `insert into observable_records (observable, vis)
    select id, $1::integer from observables`,
    [key],
  )
  await pool.query(`insert into dataset_entities (source, target) select $1, id from entities`, [dataset.id])
  await pool.query('vacuum analyze')
  console.log(`${count} observables of ${entities} entities in ${((performance.now() - start) / 1000).toFixed(0)} s\n`)
  return Number(dataset.id)
}

/** The same rows, written by the database alone. */
const COPY = `copy (
  select o.value, o.type, 'https://corvus.example/api/v2/observables/' || o.id, o.last_updated_at,
    array_to_string(array(select v.target from observable_sources as v where v.source = o.id), ';'),
    array_to_string(array(
      select s.name from observable_sources as v join sources as s on s.id = v.target where v.source = o.id), ';'),
    e.id, e.type, e.data ->> 'title', coalesce(e.meta ->> 'tlp_color', 'NONE'), '', e.last_updated_at, e.observed,
    e.threat_start, e.threat_end, 1.00, array_to_string(e.tags, ';'), '', e.meta ->> 'source_reliability',
    'https://corvus.example/api/v2/entities/' || e.id, coalesce(e.meta ->> 'tlp_color', 'NONE'), 1.00,
    e.meta ->> 'source_reliability', '', ''
  from entities as e join entity_observables as l on l.source = e.id join observables as o on o.id = l.target
  order by e.id, o.id) to stdout with csv`

interface Written {
  readonly rows: number
  readonly bytes: number
}

async function copied({ pool }: Running): Promise<Written> {
  const client = await pool.connect()
  let bytes = 0
  try {
    const stream = client.query(copyTo(COPY))
    for await (const piece of stream) bytes += (piece as Buffer).length
    return { rows: stream.rowCount, bytes }
  } finally {
    client.release()
  }
}

async function packaged(server: Running, feed: number): Promise<Written> {
  const { task_run } = await call(server, 'POST', `/api/v2/outgoing-feeds/${feed}/run`, {})
  for (;;) {
    const run = await call(server, 'GET', new URL(String(task_run)).pathname)
    if (run.ended_at === null) await sleep(100)
    else if (run.state === 'FAILURE') throw new Error(String(run.error_detail))
    else {
      const { items, size } = run.result as { items: number; size: number }
      return { rows: items, bytes: size }
    }
  }
}

/** Runs something, prints its cost and returns the rows per second. */
async function measured(name: string, { pid }: Running, run: () => Promise<Written>): Promise<number> {
  const watch = await watchMemory(pid)
  const start = performance.now()
  const { rows, bytes } = await run()
  const seconds = (performance.now() - start) / 1000
  const { before, peak } = await watch.stop()
  const memory = `memory ${peak.toFixed(0)} MB, ${(peak - before).toFixed(0)} more than before`
  const isWithin = peak < WANTED ? '' : `, over ${WANTED} MB`
  console.log(
    `${name.padEnd(12)}${rows} rows, ${(bytes / MEGABYTE).toFixed(0)} MB in ${seconds.toFixed(1)} s: ${(rows / seconds).toFixed(0)} rows/s; ${memory}${isWithin}`,
  )
  return rows / seconds
}

async function call({ url, token }: Pick<Running, 'url' | 'token'>, method: string, path: string, data?: object) {
  const answer = await fetch(`${url}${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(data && { body: JSON.stringify({ data }) }),
  })
  const body = (await answer.json()) as { data: Record<string, unknown> }
  if (!answer.ok) throw new Error(JSON.stringify(body))
  return body.data
}
