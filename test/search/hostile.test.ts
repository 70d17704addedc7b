import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startApp } from '../app.ts'

let corvus: Awaited<ReturnType<typeof startApp>>

before(async () => {
  corvus = await startApp()
  const words = Array.from({ length: 3000 }, (_, i) => `word${i.toString(36)}x${'ab'.repeat(i % 12)}`)
  const items = Array.from({ length: 500 }, (_, i) => ({
    data: {
      type: 'report',
      title: `${words.slice(i * 6, i * 6 + 6).join(' ')} aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa`,
      x_long: 'a'.repeat(2000),
    },
    meta: { tags: [`tag-${i}`, 'a'.repeat(100)] },
    observables: [{ type: 'domain', value: `${'a'.repeat(40)}${i}.example` }],
  }))
  const { status, body } = await corvus.call('PUT', 'entities', items)
  assert.equal(status, 201, JSON.stringify(body).slice(0, 300))
})
after(() => corvus.stop())

const repeated = (text: string, count: number) => text.repeat(count)

const HOSTILE: Record<string, string> = {
  'deep groups': `${repeated('(', 5000)}a${repeated(')', 5000)}`,
  'unclosed groups': repeated('(', 5000),
  'many negations': `${repeated('NOT ', 4000)}a`,
  'many clauses': repeated('a ', 20_000),
  'many distinct clauses': Array.from({ length: 20_000 }, (_, i) => `a${i}`).join(' OR '),
  'many patterns': Array.from({ length: 900 }, (_, i) => `*${i}*`).join(' '),
  'many phrases': Array.from({ length: 500 }, (_, i) => `"a b c d e f ${i}"~80`).join(' '),
  'stars around everything': `*${'a*'.repeat(60)}`,
  'a wildcard for everything': '?*',
  'question marks': '?'.repeat(300),
  'nested repeats': '/((((a{1,200}){1,200}){1,200}){1,200})/',
  'overlapping alternatives': `/${'(a|aa)'.repeat(60)}*b/`,
  'a backtracking trap': '/(a+)+b/',
  'a backtracking trap on values': 'data.x_long:/(a*)*(a*)*b/',
  'a backtracking trap for types': 'type:/(.*)*!/',
  'any characters for types': `type:/${'.*'.repeat(500)}!/`,
  'many repeats for types': `type:/${'(.?){255}'.repeat(1000)}/`,
  'many expressions for types': 'type:/(.?){255}/ '.repeat(1000),
  'a backtracking trap for names of fields': `data.${'\\*'.repeat(400)}\\!x:word`,
  'stars in the name of a field': `${'\\*a'.repeat(200)}\\!:word`,
  'any characters': `/${'.*'.repeat(300)}b/`,
  'a fuzzy word that is long': `${'a'.repeat(5000)}~2`,
  'fuzzy on long values': `data.x_long:${'a'.repeat(1999)}b~2`,
  'a huge slop': '"a b"~1000000',
  'a huge number': 'meta.half_life:1e999',
  'a far date': 'created_at:[now-999999999y TO now+999999999y]',
  NUL: 'a\u0000b',
  'escaped NUL': 'a\\u0000b',
  'half of a surrogate pair': 'a\ud800b',
  'a quote': "a' OR 1=1 --",
  SQL: "'; drop table entities; --",
  'SQL in a field': "data.x'; drop table entities; --:a",
  'tsquery operators': "a:* & !'b' | <-> \\'c",
  'a long field': `data.${'x.'.repeat(5000)}y:a`,
  'a long word': 'a'.repeat(19_000),
  backslashes: '\\'.repeat(9999),
  quotes: '"'.repeat(9999),
}

for (const [name, query] of Object.entries(HOSTILE)) {
  test(`${name}: answered soon, and other requests are not delayed`, async () => {
    const start = performance.now()
    const asked = corvus.call('GET', `entities?query=${encodeURIComponent(query.toWellFormed())}`)
    const other = await corvus.call('GET', 'entities?limit=1')
    const { status, body } = await asked
    assert.equal(other.status, 200)
    assert.ok([200, 400, 422].includes(status), `${status} ${JSON.stringify(body).slice(0, 200)}`)
    if (status !== 200) assert.ok(body.length > 0 && body[0].detail.length < 500)
    // A limit for queries that might never end, not a measurement.
    assert.ok(performance.now() - start < 10_000)
  })
}

test('patterns for the types of observables, relationships and files are answered as well', async () => {
  for (const collection of ['observables', 'relationships', 'files']) {
    for (const query of ['type:/(.*)*!/', `type:/${'.*'.repeat(20)}!/`, `type:${'*a'.repeat(40)}x`]) {
      const { status } = await corvus.call('GET', `${collection}?query=${encodeURIComponent(query)}`)
      assert.equal(status, 200, `${collection} ${query}`)
    }
  }
})

test('after all of these queries, all data is intact', async () => {
  const { body } = await corvus.call('GET', 'entities?query=*&limit=1')
  assert.equal(body.total_count, 500)
})
