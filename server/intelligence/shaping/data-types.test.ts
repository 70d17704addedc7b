import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { createDatabase } from '../../../test/database.ts'
import { DATA_TYPES, type DataType, schemaOf, surelyFits } from './data-types.ts'

let database: Awaited<ReturnType<typeof createDatabase>>
before(async () => {
  database = await createDatabase()
})
after(() => database.drop())

/** Accepted values of each type, including its limits, and refused ones. */
const values: Record<DataType, { good: unknown[]; bad: unknown[] }> = {
  string: {
    good: ['', 'x', 'x'.repeat(1000), '\u{1f426}'.repeat(1000), 'tab\there'],
    bad: ['x'.repeat(1001), '\u{1f426}'.repeat(1001), 'a\nb', 'a\rb', 1, true, {}, ['x']],
  },
  text: {
    good: ['', 'a\nb', 'x'.repeat(1_000_000)],
    bad: ['x'.repeat(1_000_001), 1, false, {}, []],
  },
  integer: {
    good: [0, -1, Number.MAX_SAFE_INTEGER, -Number.MAX_SAFE_INTEGER],
    bad: [1.5, Number.MAX_SAFE_INTEGER + 1, '1', true, {}, [1]],
  },
  number: { good: [0, 1.5, -1e300, 1e-300, 1.7e308], bad: ['1.5', true, {}, [1.5]] },
  boolean: { good: [true, false], bad: ['true', 0, 1, {}, [true]] },
  date: {
    good: ['2024-02-29', '0999-12-31', '9999-12-31'],
    bad: ['2023-02-29', '2024-13-01', '0000-01-01', '2024-01-29T10:00:00Z', '24-01-29', 'today', '', 20240129, {}],
  },
  datetime: {
    good: [
      '2024-01-29',
      '2024-01-29T07:42:07Z',
      '2024-01-29 07:42',
      '2024-01-29T07:42:07.059329+02:00',
      '1000-01-01T00:00:00Z',
    ],
    bad: ['2024-01-29T25:00:00Z', '2023-02-29T10:00:00Z', '2024-01-29T07:42:07,5Z', 'now', '', 1_706_514_127, {}],
  },
  url: {
    good: [
      'http://a.example',
      'https://a-b.example/p?q=1#f',
      'https://[::1]:8080/',
      `https://a.example/${'x'.repeat(1982)}`,
    ],
    bad: [
      'ftp://a.example',
      'a.example',
      'https://u:p@a.example/',
      'https://a.example/ b',
      'http://1.2.3.999',
      `https://a.example/${'x'.repeat(1983)}`,
      '',
      1,
      {},
    ],
  },
  list: {
    good: [[], ['a', 'a'], Array.from({ length: 1000 }, () => 'x'), ['x'.repeat(1000)]],
    bad: ['a', [1], [null], [['a']], ['a\nb'], ['x'.repeat(1001)], Array.from({ length: 1001 }, () => 'x'), {}],
  },
}

for (const data_type of DATA_TYPES) {
  const schema = schemaOf({ data_type, allowed_values: null })
  const { good, bad } = values[data_type]

  test(`a value of the type ${data_type} is known at both edges of what it may be`, () => {
    for (const value of good) assert.ok(schema.safeParse(value).success, JSON.stringify(value).slice(0, 80))
    for (const value of bad) assert.ok(!schema.safeParse(value).success, JSON.stringify(value).slice(0, 80))
    assert.ok(!schema.safeParse(null).success)
  })

  test(`the database is never surer of the type ${data_type} than we are, and sure of plain values`, async () => {
    const all = Object.values(values).flatMap((each) => [...each.good, ...each.bad])
    const { rows } = await sql<{ value: unknown; is_sure: boolean }>`
      select v.value, (${surelyFits(sql`${data_type}::text`)}) is true as is_sure
      from jsonb_array_elements(${JSON.stringify(all)}::jsonb) as v(value)
      cross join lateral (select v.value #>> '{}' as text) as x`.execute(database.db)
    assert.equal(rows.length, all.length)
    const sure = rows.filter(({ is_sure }) => is_sure)
    for (const { value } of sure) assert.ok(schema.safeParse(value).success, JSON.stringify(value).slice(0, 80))
    assert.ok(sure.some(({ value }) => good.some((own) => JSON.stringify(own) === JSON.stringify(value))))
  })
}

test('with allowed values, no other value of the type is valid', () => {
  const schema = schemaOf({ data_type: 'number', allowed_values: [1, 2.5] })
  assert.deepEqual(
    [1, 2.5, 2, '1'].map((value) => schema.safeParse(value).success),
    [true, true, false, false],
  )
  const list = schemaOf({ data_type: 'list', allowed_values: ['a', 'b'] })
  assert.deepEqual(
    [[], ['b', 'a'], ['c'], 'a'].map((value) => list.safeParse(value).success),
    [true, true, false, false],
  )
})
