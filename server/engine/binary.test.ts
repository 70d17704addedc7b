import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type RawBuilder, sql } from 'kysely'
import { createDatabase, type TestDatabase } from '../../test/database.ts'
import { documentList, integerList, lending, textList, uuidList } from './binary.ts'

let database: TestDatabase
before(async () => {
  database = await createDatabase()
})
after(() => database.drop())

const ROWS = 20_000

interface Row {
  readonly text: string
  readonly number: number
  readonly document: { readonly of: string }
}

const rowsOf = (name: string): Row[] =>
  Array.from({ length: ROWS }, (_, i) => ({ text: `${name} ${i} ä`, number: i, document: { of: `${name}${i}` } }))

const statementOf = (rows: readonly Row[]): RawBuilder<Row> => sql<Row>`
  select text, number, document from unnest(
    ${textList(rows.map(({ text }) => text))}::text[],
    ${integerList(rows.map(({ number }) => number))}::integer[],
    ${documentList(rows.map(({ document }) => JSON.stringify(document)))}::jsonb[]
  ) with ordinality as u(text, number, document, n)
  order by n`

const run = async (name: string): Promise<void> => {
  const sent = rowsOf(name)
  const { rows } = await lending(
    ROWS,
    () => statementOf(sent),
    (statement) => statement.execute(database.db),
  )
  assert.deepEqual(rows, sent)
}

test('lists in lent memory arrive as they are, in statements that are under way together', async () => {
  await run('first')
  await Promise.all(['a', 'b', 'c', 'd', 'e'].map(run))
  await run('last')
})

test('a statement that fails, or cannot be made, takes nothing from others', async () => {
  const broken = () => sql`select 1 / ${0}::integer, ${statementOf(rowsOf('broken'))}`
  const failing = assert.rejects(lending(ROWS, broken, (statement) => statement.execute(database.db)))
  const unmade = () => {
    textList(['something'])
    return sql`select ${uuidList(['no UUID'])}::uuid[]`
  }
  const failed = assert.rejects(
    lending(ROWS, unmade, async () => undefined),
    /'no UUID' is no UUID/,
  )
  await Promise.all([failing, failed, run('good'), run('better')])
  assert.throws(() => uuidList(['00000000-0000-0000-0000-000000000000', 'no UUID']), /is no UUID/)
  const { rows } = await sql`select ${textList(['x', null])}::text[] as list`.execute(database.db)
  assert.deepEqual(rows, [{ list: ['x', null] }])
})
