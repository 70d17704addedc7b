import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { after, before, beforeEach, test } from 'node:test'
import { root } from '../server/config.ts'
import { demoEntity } from '../server/demo/entity.ts'
import { hashSecret } from '../server/identity/access/secrets.ts'
import { createDatabase, type TestDatabase } from '../test/database.ts'
import { until } from '../test/until.ts'
import { idOf, type Put, SOURCE, type StandIn, startStandIn } from './demo/stand-in.ts'

const TOKEN = 'cvs_test'

const putsTo = (path: string): Put[] => served.puts.filter((put) => put.path === path)

let database: TestDatabase
let served: StandIn
let usual: StandIn
before(async () => {
  database = await createDatabase()
  served = await startStandIn()
  usual = { ...served }
})
beforeEach(() => Object.assign(served, usual, { puts: [], tokens: new Set() }))
after(async () => {
  served.close()
  await database.drop()
})

function begin(args: readonly string[], variables: Record<string, string> = { CORVUS_TOKEN: TOKEN }) {
  const env = { ...process.env, DATABASE_URL: database.url, CORVUS_PORT: new URL(served.url).port, ...variables }
  const child = spawn(process.execPath, [`${root}/cli/corvus.ts`, '--json', 'demo', ...args], { env })
  const ended = Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
  return { child, ended: ended.then(([out, error, [code]]) => ({ out, error, code })) }
}

test('demo loads taxonomies, then entities in batches of a thousand, two at a time, then relationships', async () => {
  // The first batch waits for the second: an answer within any fixed time could come too early on a busy machine.
  served.hold = async ({ path }) => {
    if (path === '/api/v2/entities') await until(() => served.mostInFlight > 1, 'the batches are sent one by one')
  }
  const { out, error, code } = await begin(['--entities', '3500', '--relationships', '1200', '--seed', '5']).ended
  assert.equal(code, 0, error)
  const { seconds, ...loaded } = JSON.parse(out)
  assert.deepEqual(loaded, { entities: 3500, relationships: 1200 })
  assert.equal(typeof seconds, 'number')
  assert.match(error, /^entities: 3,500 of 3,500, 100 %/m)
  assert.match(error, /^relationships: 1,200 of 1,200, 100 %/m)

  const entities = putsTo('/api/v2/entities')
  assert.deepEqual(entities.map(({ items }) => items.length).sort(), [1000, 1000, 1000, 500])
  assert.equal(served.mostInFlight, 2)
  const byId = new Map(entities.flatMap(({ items }) => items).map((item) => [item.data.id, item]))
  assert.equal(byId.size, 3500)
  for (const index of [0, 999, 1000, 3499]) {
    const made = demoEntity(5, index)
    assert.deepEqual(byId.get(made.data.id), made)
  }

  const relationships = putsTo('/api/v2/relationships').flatMap(({ items }) => items)
  assert.equal(relationships.length, 1200)
  const known = new Set([...byId.keys()].map(idOf))
  for (const { data, sources } of relationships) {
    assert.deepEqual(sources, [SOURCE])
    assert.ok(known.has(data.source) && known.has(data.target))
    assert.match(data.key, /^[a-z-]+$/)
  }
  assert.deepEqual([...served.tokens], [TOKEN])
})

test('demo creates taxonomies parents first, and its own types, before any entity', async () => {
  const { error, code } = await begin(['--entities', '1']).ended
  assert.equal(code, 0, error)
  assert.deepEqual(
    served.puts.map(({ path }) => path.split('/').at(-1)),
    ['taxonomies', 'taxonomies', 'taxonomies', 'entity-definitions', 'entities'],
  )
  const [roots, second] = putsTo('/api/v2/taxonomies')
  assert.deepEqual(roots?.items[0], { name: 'Sector', parent: null })
  assert.deepEqual(second?.items[0], { name: 'Finance', parent: 1000 })
})

test('demo sends the same data when run twice', async () => {
  await begin(['--entities', '30']).ended
  const first = JSON.stringify(served.puts.slice(4))
  served.puts.length = 0
  await begin(['--entities', '30']).ended
  assert.equal(JSON.stringify(served.puts.slice(4)), first)
})

test('demo without a token creates one for the administrator while it runs', async () => {
  const tokens = async () => (await database.pool.query<{ hash: Buffer }>('select hash from tokens')).rows
  const during: { hash: Buffer }[] = []
  served.hold = async () => {
    during.splice(0, during.length, ...(await tokens()))
  }
  const { error, code } = await begin(['--entities', '5'], {}).ended
  assert.equal(code, 0, error)
  const [token = ''] = served.tokens
  assert.deepEqual(during, [{ hash: hashSecret(token) }])
  assert.deepEqual(await tokens(), [])
})

test('demo requires a token for a remote server, and says how to get one', async () => {
  const { error, code } = await begin(['--url', served.url.replace('127.0.0.1', 'localhost')], {}).ended
  assert.equal(code, 1)
  assert.match(error, /^A token is required for http:\/\/localhost:\d+\. Create one with .*token create/)
})

test('demo reports that the server is not reachable', async () => {
  const other = createServer().listen(0, '127.0.0.1')
  await once(other, 'listening')
  const { port } = other.address() as AddressInfo
  other.close()
  const { out, error, code } = await begin(['--url', `http://127.0.0.1:${port}/`]).ended
  assert.deepEqual([out, code], ['', 1])
  assert.match(error, /^http:\/\/127\.0\.0\.1:\d+ does not respond \(ECONNREFUSED\)\. Start Corvus with npm start/)
})

test('demo reports an invalid token and missing permissions', async () => {
  const wrong = await begin(['--token', 'cvs_wrong']).ended
  assert.deepEqual([wrong.code, wrong.error.split('.')[0]], [1, 'The token is invalid'])
  const detail = 'Missing permissions: [modify entities]'
  served.refuse = ({ path }) =>
    path === '/api/v2/entities' ? { status: 403, body: [{ status: 403, title: 'Forbidden', detail }] } : undefined
  const forbidden = await begin(['--entities', '10']).ended
  assert.equal(forbidden.code, 1)
  assert.match(forbidden.error, /The owner of the token lacks permission: Missing permissions: \[modify entities\]/)
})

test('demo prints the errors of a refused batch, and how much was loaded before', async () => {
  const faults = Array.from({ length: 12 }, (_, i) => ({
    status: 400,
    title: 'Bad Request',
    detail: `[${i}].data: no`,
  }))
  served.refuse = ({ path }) =>
    path === '/api/v2/entities' && putsTo(path).length === 2 ? { status: 400, body: faults } : undefined
  const { error, code } = await begin(['--entities', '9000']).ended
  assert.equal(code, 1)
  assert.match(error, /PUT \/api\/v2\/entities was refused with 400 Bad Request:\n {2}\[0\]\.data: no\n/)
  assert.match(error, /\n {2}\[9\]\.data: no\n {2}and 2 more\n/)
  // The other worker may have started its next batch before it learned of the refusal.
  assert.match(error, /\nLoaded: [12],000 of 9,000 entities, 0 of 9,000 relationships\. Run the same command again /)
})

test('Ctrl+C stops demo after the current batches', async () => {
  const { child, ended } = begin(['--entities', '50000'])
  served.hold = async ({ path }) => {
    if (path !== '/api/v2/entities') return
    child.kill('SIGINT')
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
  const { error, code } = await ended
  assert.equal(code, 1)
  assert.match(error, /Stopping after the current batches/)
  const batches = putsTo('/api/v2/entities').length
  assert.ok(batches === 1 || batches === 2)
  assert.match(error, new RegExp(`Stopped\\.\nLoaded: ${batches},000 of 50,000 entities`))
})

test('demo refuses invalid numbers and URLs before it does anything', async () => {
  const results = await Promise.all([begin(['--entities', '0']).ended, begin(['--url', 'ftp://x']).ended])
  assert.deepEqual(
    results.map(({ code }) => code),
    [2, 2],
  )
  assert.deepEqual([served.puts, [...served.tokens]], [[], []])
})
