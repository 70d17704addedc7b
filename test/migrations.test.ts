import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { root } from '../server/config.ts'
import { migrate } from '../server/database/database.ts'
import { createDatabase, type TestDatabase } from './database.ts'

const folder = `${root}/migrations`

/** The content types that feeds could have when the migration was written. */
const URNS = [
  'urn:oasis:stix:json:2.1',
  'urn:oasis:stix:json:2.0',
  'urn:stix.mitre.org:xml:1.2',
  'urn:stix.mitre.org:xml:1.1.1',
  'urn:stix.mitre.org:xml:1.1',
  'urn:stix.mitre.org:xml:1.0.1',
  'urn:stix.mitre.org:xml:1.0',
  'urn:eclecticiq.com:json:3.2',
  'urn:eclecticiq.com:json:2.0',
  'urn:misp:json:1.0',
  'urn:eclecticiq.com:csv-entities:1.0',
  'urn:eclecticiq.com:csv-extracts:1.0',
]

let database: TestDatabase
before(async () => {
  database = await createDatabase()
  await database.pool.query('drop schema public cascade; create schema public')
})
after(() => database.drop())

test('feeds of earlier versions keep their states as objects, and only known content types', async () => {
  const { pool } = database
  await migrate(pool, folder, 22)
  await pool.query(`
    insert into outgoing_feeds (name, content_type, transport_type, allowed_extract_states)
    values ('all', 'x', 'x', '{}'), ('some', 'x', 'x', '{safe,high,unknown,low}')`)
  const types = [...URNS, 'urn:x:y', null]
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
    [...URNS, null, null],
  )
})

test('the meta of observables survives the migration, with the visibility that it had', async () => {
  const { pool } = database
  await pool.query('drop schema public cascade; create schema public')
  await migrate(pool, folder, 22)
  const source = '0198f2a4-0000-7000-8000-000000000001'
  await pool.query(`insert into sources (id, name, type) values ('${source}', 'Ours', 'group')`)
  const { rows } = await pool.query(`
    insert into observables (type, value, meta)
    values ('domain', 'a.example', '{"maliciousness": "high", "owner": "team 7"}'),
      ('domain', 'b.example', '{"maliciousness": "unknown"}'),
      ('domain', 'c.example', '{"maliciousness": "low", "owner": "team 8"}')
    returning id`)
  const [a, b, c] = rows.map(({ id }) => id)
  await pool.query(`insert into observable_sources (source, target) values (${a}, '${source}'), (${b}, '${source}')`)
  const number = (await pool.query('select number from sources')).rows[0].number
  const columns = await pool.query(`
    select column_name as name from information_schema.columns
    where table_name = 'entities' and is_nullable = 'NO' and column_default is null and is_generated = 'NEVER'`)
  const values: Record<string, string> = {
    id: `'0198f2a4-0000-7000-8000-000000000002'`,
    vis: String(number * 8 + 3),
    data: `'{}'`,
    meta: `'{}'`,
  }
  const names = columns.rows.map(({ name }) => name)
  await pool.query(
    `insert into entities (${names.join(', ')}) values (${names.map((name) => values[name] ?? `'1'`).join(', ')})`,
  )
  await pool.query(`insert into entity_observables (source, target) values (${values.id}, ${c})`)
  await migrate(pool, folder)
  const records = await pool.query(
    'select observable, vis, maliciousness, notes from observable_records order by observable',
  )
  assert.deepEqual(records.rows, [
    { observable: a, vis: number * 8, maliciousness: 'high', notes: { owner: 'team 7' } },
    { observable: b, vis: number * 8, maliciousness: null, notes: null },
    { observable: c, vis: number * 8 + 3, maliciousness: null, notes: { owner: 'team 8' } },
  ])
})

test('webhooks of earlier versions keep their position and the time of their next attempt', async () => {
  const { pool } = database
  await pool.query('drop schema public cascade; create schema public')
  await migrate(pool, folder, 33)
  await pool.query(`
    insert into webhooks (name, url, collections, kinds, told_change, told_item, failures, next_attempt_at)
    values ('hook', 'https://x.test/', '{tickets}', '{create}', 41, 7, 3, '2030-01-01T00:00:00Z')`)
  await migrate(pool, folder)
  const { rows } = await pool.query(`
    select f.name, f.change, f.item, f.failures, f.next_attempt_at, f.claim
    from followers as f join webhooks as w on w.id = f.owner`)
  const next_attempt_at = '2030-01-01T00:00:00.000000+00:00'
  assert.deepEqual(rows, [{ name: 'webhooks', change: 41, item: 7, failures: 3, next_attempt_at, claim: null }])
})

test('analysts of earlier versions may use language models, and other roles stay as they are', async () => {
  const { pool } = database
  await pool.query('drop schema public cascade; create schema public')
  await migrate(pool, folder, 49)
  await pool.query(`
    insert into permissions (name) values ('read configurations'), ('read entities') on conflict do nothing`)
  await pool.query(`
    insert into roles (name, is_system) values ('Threat Analyst', true), ('Own role', false) on conflict do nothing`)
  await pool.query(`
    insert into role_permissions (source, target)
    select r.id, p.id from roles as r cross join permissions as p
    where r.name in ('Threat Analyst', 'Own role') and p.name = 'read entities' on conflict do nothing`)
  await migrate(pool, folder)
  const { rows } = await pool.query(`
    select r.name, array_agg(p.name order by p.name) as permissions
    from roles as r join role_permissions as l on l.source = r.id join permissions as p on p.id = l.target
    where r.name in ('Threat Analyst', 'Own role') and p.name in ('read configurations', 'read entities')
    group by 1 order by 1`)
  assert.deepEqual(rows, [
    { name: 'Own role', permissions: ['read entities'] },
    { name: 'Threat Analyst', permissions: ['read configurations', 'read entities'] },
  ])
})

test('built-in roles of earlier versions get the permissions for detonators and playbooks, and other roles stay as they are', async () => {
  const { pool } = database
  await pool.query('drop schema public cascade; create schema public')
  await migrate(pool, folder, 53)
  await pool.query(`
    insert into roles (name, is_system) values ('Threat Analyst', true), ('Team Lead', true), ('Own role', false)`)
  await migrate(pool, folder)
  const { rows } = await pool.query(`
    select r.name, array_agg(p.name order by p.name) as permissions
    from roles as r join role_permissions as l on l.source = r.id join permissions as p on p.id = l.target
    where p.name ~ 'detonat|playbooks'
    group by 1 order by 1`)
  const analyst = ['modify detonations', 'read detonations', 'read detonators', 'read playbooks']
  assert.deepEqual(rows, [
    { name: 'Team Lead', permissions: [...analyst, 'modify detonators', 'modify playbooks'].sort() },
    { name: 'Threat Analyst', permissions: analyst },
  ])
})
