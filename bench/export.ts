import { get } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { clientOf } from '../cli/demo/client.ts'
import { fill } from '../cli/demo/fill.ts'
import { OFFERED_TYPES } from '../server/formats/formats.ts'
import { watchMemory } from './memory.ts'
import { startServer } from './server.ts'

type Running = Awaited<ReturnType<typeof startServer>>

const MEGABYTE = 1_000_000
/** The maximum memory growth of the server in MB, in any format. */
const WANTED = 64

/**
 * Measures how fast entities are exported in each format, as a block and as a response, and how much the memory of
 * the server grows. With `--data` the folder is kept for later runs; `--types` selects formats.
 */
export async function bench(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      entities: { type: 'string', default: '100000' },
      types: { type: 'string' },
      data: { type: 'string' },
    },
  })
  const server = await startServer(values.data)
  try {
    await load(server, Number(values.entities))
    const names = values.types?.split(',')
    const types = OFFERED_TYPES.filter(({ name }) => names?.includes(name) ?? true)
    // A first export compiles the code of a format and brings the heap to its size.
    for (const { urn } of types) await streamed(server, urn, '&filter[type]=campaign')
    console.log(
      `${'form'.padEnd(18)}${'way'.padEnd(8)}${'entities/s'.padStart(12)}${'MB/s'.padStart(8)}${'MB'.padStart(9)}${'memory'.padStart(10)}`,
    )
    for (const { urn, name } of types) {
      await report(server, name, 'block', () => toBlock(server, urn))
      await report(server, name, 'answer', () => streamed(server, urn, ''))
    }
  } finally {
    await server.stop()
  }
}

interface Exported {
  readonly entities: number
  readonly bytes: number
}

async function report(server: Running, name: string, way: string, run: () => Promise<Exported>): Promise<void> {
  const watch = await watchMemory(server.pid)
  const start = performance.now()
  const { entities, bytes } = await run()
  const seconds = (performance.now() - start) / 1000
  const { before, peak } = await watch.stop()
  const growth = peak - before
  const columns = [
    (entities / seconds).toFixed(0).padStart(12),
    (bytes / MEGABYTE / seconds).toFixed(1).padStart(8),
    (bytes / MEGABYTE).toFixed(0).padStart(9),
    `+${growth.toFixed(0)} MB`.padStart(10),
  ]
  const isWithin = growth < WANTED ? '' : `  over ${WANTED} MB`
  console.log(`${name.padEnd(18)}${way.padEnd(8)}${columns.join('')}${isWithin}`)
}

/** Loads missing data and refreshes the database statistics. */
async function load({ url, token, pool }: Running, count: number): Promise<void> {
  const { rows } = await pool.query<{ count: number }>('select count(*) from entities')
  if ((rows[0]?.count ?? 0) >= count) return
  const start = performance.now()
  await fill(clientOf(url, token, new AbortController().signal), { seed: 1, entities: count })
  await pool.query('vacuum analyze')
  console.log(`${count} entities and as many relationships in ${((performance.now() - start) / 1000).toFixed(0)} s\n`)
}

async function toBlock({ url, token }: Running, content_type: string): Promise<Exported> {
  const call = async (path: string, data?: object) => {
    const answer = await fetch(path, {
      method: data ? 'POST' : 'GET',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(data && { body: JSON.stringify({ data }) }),
    })
    const body = (await answer.json()) as { data: Record<string, unknown> }
    if (!answer.ok) throw new Error(JSON.stringify(body))
    return body.data
  }
  const { task_run } = await call(`${url}/api/v2/entities/by-query/export`, { entities_query: '*', content_type })
  for (;;) {
    const run = await call(String(task_run))
    if (run.ended_at === null) await sleep(200)
    else if (run.state === 'FAILURE') throw new Error(String(run.error_detail))
    else {
      const { entities, size } = run.result as { entities: number; size: number }
      return { entities, bytes: size }
    }
  }
}

function streamed({ url, token }: Running, urn: string, query: string): Promise<Exported> {
  const path = `${url}/api/v2/entities/export?content_type=${encodeURIComponent(urn)}${query}`
  return new Promise((resolve, reject) => {
    get(path, { headers: { authorization: `Bearer ${token}` }, agent: false }, async (answer) => {
      let bytes = 0
      try {
        for await (const piece of answer) bytes += piece.length
      } catch (error) {
        reject(error)
      }
      if (answer.statusCode !== 200) reject(new Error(`${path}: ${answer.statusCode}`))
      resolve({ entities: Number(answer.trailers['x-corvus-entities']), bytes })
    }).on('error', reject)
  })
}
