import { createHash, randomBytes } from 'node:crypto'
import { parseArgs } from 'node:util'
import { Agent, request } from 'undici'
import { clientOf } from '../cli/demo/client.ts'
import { fill } from '../cli/demo/fill.ts'
import { startServer } from './server.ts'

type Running = Awaited<ReturnType<typeof startServer>>

/** The flood: requests without index support that read every entity. */
const WORST = [
  'entities?limit=1000&query=data.description:/.*(a|e|i|o).*(n|r|s|t).*/&meta[total_resources_aggregated]=0',
  'entities?limit=1000&sort=-_score&query=*e*%20*a*%20*i*%20*o*%20*u*',
  'entities?limit=100&query="the%20of"~80%20"and%20the"~80%20"in%20the"~80&meta[total_resources_aggregated]=0',
  'entities?limit=100&query=extracts.value:/.*a.*e.*/%20OR%20extracts.value:*1*2*&meta[total_resources_aggregated]=0',
  'relationships?limit=1000&query=data.description:*e*a*&meta[total_resources_aggregated]=0',
  'aggregations/entities/counts?fields=tags,type,data.confidence,sources.name,extracts.kind&query=*e*',
]

/** The requests of the other reader. */
const USUAL = [
  'entities?limit=20&query=data.title:report',
  'entities?limit=20&filter[type]=malware',
  'observables?limit=20',
  'entities?limit=20&sort=-last_updated_at',
  'users/self',
]

/** The bar: p95 during the flood divided by p95 without it. */
const WANTED = 3

/**
 * How much slower a reader's usual requests become while another reader floods the server with expensive ones. Quiet and busy
 * rounds alternate, so that other load on the machine affects both alike.
 */
export async function bench(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      entities: { type: 'string', default: '20000' },
      flood: { type: 'string', default: '48' },
      seconds: { type: 'string', default: '15' },
      rounds: { type: 'string', default: '3' },
      data: { type: 'string' },
    },
  })
  const server = await startServer(values.data)
  try {
    await load(server, Number(values.entities))
    const [greedy, usual] = [await tokenFor(server, 'greedy'), await tokenFor(server, 'usual')]
    const milliseconds = Number(values.seconds) * 1000
    await use(server, usual, milliseconds / 3)
    const quiet: Measured[] = []
    const busy: Measured[] = []
    const floods: Flooded[] = []
    for (let round = 0; round < Number(values.rounds); round++) {
      quiet.push(await use(server, usual, milliseconds))
      const stop = startFlood(server, greedy, Number(values.flood))
      busy.push(await use(server, usual, milliseconds))
      floods.push(await stop())
    }
    report(quiet, busy, floods, Number(values.flood))
  } finally {
    await server.stop()
  }
}

interface Measured {
  readonly times: number[]
  readonly refused: number
}

interface Flooded {
  readonly statuses: Map<number, number>
}

/** Sends requests one after another for this long. */
async function use(server: Running, token: string, milliseconds: number): Promise<Measured> {
  const times: number[] = []
  let refused = 0
  const end = performance.now() + milliseconds
  for (let i = 0; performance.now() < end; i++) {
    const start = performance.now()
    const status = await ask(server, token, USUAL[i % USUAL.length] ?? '')
    times.push(performance.now() - start)
    if (status !== 200) refused++
  }
  return { times, refused }
}

/** Keeps many expensive requests running; every fourth is aborted after half a second, as impatient users do. */
function startFlood(server: Running, token: string, count: number): () => Promise<Flooded> {
  const stopping = new AbortController()
  const agent = new Agent({ connections: count, pipelining: 1 })
  const statuses = new Map<number, number>()
  const flood = async (first: number): Promise<void> => {
    for (let i = first; !stopping.signal.aborted; i++) {
      const patience = i % 4 === 0 ? [AbortSignal.timeout(500)] : []
      const signal = AbortSignal.any([stopping.signal, ...patience])
      const status = await ask(server, token, WORST[i % WORST.length] ?? '', { dispatcher: agent, signal }).catch(
        () => 0,
      )
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
    }
  }
  const all = Array.from({ length: count }, (_, i) => flood(i))
  return async () => {
    stopping.abort()
    await Promise.all(all)
    await agent.destroy()
    return { statuses }
  }
}

async function ask(
  { url }: Running,
  token: string,
  path: string,
  options: { dispatcher?: Agent; signal?: AbortSignal } = {},
): Promise<number> {
  const { statusCode, body } = await request(`${url}/api/v2/${path}`, {
    headers: { authorization: `Bearer ${token}` },
    headersTimeout: 120_000,
    ...options,
  })
  await body.dump({ limit: 1e9 })
  return statusCode
}

async function load({ url, token, pool }: Running, count: number): Promise<void> {
  const { rows } = await pool.query<{ count: number }>('select count(*) from entities')
  if ((rows[0]?.count ?? 0) >= count) return
  await fill(clientOf(url, token, new AbortController().signal), { seed: 1, entities: count })
  await pool.query('vacuum analyze')
}

/** Creates a reader who sees everything, and returns their token. */
async function tokenFor({ pool }: Running, name: string): Promise<string> {
  const token = `cvs_${randomBytes(32).toString('base64url')}`
  await pool.query(
    `with u as (insert into users (username) values ($1) returning id),
     r as (insert into role_users (source, target) select r.id, u.id from roles as r, u where r.name = 'System Admin'),
     g as (insert into group_users (source, target) select g.id, u.id from groups as g, u)
     insert into tokens (user_id, name, hash) select id, 'bench', $2 from u`,
    [`${name}-${randomBytes(4).toString('hex')}`, createHash('sha256').update(token).digest()],
  )
  return token
}

function report(
  quiet: readonly Measured[],
  busy: readonly Measured[],
  floods: readonly Flooded[],
  count: number,
): void {
  const [alone, flooded] = [quiet, busy].map((all) => all.flatMap(({ times }) => times)) as [number[], number[]]
  const row = (name: string, times: number[]) =>
    console.log(
      `  ${name.padEnd(28)}${String(times.length).padStart(8)}${at(times, 0.5).toFixed(1).padStart(10)}${at(times, 0.95).toFixed(1).padStart(10)}`,
    )
  console.log(`\none reader, without and with a flood of ${count} expensive requests by another: milliseconds`)
  console.log(`  ${''.padEnd(28)}${'requests'.padStart(8)}${'p50'.padStart(10)}${'p95'.padStart(10)}`)
  row('without the flood', alone)
  row('during the flood', flooded)
  const statuses = new Map<number, number>()
  for (const flood of floods) {
    for (const [status, n] of flood.statuses) statuses.set(status, (statuses.get(status) ?? 0) + n)
  }
  const counts = [...statuses].sort(([a], [b]) => a - b).map(([status, n]) => `${status || 'abandoned'}: ${n}`)
  console.log(`  answers to the flood: ${counts.join(', ')}`)
  const refused = [...quiet, ...busy].reduce((sum, each) => sum + each.refused, 0)
  const ratio = at(flooded, 0.95) / at(alone, 0.95)
  const isGood = ratio < WANTED && refused === 0 && !statuses.has(503)
  console.log(`  p95 during the flood / p95 without it: ${ratio.toFixed(2)}  (bar: below ${WANTED})`)
  console.log(`  refused requests of the reader: ${refused}${isGood ? '' : '\n  the bar was missed'}`)
}

const at = (times: readonly number[], share: number): number =>
  times.toSorted((a, b) => a - b)[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0
