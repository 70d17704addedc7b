import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { MAX_QUERY_LENGTH, parseQuery } from './parse.ts'
import { QueryError } from './query-error.ts'

const SLOWEST_MS = 200

// Each of these is repeated; a space is written as _.
const PIECES = `
  ( ) (( (a_ +( -( (+a_-( x:( (a_OR_ !( NOT_( (a)^2_ [ { [a_TO_ ] NOT_ ! !_ - -_ + AND_ OR_ a_AND_ a_OR_NOT_ && ||_ a: :_ *: *:*_
  ~ ~1 a~ ^ ^2 a^2 a^2~ \\ \\\\ \\" \\u \\u0041 " "" "a"_ "~1_ / // /a/_ \\/ * ? *a a?* >_ x:> <= 9 . 💀 é ';_--
`
const words = PIECES.trim().split(/\s+/)
const pieces = [...words.map((piece) => piece.replaceAll('_', ' ')), '\n', '\u3000', '\ud800', '\0']

const FRAGMENTS = [
  "' OR 1=1 --",
  "'; drop table entity; --",
  '1) union select * from users',
  '%27%20or%201=1',
  '$$; select pg_sleep(9)',
  '<script>alert(1)</script>',
  '{{7*7}}',
  '../../etc/passwd',
  '{"$ne": null}',
  '/(a+)+$/',
]

test('hostile queries are read or refused quickly', () => {
  for (const piece of pieces) {
    const run = piece.repeat(MAX_QUERY_LENGTH).slice(0, MAX_QUERY_LENGTH - 1)
    for (const text of [run, `a${run}`, `"${run}`, piece.repeat(5_000)]) endsWell(text)
  }
  const digits = '9'.repeat(19_000)
  for (const text of ['a '.repeat(20_000), 'a '.repeat(9_999), `a^${digits}`, `a~0.${digits}`]) endsWell(text)
})

test('fragments of other languages are read or refused', () => {
  const queries = FRAGMENTS.flatMap((text) => [text, `title:${text}`, `title:"${text}"`, `(${text})`])
  for (const query of queries) endsWell(query)
})

test('random queries are read or refused quickly', () => {
  const unit = fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom(...'+-!():^[]"{}~*?\\/|&<>= \t\u3000ab0.1') },
    {
      weight: 2,
      arbitrary: fc.constantFrom(' AND ', ' OR ', ' NOT ', ' TO ', 'a:', '_exists_:', '\\u', '\\u0041', '[a TO '),
    },
    fc.string({ unit: 'binary', maxLength: 1 }),
  )
  const texts = fc.array(unit, { maxLength: 60 }).map((units) => units.join(''))
  fc.assert(fc.property(texts, endsWell), { numRuns: 2_000 })
})

/** Parses a text with all options, and fails if that takes long or ends in anything but a query or a refusal. */
function endsWell(text: string): void {
  for (const options of [{}, { lenient: true }, { defaultOperator: 'AND' }] as const) {
    const start = process.threadCpuUsage()
    try {
      parseQuery(text, options)
    } catch (error) {
      assert.ok(error instanceof QueryError, `${JSON.stringify(text.slice(0, 80))}: ${error}`)
    }
    // CPU time, because the elapsed time depends on other tests.
    const { user, system } = process.threadCpuUsage(start)
    const ms = (user + system) / 1_000
    assert.ok(ms < SLOWEST_MS, `${JSON.stringify(text.slice(0, 80))} took ${ms} ms`)
  }
}
