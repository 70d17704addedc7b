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

/** The lane opens its connections on first use. */
async function lookup(id: number): Promise<{ id: number; pid: number }> {
  const { rows } = await until(() => database.lookup(text, [id]), 'no connection was opened')
  return rows[0] as unknown as { id: number; pid: number }
}

/** A connection that was being opened is cut in the next round, and the lane takes a moment to notice. */
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

test('concurrent look-ups share a few connections and each gets its own result', async () => {
  await lookup(0)
  const answers = await Promise.all(Array.from({ length: 200 }, (_, i) => lookup(i)))
  assert.deepEqual(
    answers.map(({ id }) => id),
    Array.from({ length: 200 }, (_, i) => i),
  )
  assert.ok(new Set(answers.map(({ pid }) => pid)).size <= 2)
})

test('a failing look-up does not affect the others', async () => {
  const wrong = database.lookup('/* prepared */ select 1 / $1::int as id', [0])
  const right = lookup(7)
  await assert.rejects(wrong ?? Promise.resolve(), { code: '22012' })
  assert.equal((await right).id, 7)
})

test("the pool takes over when the lane's connections are cut, and the lane recovers", async () => {
  const { pid } = await lookup(1)
  await cutAll()
  const back = await lookup(2)
  assert.equal(back.id, 2)
  assert.notEqual(back.pid, pid)
})
