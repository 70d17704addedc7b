import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { root } from '../server/config.ts'
import { migrate } from '../server/database.ts'
import { READABLE_URNS } from '../server/domain/content-types.ts'
import { createDatabase, type TestDatabase } from './database.ts'

const folder = `${root}/migrations`

let database: TestDatabase
before(async () => {
  database = await createDatabase()
  await database.pool.query('drop schema public cascade; create schema public')
})
after(() => database.drop())

test('feeds of earlier versions keep their states as objects, and only content types that tell something', async () => {
  const { pool } = database
  await migrate(pool, folder, 22)
  await pool.query(`
    insert into outgoing_feeds (name, content_type, transport_type, allowed_extract_states)
    values ('all', 'x', 'x', '{}'), ('some', 'x', 'x', '{safe,high,unknown,low}')`)
  const types = [...READABLE_URNS, 'urn:x:y', null]
  await pool.query(
    `insert into incoming_feeds (name, transport_type, content_type)
     select 'feed ' || place, 'x', type from unnest($1::text[]) with ordinality as t(type, place)`,
    [types],
  )
  await migrate(pool, folder)
  const outgoing = await pool.query('select allowed_extract_states from outgoing_feeds order by id')
  assert.deepEqual(
    outgoing.rows.map(({ allowed_extract_states }) => allowed_extract_states),
    [
      [],
      [
        { classification: 'good' },
        { classification: 'bad', confidence: 'high' },
        { classification: 'unknown' },
        { classification: 'bad', confidence: 'low' },
      ],
    ],
  )
  const incoming = await pool.query('select content_type from incoming_feeds order by id')
  assert.deepEqual(
    incoming.rows.map(({ content_type }) => content_type),
    [...READABLE_URNS, null, null],
  )
})
