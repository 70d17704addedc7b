import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { startApp } from '../../../test/app.ts'
import { effort } from '../../../test/effort.ts'
import { tokensOf } from './tokens.ts'

let corvus: Awaited<ReturnType<typeof startApp>>
before(async () => {
  corvus = await startApp()
})
after(() => corvus.stop())

/** What names are made of, and what may confuse the two sides. */
const PIECES = [
  ...[
    'APT',
    '28',
    '-',
    ' ',
    '_',
    '.',
    'Lock',
    'Bit',
    '3.0',
    '\u0130',
    'ΟΔΟΣ',
    'ς',
    'ß',
    'É',
    'e\u0301',
    '字',
    '\u{1f600}',
    '\u00a0',
  ],
  ...[
    '\u3000',
    '\u2013',
    '\u2019',
    '"',
    '(',
    ')',
    '+',
    '#',
    '\t',
    '\n',
    '\u0661',
    'Ж',
    '２',
    'ª',
    '\u200b',
    '\\',
    "'",
    '\u{10400}',
    '1',
    'a',
  ],
]

test('the database divides names in the same words as texts are divided', async () => {
  const names = Array.from({ length: effort(20_000, 2_000) }, () =>
    Array.from(
      { length: 1 + Math.floor(Math.random() * 6) },
      () => PIECES[Math.floor(Math.random() * PIECES.length)],
    ).join(''),
  )
  const { rows } = await sql<{ name: string; key: string }>`
    select name, name_key(name) as key from unnest(${names}::text[]) as n(name)`.execute(corvus.db)
  for (const { name, key } of rows)
    assert.equal(
      tokensOf(name)
        .map(({ word }) => word)
        .join(' '),
      key,
      JSON.stringify(name),
    )
})
