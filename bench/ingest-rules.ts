import { readFile } from 'node:fs/promises'
import type pg from 'pg'
import { clientOf } from '../cli/demo/client.ts'
import { putDefinitions } from '../cli/demo/put-definitions.ts'
import { BATCH, requests } from './ingest-rows.ts'
import { startServer } from './server.ts'

/** Types and colours that the rules are spread over; a rule without content criteria is for one of each. */
const TYPES = ['indicator', 'report', 'malware', 'campaign', 'tool', 'threat-actor', 'ttp', 'incident']
const COLOURS = ['WHITE', 'GREEN', 'AMBER', 'RED']
const WORDS = ['phishing', 'banking', 'ransomware', 'espionage', 'botnet', 'loader', 'credential', 'exploit']

/** The share of the rate that rules may cost, in percent. */
const ALLOWED = { criteria: 20, plain: 5 } as const

interface Kind {
  readonly name: string
  readonly allowed?: number
  readonly rules: readonly object[]
}

/** Rules that look for words in the content of entities, and tag what they find. */
const withCriteria = (count: number) =>
  Array.from({ length: count }, (_, i) => ({
    name: `criteria ${i}`,
    is_active: true,
    actions: ['add_tags'],
    add_tags: [`found ${i % 3}`],
    content_criteria: `data.title:${WORDS[i % WORDS.length]} AND data.description:${WORDS[(i * 3 + 1) % WORDS.length]} AND NOT tags:no${i}`,
  }))

/** Rules for one type and one colour each, a few of which change what they match. */
const withoutCriteria = (count: number) =>
  Array.from({ length: count }, (_, i) => ({
    name: `plain ${i}`,
    is_active: true,
    entity_types: [TYPES[i % TYPES.length]],
    tlps: [COLOURS[Math.floor(i / TYPES.length) % COLOURS.length]],
    ...(i % 20 === 7
      ? { actions: ['add_tags'], add_tags: ['plain'] }
      : { actions: ['remove_tags'], remove_tags: [`absent ${i}`] }),
  }))

interface Cost {
  seconds: number
  cpu: number
}

/** Compares the rates without rules, with rules with content criteria, and with rules without, in turns on one server. */
export async function benchRules(counts: readonly number[], entities: number, rounds: number): Promise<void> {
  const [, few = 20, many = 200] = counts
  const kinds: Kind[] = [
    { name: 'no rules', rules: [] },
    { name: `${few} rules with content criteria`, allowed: ALLOWED.criteria, rules: withCriteria(few) },
    { name: `${many} rules without`, allowed: ALLOWED.plain, rules: withoutCriteria(many) },
  ]
  const each = BATCH * Math.max(1, Math.floor(entities / rounds / BATCH))
  const server = await startServer()
  const costs = new Map(kinds.map(({ name }): [string, Cost] => [name, { seconds: 0, cpu: 0 }]))
  try {
    await putDefinitions(clientOf(server.url, server.token, new AbortController().signal))
    await server.pool.query('alter system set autovacuum = off')
    await server.pool.query('select pg_reload_conf()')
    let from = 0
    for (let round = -1; round < rounds; round++) {
      // Each kind is first once, because the tables grow.
      const shift = (round + kinds.length) % kinds.length
      for (const kind of [...kinds.slice(shift), ...kinds.slice(0, shift)]) {
        await putRules(server, kind.rules)
        const spent = await measure(server, requests(from, each))
        from += each
        // The first round is a warm-up.
        if (round < 0) continue
        const cost = costs.get(kind.name) as Cost
        cost.seconds += spent.seconds
        cost.cpu += spent.cpu
      }
    }
  } finally {
    await server.stop()
  }
  print(kinds, costs, each * rounds)
}

type Running = Awaited<ReturnType<typeof startServer>>

async function putRules({ url, token }: Running, rules: readonly object[]): Promise<void> {
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` }
  const call = async (method: string, body?: unknown) => {
    const answer = await fetch(`${url}/api/v2/entities/rules?limit=1000`, {
      method,
      headers,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    if (!answer.ok) throw new Error(await answer.text())
    return answer.status === 204 ? undefined : answer.json()
  }
  const { data } = (await call('GET')) as { data: { id: number }[] }
  if (data.length > 0)
    await call(
      'DELETE',
      data.map(({ id }) => id),
    )
  if (rules.length > 0) await call('PUT', rules)
}

/** Writes entities one request at a time, and gives the time and the processor time of the server and its database. */
async function measure(server: Running, bodies: readonly Buffer[]): Promise<Cost> {
  const { url, token, pool } = server
  await pool.query('vacuum (analyze) entities')
  const before = await processorTime(server)
  const start = performance.now()
  for (const body of bodies) {
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` }
    const answer = await fetch(`${url}/api/v2/entities`, { method: 'PUT', headers, body: new Uint8Array(body) })
    if (!answer.ok) throw new Error((await answer.text()).slice(0, 2000))
    await answer.arrayBuffer()
  }
  await merge(pool)
  return { seconds: (performance.now() - start) / 1000, cpu: (await processorTime(server)) - before }
}

const merge = (pool: pg.Pool) => pool.query("select gin_clean_pending_list('entities_search')")

const TICKS_PER_SECOND = 100

/** The processor time in seconds of the server and the connections of its database, as far as the system tells. */
async function processorTime({ pid, pool }: Running): Promise<number> {
  const { rows } = await pool.query<{ pid: number }>('select pid from pg_stat_activity')
  const times = await Promise.all([pid, ...rows.map((row) => row.pid)].map(ticksOf))
  return times.reduce((sum, ticks) => sum + ticks, 0) / TICKS_PER_SECOND
}

async function ticksOf(pid: number): Promise<number> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  return Number(fields[11] ?? 0) + Number(fields[12] ?? 0)
}

function print(kinds: readonly Kind[], costs: ReadonlyMap<string, Cost>, count: number): void {
  console.log(`\nPUT of ${BATCH} entities, one at a time, ${count} of each kind`)
  const base = costs.get(kinds[0]?.name ?? '') as Cost
  for (const { name, allowed } of kinds) {
    const { seconds, cpu } = costs.get(name) as Cost
    const rate = ((base.seconds / seconds) * 100).toFixed(1)
    const time = ((cpu / base.cpu - 1) * 100).toFixed(1)
    const goal = allowed === undefined ? '' : `  (at most ${allowed} % wanted)`
    console.log(
      `  ${name.padEnd(32)} ${(count / seconds).toFixed(0)}/s, ${rate} % of the rate; ${time} % more processor time${goal}`,
    )
  }
}
