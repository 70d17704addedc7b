import { parseArgs } from 'node:util'
import { request } from 'undici'
import { readCoverage } from '../server/attack/heat/coverage-parameters.ts'
import { gapsOf } from '../server/attack/heat/gaps.ts'
import { heatOf } from '../server/attack/heat/heat.ts'
import { readHeat } from '../server/attack/heat/heat-parameters.ts'
import type { Context } from '../server/engine/context.ts'
import { loadClassified, type Reader } from './classified.ts'
import { at, recorder, replay, timed } from './replayed.ts'
import { startServer } from './server.ts'

/** The median that a heat must not exceed, unless it is close to its SQL. */
const MAX_MS = 300
const WARM_UP = 3

interface Kind {
  readonly name: string
  readonly path: string
  readonly run: (ctx: Context) => Promise<unknown>
}

const query = (text: string): Record<string, string[]> =>
  Object.fromEntries([...new URLSearchParams(text)].map(([name, value]) => [name, [value]]))

const heat = (name: string, text: string): Kind => ({
  name,
  path: `attacks/heat?${text}`,
  run: (ctx) => heatOf(ctx, readHeat(query(text))),
})

const coverage = (name: string, text: string): Kind => ({
  name,
  path: `attacks/coverage?${text}`,
  run: (ctx) => gapsOf(ctx, readCoverage(query(text))),
})

const KINDS: readonly Kind[] = [
  heat('heat by count', 'by=count'),
  heat('heat by recency', 'by=recency'),
  heat('heat by source', 'by=source'),
  heat('heat by type', 'by=type'),
  heat('heat of one type', 'filter[type]=malware'),
  heat('heat with relations', 'query=type:threat-actor&relations=true'),
  coverage('coverage', 'by=count'),
  coverage('gap, top 20', 'kind=gap&limit=20'),
]

/**
 * Compares how long the API takes for the heat and the coverage of a matrix with the bare driver running the same statements, and with the plainest
 * statement that counts entities by node. With `--data` the folder is kept for later runs.
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
  const server = await startServer(values.data)
  try {
    const readers = await loadClassified(server, Math.floor(Number(values.entities) * Number(values.scale)))
    for (const reader of readers) await measure(server, reader, Number(values.rounds))
  } finally {
    await server.stop()
  }
}

async function measure(server: Awaited<ReturnType<typeof startServer>>, reader: Reader, rounds: number): Promise<void> {
  const record = await recorder(server.pool, reader.token)
  const plain = { sql: PLAIN, parameters: [reader.keys] }
  console.log(`${reader.name}, who sees ${reader.count} entities: milliseconds`)
  console.log(
    `  ${'kind'.padEnd(22)}${['API p50', 'p95', 'SQL p50', 'p95', 'plain', 'kB'].map((text) => text.padStart(9)).join('')}`,
  )
  for (const kind of KINDS) {
    const statements = await record(kind.run)
    const [api, own, plainest]: [number[], number[], number[]] = [[], [], []]
    let size = 0
    for (let round = -WARM_UP; round < rounds; round++) {
      const times = [
        await timed(async () => {
          size = await ask(server.url, reader.token, kind.path)
        }),
        await timed(() => replay(server.pool, statements)),
        await timed(() => replay(server.pool, [plain])),
      ]
      for (const [i, list] of [api, own, plainest].entries()) if (round >= 0) list.push(times[i] ?? 0)
    }
    const [a, b] = [at(api, 0.5), at(own, 0.5)]
    const isWithin = a <= MAX_MS || a <= b * 1.2 + 3 ? '' : `  over ${MAX_MS} ms, and over 3 ms + 20 %`
    const columns = [a, at(api, 0.95), b, at(own, 0.95), at(plainest, 0.5), size / 1000]
    console.log(`  ${kind.name.padEnd(22)}${columns.map((value) => value.toFixed(1).padStart(9)).join('')}${isWithin}`)
  }
  console.log()
}

/** What nothing that counts entities by node can do without. */
const PLAIN = `
  select node, count(*)
  from entities as t cross join lateral unnest(t.attacks) as a(node)
  where t.vis = any($1::integer[])
  group by node`

/** The size of a response, which is not parsed: that is not the server's time. */
async function ask(url: string, token: string, path: string): Promise<number> {
  const { statusCode, body } = await request(`${url}/api/v2/${path}`, { headers: { authorization: `Bearer ${token}` } })
  const bytes = Buffer.from(await body.arrayBuffer())
  if (statusCode !== 200) throw new Error(`${path}: ${bytes}`)
  return bytes.length
}
