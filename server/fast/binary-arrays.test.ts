import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { createDatabase, type TestDatabase } from '../../test/database.ts'
import { bytesList, documentList, integerList, textList, uuidList, vectorList } from './binary-arrays.ts'

let database: TestDatabase
before(async () => {
  database = await createDatabase()
})
after(() => database.drop())

test('PostgreSQL reads each array as the values that were given', async () => {
  const ids = ['01939c3b-0000-7000-8000-0123456789ab', 'ffffffff-ffff-ffff-ffff-ffffffffffff']
  const documents = [{ text: 'Zoë "🦉"\n', list: [1, null] }, null]
  const { rows } = await sql`select
    ${textList(['a', null, '', 'ä\\"{},🦉'])}::text[] as texts,
    ${integerList([1, null, -(2 ** 31), 2 ** 31 - 1])}::integer[] as integers,
    ${uuidList(ids)}::uuid[] as ids,
    ${documentList(documents.map((each) => JSON.stringify(each)))}::jsonb[] as documents,
    ${bytesList([Buffer.from([0, 255]), null])}::bytea[] as bytes,
    ${vectorList([Buffer.alloc(4)])}::tsvector[]::text[] as vectors`.execute(database.db)
  assert.deepEqual(rows, [
    {
      texts: ['a', null, '', 'ä\\"{},🦉'],
      integers: [1, null, -(2 ** 31), 2 ** 31 - 1],
      ids,
      documents,
      bytes: [Buffer.from([0, 255]), null],
      vectors: [''],
    },
  ])
})

test('an empty list is an empty array of its type', async () => {
  const { rows } = await sql`select ${textList([])}::text[] as texts, ${uuidList([])}::uuid[] as ids`.execute(
    database.db,
  )
  assert.deepEqual(rows, [{ texts: [], ids: [] }])
})

test('a text that is not a UUID is refused', () => {
  assert.throws(() => uuidList(['00000000-0000-0000-0000-000000000000', 'none']), /'none' is not a UUID/)
})
