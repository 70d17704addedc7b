import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startApp } from './app.ts'
import { isCounted } from './set-up/counting.ts'

let corvus: Awaited<ReturnType<typeof startApp>>
let statements: string[] = []
/** For each statement, the functions of the server that led to it, without the router. */
let paths: string[][] = []

before(async () => {
  Error.stackTraceLimit = 60
  corvus = await startApp((statement) => {
    if (!isCounted(statement)) return
    statements.push(statement)
    const frames = [...(new Error().stack ?? '').matchAll(/at (?:async )?(\w[\w.]*) \(.*\/server\/(.+?\.ts):/g)]
    paths.push(frames.filter(([, , file = '']) => !ROUTER.includes(file)).map(([, name = '']) => name))
  })
})
after(() => corvus.stop())

/** Functions that run the transaction of a route. */
const ROUTER = ['engine/serve.ts', 'engine/retried.ts']

async function watch<T>(work: () => Promise<T>): Promise<T> {
  statements = []
  paths = []
  return work()
}

const tickets = (count: number, tag: string) =>
  Array.from({ length: count }, (_, i) => ({
    name: `${tag} ${i}`,
    workspaces: [1],
    ...(i % 2 && { priority: 'LOW' }),
    ...(i % 3 && { due_at: '2026-01-01', stakeholders: [1] }),
  }))

test('a PUT takes the same number of statements for 10 items and for 1,000, new or known, of any kind', async () => {
  for (const tag of ['new', 'new']) {
    const few = await watch(() => corvus.call('PUT', 'tickets', tickets(10, `${tag} few`)))
    const countOfFew = statements.length
    const many = await watch(() => corvus.call('PUT', 'tickets', tickets(1000, `${tag} many`)))
    assert.equal(few.status, many.status)
    assert.equal(statements.length, countOfFew)
  }
})

test('a bulk delete and a list take the same number of statements for any number of items', async () => {
  const ids = (await corvus.call('PUT', 'tickets', tickets(101, 'doomed'))).body.data.map(
    ({ id }: { id: number }) => id,
  )
  await watch(() => corvus.call('DELETE', 'tickets', ids.slice(0, 1)))
  const countOfOne = statements.length
  await watch(() => corvus.call('DELETE', 'tickets', ids.slice(1)))
  assert.equal(statements.length, countOfOne)
  await watch(() => corvus.call('GET', 'tickets?limit=2'))
  const countOfTwo = statements.length
  await watch(() => corvus.call('GET', 'tickets?limit=900'))
  assert.equal(statements.length, countOfTwo)
})

test('a plain create takes two functions between router and SQL, and no request more than four', async () => {
  const created = await watch(() => corvus.call('POST', 'tickets', { name: 'plain' }))
  assert.equal(created.status, 201)
  const insert = paths[statements.findIndex((statement) => statement.includes('insert into "tickets"'))]
  assert.deepEqual(insert, ['insertRows', 'create'])
  const seen: string[][] = []
  const calls: [Parameters<typeof corvus.call>[0], string, unknown?][] = [
    ['PUT', 'tickets', tickets(3, 'depth')],
    ['PATCH', `tickets/${created.body.data.id}`, { workspaces: [1], status: 'CLOSED' }],
    ['GET', 'tickets?filter[workspaces]=1&limit=1'],
    ['PUT', `tickets/${created.body.data.id}/stakeholders/1`],
    ['GET', `tickets/${created.body.data.id}/stakeholders`],
    ['PUT', 'groups', [{ name: 'Depth', description: 'd' }]],
    ['PUT', 'users', [{ username: 'depth', password: 'Long enough 1!', roles: [1] }]],
    ['PUT', 'roles', [{ name: 'Depth', permissions: [1] }]],
    ['POST', 'tasks/runs', { task: 1 }],
    ['DELETE', `tickets/${created.body.data.id}`],
  ]
  for (const [method, path, body] of calls) {
    const { status } = await watch(() => corvus.call(method, path, body))
    assert.ok(status < 300, `${method} ${path} ${status}`)
    seen.push(...paths)
  }
  assert.ok(seen.some((path) => path.length > 1))
  assert.deepEqual(
    seen.filter((path) => path.length > 4),
    [],
  )
})
