import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createDatabase, type TestDatabase } from '../../test/database.ts'
import { until } from '../../test/until.ts'

let database: TestDatabase
before(async () => {
  database = await createDatabase()
})
after(() => database.drop())

const text = '/* prepared */ select $1::int as id, pg_backend_pid() as pid'

/** The lane opens its connections when they are first wanted. */
async function lookup(id: number): Promise<{ id: number; pid: number }> {
  const { rows } = await until(() => database.lookup(text, [id]), 'no connection came up')
  return rows[0] as unknown as { id: number; pid: number }
}

/** A connection that was just being opened is cut the next time, and it takes a moment until the lane knows. */
async function cutAll(): Promise<void> {
  for (let tries = 0; tries < 200; tries++) {
    await database.pool.query(`
      select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()`)
    const answer = database.lookup(text, [1])
    if (!answer) return
    await answer.catch(() => {})
  }
  assert.fail('the lane still has a connection')
}

test('look-ups that are under way together each get their own answer, on a few connections', async () => {
  await lookup(0)
  const answers = await Promise.all(Array.from({ length: 200 }, (_, i) => lookup(i)))
  assert.deepEqual(
    answers.map(({ id }) => id),
    Array.from({ length: 200 }, (_, i) => i),
  )
  assert.ok(new Set(answers.map(({ pid }) => pid)).size <= 2)
})

test('a look-up that fails fails alone', async () => {
  const wrong = database.lookup('/* prepared */ select 1 / $1::int as id', [0])
  const right = lookup(7)
  await assert.rejects(wrong ?? Promise.resolve(), { code: '22012' })
  assert.equal((await right).id, 7)
})

test('when its connections are cut the pool has to serve, and the lane comes back', async () => {
  const { pid } = await lookup(1)
  await cutAll()
  const back = await lookup(2)
  assert.equal(back.id, 2)
  assert.notEqual(back.pid, pid)
})
