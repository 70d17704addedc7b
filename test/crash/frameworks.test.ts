import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { pino } from 'pino'
import { readConfig } from '../../server/config.ts'
import { connect } from '../../server/database/database.ts'
import { openPostgres } from '../../server/ports/postgres.ts'
import { isThorough } from '../effort.ts'
import { bundleOf, objectsOf, shippedContent } from '../set-up/attack-bundle.ts'
import { crashing } from '../set-up/crashing.ts'
import { startServer } from '../set-up/hostile-server.ts'
import { until } from '../until.ts'

const FRAMEWORKS = 'attacks/frameworks'
const MIB = 2 ** 20
const LIMIT = 200 * MIB
/** The peak of a load of what official bundles contain, and what garbage collection leaves. */
const MOST_MEMORY = 400 * MIB

const server = crashing({ CORVUS_ALLOWED_NETWORKS: '127.0.0.1/32' })
const hostile = await startServer()
after(() => hostile.stop())

const shipped = await shippedContent('ics-attack')
const next = {
  ...shipped,
  version: '19.0',
  techniques: shipped.techniques.map((each) => (each.id === 'T0864' ? { ...each, revokedBy: ['T0862'] } : each)),
}

/** Sends the parts of a document as they are made, and returns the answer. */
async function upload(parts: Iterable<string>): Promise<Response> {
  const head = '--limit\r\nContent-Disposition: form-data; name="file"; filename="bundle.json"\r\n\r\n'
  const pieces = (function* () {
    yield Buffer.from(head)
    for (const part of parts) yield Buffer.from(part)
    yield Buffer.from('\r\n--limit--\r\n')
  })()
  const body = ReadableStream.from(pieces)
  const headers = { ...server.headers(), 'content-type': 'multipart/form-data; boundary=limit' }
  return fetch(server.url(`/api/v2/${FRAMEWORKS}/preview`), { method: 'POST', headers, body, duplex: 'half' })
}

const detailOf = async (answer: Response): Promise<string> => ((await answer.json()) as [{ detail: string }])[0].detail

/** How many more bytes the server had in memory at most. */
async function growthDuring(work: () => Promise<void>): Promise<number> {
  const read = async (): Promise<number> => (await server.call('GET', 'system/status')).data.memory_bytes
  const before = await read()
  let peak = before
  let isOver = false
  const watch = (async () => {
    for (; !isOver; await sleep(100)) peak = Math.max(peak, await read())
  })()
  await work().finally(() => {
    isOver = true
  })
  await watch
  return peak - before
}

function* repeated(part: string, bytes: number): Generator<string> {
  for (let sent = 0; sent < bytes; sent += part.length) yield part
}

const onlyThorough = { skip: !isThorough && 'takes long' }

test('a document that does not end is a 413, uploaded or downloaded, in little memory', onlyThorough, async () => {
  const growth = await growthDuring(async () => {
    const uploaded = await upload(repeated(' '.repeat(MIB), LIMIT + 2 * MIB))
    assert.deepEqual([uploaded.status, await detailOf(uploaded)], [413, `file: must be at most ${LIMIT} bytes.`])
    const downloaded = await fetch(server.url(`/api/v2/${FRAMEWORKS}/preview`), {
      method: 'POST',
      headers: server.headers(),
      body: JSON.stringify({ data: { url: `${hostile.url}/endless` } }),
    })
    assert.deepEqual([downloaded.status, await detailOf(downloaded)], [413, `file: must be at most ${LIMIT} bytes.`])
  })
  assert.ok(growth < MOST_MEMORY, `${growth} bytes more were in memory`)
})

test('a document of nearly 200 MiB is read in little memory', onlyThorough, async () => {
  const [first = {}, ...rest] = objectsOf(next)
  const other = `,${JSON.stringify({ type: 'malware', description: 'Of no concern. '.repeat(4000) })}`
  const growth = await growthDuring(async () => {
    const answer = await upload(
      (function* () {
        yield `{"objects":[${JSON.stringify(first)}`
        yield* repeated(other, LIMIT - 10 * MIB)
        yield `${rest.map((each) => `,${JSON.stringify(each)}`).join('')}]}`
      })(),
    )
    const { data } = (await answer.json()) as { data: { report: { revoked: unknown[] } } }
    assert.deepEqual([answer.status, data.report.revoked.length], [201, 1])
  })
  assert.ok(growth < MOST_MEMORY, `${growth} bytes more were in memory`)
})

test('a load that is killed leaves nothing behind, and succeeds later', async () => {
  const { data: entity } = await server.call('POST', 'entities', {
    data: { data: { type: 'report', title: 'Cable' }, meta: { attacks: ['TA0108:T0864'] } },
  })
  const previewed = await upload([bundleOf(next)])
  const { data: preview } = (await previewed.json()) as { data: { id: number } }
  const postgres = await openPostgres(readConfig({ CORVUS_DATA: server.folder() }), pino({ level: 'silent' }))
  const { pool, close } = connect(postgres.connection, { poolSize: 2, statementTimeoutMs: 0 })
  const state = async () => {
    const { rows } = await pool.query(`
      select (select string_agg(md5(f::text), '' order by f.matrix) from frameworks as f) as frameworks,
        (select md5(string_agg(n::text, '' order by n.id)) from attack_nodes as n) as nodes,
        (select md5(string_agg(d::text, '' order by d.id)) from attack_defenses as d) as defenses,
        (select md5(string_agg(r::text, '' order by r.id)) from defense_relationships as r) as links,
        (select md5(string_agg(l::text, '' order by l.id)) from framework_loads as l) as loads,
        (select count(*) from framework_remappings) as remappings,
        (select count(*) from changes where cause_kind = 'attack-upgrade') as changes,
        (select array_agg(attacks::text) from entities) as entities`)
    return rows[0]
  }
  const before = await state()
  const sendLoad = () => server.call('POST', `${FRAMEWORKS}/load`, { data: { load: preview.id } })
  const holder = await pool.connect()
  try {
    // The load has stored the version when it waits for the entity.
    await holder.query('begin')
    await holder.query('select from entities where id = $1 for update', [entity.id])
    const lost = assert.rejects(sendLoad())
    await until(async () => {
      const { rows } = await pool.query(
        "select from pg_stat_activity where wait_event_type = 'Lock' and query like '%for update of t%' and datname = current_database()",
      )
      return rows.length > 0
    }, 'the load does not wait for the entity')
    await server.kill()
    await lost
    await holder.query('rollback')
    await server.start()
    assert.deepEqual(await state(), before)
    const { data: loaded } = await sendLoad()
    assert.deepEqual([loaded.state, loaded.version, loaded.remapped.entities], ['loaded', '19.0', 1])
    const { data: read } = await server.call('GET', `entities/${entity.id}`)
    assert.deepEqual(
      read.meta.attacks.map((url: string) => url.split('/').at(-1)),
      ['TA0108:T0862'],
    )
  } finally {
    holder.release()
    await close()
    await postgres.stop()
  }
})
