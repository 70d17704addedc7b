import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { collections } from '../server/collections.ts'
import { columnsOf } from '../server/engine/document.ts'
import { resources } from '../server/registry.ts'
import { createDatabase } from './database.ts'

const SHORT: Record<string, string> = { 'timestamp with time zone': 'timestamptz', ARRAY: 'text[]', bigint: 'bigint' }

let database: Awaited<ReturnType<typeof createDatabase>>
let columns: Map<string, { type: string; isNullable: boolean }>

before(async () => {
  database = await createDatabase()
  const { rows } = await database.pool.query(
    `select table_name, column_name, data_type, is_nullable from information_schema.columns where table_schema = 'public'`,
  )
  columns = new Map(
    rows.map((row) => [
      `${row.table_name}.${row.column_name}`,
      { type: SHORT[row.data_type] ?? row.data_type, isNullable: row.is_nullable === 'YES' },
    ]),
  )
})
after(() => database.drop())

for (const resource of resources) {
  test(`the definition of ${resource.collection} agrees with the database`, async () => {
    assert.equal(columns.get(`${resource.table}.id`)?.type, collections[resource.collection].id)
    for (const [name, { props }] of Object.entries(resource.fields)) {
      const { storage } = props
      if (storage.kind === 'column' || storage.kind === 'ref') {
        const column = columns.get(`${resource.table}.${name}`)
        assert.equal(column?.type, storage.type, `${resource.table}.${name}`)
        if (props.access !== 'secret') assert.equal(column?.isNullable, props.isNullable, `${name}: nullable`)
      }
      if (storage.kind === 'document') {
        for (const { name: member, column, type } of columnsOf(storage.members)) {
          const found = columns.get(`${resource.table}.${column}`)
          assert.equal(found?.type, type, `${resource.table}.${column}`)
          assert.equal(found?.isNullable, storage.members[member]?.props.isNullable, `${column}: nullable`)
        }
      }
      if (storage.kind === 'refs') {
        const other = storage.here === 'source' ? 'target' : 'source'
        assert.equal(columns.get(`${storage.through}.${storage.here}`)?.type, collections[resource.collection].id)
        assert.equal(columns.get(`${storage.through}.${other}`)?.type, collections[storage.to].id)
        if (storage.attribute) assert.ok(columns.has(`${storage.through}.${storage.attribute.name}`))
      }
    }
  })

  test(`${resource.collection} can be listed: every computed field is valid SQL`, async () => {
    for (const [name, { props }] of Object.entries(resource.fields)) {
      // Computed fields that depend on the caller are covered by the contract test, which lists every collection.
      if (props.storage.kind !== 'computed' || typeof props.storage.expression !== 'string') continue
      await database.pool.query(
        `select (${props.storage.expression})::${props.storage.type} as ${name} from ${resource.table} as t limit 1`,
      )
    }
  })
}

test('every foreign key is indexed and can be deferred', async () => {
  const { rows } = await database.pool.query(`
    select c.conrelid::regclass::text || '.' || a.attname as name, c.condeferrable as is_deferrable,
      exists (select from pg_index i where i.indrelid = c.conrelid and i.indkey[0] = c.conkey[1]) as is_indexed
    from pg_constraint c
    join pg_attribute a on a.attrelid = c.conrelid and a.attnum = c.conkey[1]
    where c.contype = 'f' and c.connamespace = 'public'::regnamespace`)
  assert.ok(rows.length > 0)
  assert.deepEqual(
    rows.filter((row) => !row.is_indexed || !row.is_deferrable),
    [],
  )
})
