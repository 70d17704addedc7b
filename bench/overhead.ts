import { connect, type Socket } from 'node:net'
import { type Kysely, sql } from 'kysely'
import { tickets } from '../server/collaboration/tickets.ts'
import { columns } from '../server/engine/select.ts'
import { resourceMap } from '../server/registry.ts'
import { taskTypes } from '../server/tasks.ts'
import { startServer } from './server.ts'

const CONNECTIONS = 16
const SECONDS = 2
const ROUNDS = 6

/** Compares the single-object reads per second of the API with the bare driver reading the same rows. */
export async function bench(): Promise<void> {
  const server = await startServer()
  const { pool, port, token, url } = server
  const items = Array.from({ length: 200 }, (_, i) => ({
    name: `ticket ${i}`,
    description: 'x'.repeat(200),
    workspaces: [1],
  }))
  const made = await fetch(`${url}/api/v2/tickets`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify(items),
  })
  const { data } = (await made.json()) as { data: { id: number }[] }
  const ids = data.map(({ id }) => id)
  const statement = await statementOf(server)
  const plain: number[] = []
  const same: number[] = []
  const api: number[] = []
  const idAt = (i: number) => ids[i % ids.length] ?? 0
  try {
    for (let round = 0; round <= ROUNDS; round++) {
      const row = await measure((i) => pool.query('select * from tickets where id = $1', [idAt(i)]))
      const whole = await measure((i) => pool.query(statement.text, statement.values(idAt(i))))
      const head = `HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\n\r\n`
      const http = await measureHttp(port, (i) => `GET /api/v2/tickets/${idAt(i)} ${head}`)
      // The first round is a warm-up.
      if (round === 0) continue
      plain.push(row)
      same.push(whole)
      api.push(http)
      console.log(
        `round ${round}: plain row ${row.toFixed(0)}/s, same statement ${whole.toFixed(0)}/s, API ${http.toFixed(0)}/s`,
      )
    }
  } finally {
    await server.stop()
  }
  const ratio = (base: number[]) => `${((median(api) / median(base)) * 100).toFixed(1)} %`
  console.log(`\nGET of one object, ${CONNECTIONS} at a time, median of ${ROUNDS} rounds of ${SECONDS} s each`)
  console.log(`  driver, the row without its links     ${median(plain).toFixed(0)}/s`)
  console.log(`  driver, the statement of the API      ${median(same).toFixed(0)}/s`)
  console.log(`  API                                   ${median(api).toFixed(0)}/s`)
  console.log(`  API to the same statement             ${ratio(same)}  (at least 60 % wanted)`)
  console.log(`  API to the plain row                  ${ratio(plain)}`)
}

/** The statement that the API runs for an object: the row and its visible links. */
async function statementOf({ db }: { db: Kysely<unknown> }) {
  const ctx = {
    db,
    resources: resourceMap,
    taskTypes,
    caller: { id: 1, permissions: new Set<string>() },
    baseUrl: '',
    vault: noVault,
  }
  const { sql: text, parameters } = sql`
    select ${columns(ctx, tickets)} from tickets as t where t.id = ${'the id'}`.compile(db)
  return { text, values: (id: number) => parameters.map((value) => (value === 'the id' ? id : value)) }
}

const noVault = { seal: (text: string) => text, open: (text: string) => text }

async function measure(read: (i: number) => Promise<unknown>): Promise<number> {
  const end = performance.now() + SECONDS * 1000
  let done = 0
  const loop = async () => {
    while (performance.now() < end) await read(done++)
  }
  await Promise.all(Array.from({ length: CONNECTIONS }, loop))
  return done / SECONDS
}

/** Keep-alive connections with one request at a time; reads just enough to know that the response is a complete 200. */
async function measureHttp(port: number, request: (i: number) => string): Promise<number> {
  const end = performance.now() + SECONDS * 1000
  let done = 0
  const loop = (socket: Socket) =>
    new Promise<void>((resolve, reject) => {
      let buffered = ''
      socket.setEncoding('latin1')
      socket.on('error', reject)
      socket.on('data', (chunk: string) => {
        buffered += chunk
        const headEnd = buffered.indexOf('\r\n\r\n')
        if (headEnd < 0) return
        const length = Number(/content-length: (\d+)/i.exec(buffered)?.[1] ?? 0)
        if (buffered.length < headEnd + 4 + length) return
        if (!buffered.startsWith('HTTP/1.1 200')) return reject(new Error(buffered))
        buffered = ''
        done++
        if (performance.now() < end) socket.write(request(done))
        else socket.end(resolve)
      })
      socket.write(request(0))
    })
  await Promise.all(Array.from({ length: CONNECTIONS }, () => loop(connect(port, '127.0.0.1').setNoDelay())))
  return done / SECONDS
}

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
}
