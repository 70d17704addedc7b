import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createDatabase, type TestDatabase } from '../../test/database.ts'

let database: TestDatabase
before(async () => {
  database = await createDatabase()
})
after(() => database.drop())

const large = (letter: string, length = 300_000): Buffer => Buffer.alloc(length, letter)

test('large values arrive as they are, beside small ones, texts, numbers and nothing', async () => {
  const values = [large('a'), null, 'ä text', 7, Buffer.from('small'), large('b', 65_536), [1, 2], large('c', 65_535)]
  const { rows } = await database.pool.query(
    `select md5($1::bytea) as a, $2::text as nothing, $3::text as text, $4::int as number, $5::bytea as small,
       md5($6::bytea) as b, $7::int[] as list, md5($8::bytea) as c`,
    values,
  )
  const { rows: expected } = await database.pool.query(
    `select md5(repeat('a', 300000)::bytea) as a, null as nothing, 'ä text' as text, 7 as number, 'small'::bytea as small,
       md5(repeat('b', 65536)::bytea) as b, '{1,2}'::int[] as list, md5(repeat('c', 65535)::bytea) as c`,
  )
  assert.deepEqual(rows, expected)
})

test('a prepared statement takes large values again and again', async () => {
  const client = await database.pool.connect()
  try {
    for (const letter of ['x', 'y']) {
      const statement = { name: 'large', text: 'select $1::bytea as bytes', values: [large(letter)] }
      const { rows } = await client.query(statement)
      assert.ok(large(letter).equals(rows[0].bytes))
    }
  } finally {
    client.release()
  }
})

test('a statement that fails leaves its connection fit for the next', async () => {
  const client = await database.pool.connect()
  try {
    await assert.rejects(client.query('select $1::bytea, 1 / $2::int', [large('a', 5_000_000), 0]), { code: '22012' })
    await assert.rejects(client.query('select nonsense($1::bytea)', [large('a', 5_000_000)]), { code: '42883' })
    const { rows } = await client.query('select length($1::bytea) as length', [large('b', 5_000_000)])
    assert.deepEqual(rows, [{ length: 5_000_000 }])
  } finally {
    client.release()
  }
})

test('many connections send at the same time without mixing what they send', async () => {
  const sent = await Promise.all(
    Array.from({ length: 30 }, async (_, i) => {
      const bytes = large(String.fromCharCode(97 + (i % 26)), 400_000 + i)
      const { rows } = await database.pool.query(
        'select md5($1::bytea) = md5(repeat($2::text, $3::int)::bytea) as same',
        [bytes, String.fromCharCode(97 + (i % 26)), 400_000 + i],
      )
      return rows[0].same
    }),
  )
  assert.ok(sent.every(Boolean))
})
