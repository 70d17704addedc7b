import { parseArgs } from 'node:util'
import { request } from 'undici'
import { clientOf } from '../cli/demo/client.ts'
import { fill } from '../cli/demo/fill.ts'
import type { ListPlan } from '../server/engine/list-plan.ts'
import { planList } from '../server/engine/query.ts'
import { standard } from '../server/engine/standard.ts'
import { entities } from '../server/intelligence/entities/entities.ts'
import { at, recorder, replay, timed } from './replayed.ts'
import { type Kind, kindsFor } from './search-kinds.ts'
import { startServer } from './server.ts'

const WARM_UP = 10

type Running = Awaited<ReturnType<typeof startServer>>

/**
 * Compares how long the API takes for a page of each kind of query with the bare driver running the same statements.
 * With `--data` the folder is kept for later runs.
 */
export async function bench(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      entities: { type: 'string', default: '100000' },
      scale: { type: 'string', default: '1' },
      rounds: { type: 'string', default: '15' },
      data: { type: 'string' },
    },
  })
  const count = Math.floor((Number(values.entities) * Number(values.scale)) / 1000) * 1000
  const server = await startServer(values.data)
  try {
    await load(server, count)
    const kinds = await kindsFor(server)
    // A freshly started server is slower than one that has run for a minute.
    for (let i = 0; i < WARM_UP; i++) for (const kind of kinds) await call(server, pathOf(kind, i % 2 === 0 ? 20 : 500))
    for (const limit of [20, 500]) await pages(server, kinds, limit, Number(values.rounds))
    await counts(server, kinds)
    await walks(server, kinds)
  } finally {
    await server.stop()
  }
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

async function pages(server: Running, kinds: readonly Kind[], limit: number, rounds: number): Promise<void> {
  const record = await recorder(server.pool, server.token)
  console.log(`page of ${limit}: milliseconds`)
  console.log(
    `  ${'kind'.padEnd(22)}${'API p50'.padStart(9)}${'p95'.padStart(9)}${'SQL p50'.padStart(9)}${'p95'.padStart(9)}${'rows'.padStart(7)}`,
  )
  for (const kind of kinds) {
    const path = pathOf(kind, limit)
    const statements = await record((ctx) => standard.list(ctx, entities, planOf(path)))
    const api: number[] = []
    const bare: number[] = []
    const rows = (await call(server, path)).data.length
    for (let round = -2; round < rounds; round++) {
      // Up to the last byte: parsing is not the server's time.
      const took = await timed(async () => void (await ask(server, path)))
      const own = await timed(() => replay(server.pool, statements))
      // The first rounds are a warm-up.
      if (round >= 0) {
        api.push(took)
        bare.push(own)
      }
    }
    const [a, b] = [at(api, 0.5), at(bare, 0.5)]
    const isWithin = a <= b * 1.2 + 3 ? '' : '  over 3 ms + 20 %'
    const columns = [a, at(api, 0.95), b, at(bare, 0.95)].map((ms) => ms.toFixed(1).padStart(9))
    console.log(`  ${kind.name.padEnd(22)}${columns.join('')}${String(rows).padStart(7)}${isWithin}`)
  }
  console.log()
}

async function counts(server: Running, kinds: readonly Kind[]): Promise<void> {
  console.log('counts: capped and exact, milliseconds')
  for (const kind of kinds) {
    const path = `${pathOf(kind, 20)}&data=false`
    const results = await Promise.all(
      [path, `${path}&meta[total_resources_aggregated]=0`].map(async (each) => {
        const times: number[] = []
        let total = 0
        for (let i = 0; i < 5; i++)
          times.push(
            await timed(async () => {
              total = (await call(server, each)).total_count
            }),
          )
        return `${at(times, 0.5).toFixed(1)} ms (${total})`
      }),
    )
    console.log(`  ${kind.name.padEnd(22)}${results.map((text) => text.padStart(24)).join('')}`)
  }
  console.log()
}

/** Walks from the first page to the last, which must not take longer than the first. */
async function walks(server: Running, kinds: readonly Kind[]): Promise<void> {
  console.log('cursor to the end, pages of 500: median of the first and of the last full page')
  for (const kind of kinds) {
    const cursors: (string | null)[] = [null]
    let rows = 0
    for (let at = 0; at < cursors.length; at++) {
      const page = await call(server, pathOf(kind, 500, cursors[at] ?? null))
      rows += page.data.length
      if (page.cursor) cursors.push(page.cursor)
    }
    // The very last page is seldom full.
    const ends = [null, cursors.at(-2) ?? null]
    const times: number[][] = [[], []]
    for (let round = 0; round < 9; round++) {
      for (const [i, cursor] of ends.entries()) {
        times[i]?.push(await timed(async () => void (await ask(server, pathOf(kind, 500, cursor)))))
      }
    }
    const [first = 0, last = 0] = times.map((each) => at(each, 0.5))
    const isWithin = last <= first * 1.3 ? '' : '  over 1.3 times'
    console.log(
      `  ${kind.name.padEnd(22)}${first.toFixed(1).padStart(9)}${last.toFixed(1).padStart(9)}  ${rows} rows in ${cursors.length} pages${isWithin}`,
    )
  }
}

const pathOf = ({ search }: Kind, limit: number, cursor: string | null = null): string =>
  `/api/v2/entities?${search}&limit=${limit}${cursor ? `&page[cursor]=${cursor}` : ''}`

interface Page {
  readonly data: unknown[]
  readonly total_count: number
  readonly cursor: string | null
}

async function ask({ url, token }: Running, path: string): Promise<Buffer> {
  const { statusCode, body } = await request(url + path, { headers: { authorization: `Bearer ${token}` } })
  const bytes = Buffer.from(await body.arrayBuffer())
  if (statusCode !== 200) throw new Error(`${path}: ${bytes}`)
  return bytes
}

const call = async (server: Running, path: string): Promise<Page> => JSON.parse(String(await ask(server, path)))

function planOf(path: string): ListPlan {
  const query: Record<string, string[]> = {}
  for (const [key, value] of new URL(path, 'http://localhost').searchParams) query[key] = [value]
  return planList(entities, query)
}
