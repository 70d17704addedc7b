import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import fc from 'fast-check'
import { createDatabase, type TestDatabase } from '../../test/database.ts'
import { type Searchable, searchDocument } from './document.ts'
import { keywordLexeme } from './lexemes.ts'

let database: TestDatabase
before(async () => {
  database = await createDatabase()
})
after(() => database.drop())

const entity = (data: Record<string, unknown>, rest: Partial<Searchable> = {}): Searchable => ({
  data,
  tags: [],
  taxonomies: [],
  attacks: [],
  ...rest,
})

/** The lexemes in PostgreSQL, with ␟ as the separator and followed by their positions. */
async function lexemes(searchable: Searchable): Promise<string[]> {
  const { rows } = await database.pool.query(
    `select replace(lexeme, chr(31), '␟') || coalesce(' ' || array_to_string(positions, ','), '') as lexeme
     from unnest($1::tsvector)`,
    [searchDocument(searchable).vector],
  )
  return rows.map(({ lexeme }) => lexeme).sort()
}

/** Whether a document matches a tsquery in which ␟ is the separator. */
async function matches(searchable: Searchable, query: string): Promise<boolean> {
  const { rows } = await database.pool.query('select $1::tsvector @@ $2::tsquery as found', [
    searchDocument(searchable).vector,
    query.replaceAll('␟', '\u001f'),
  ])
  return rows[0].found
}

test('words have the letter of their field and their positions in it', async () => {
  const data = { title: 'Amber Heron', description: 'The heron and the crane', short_description: 'Crane' }
  assert.deepEqual(await lexemes(entity(data, { alias: 'Silent Crane' })), [
    '?a',
    '?␟description',
    '?␟short_description',
    '?␟title',
    'a␟crane 2',
    'a␟silent 1',
    'd␟and 3',
    'd␟crane 5',
    'd␟heron 2',
    'd␟the 1,4',
    's␟crane 1',
    't␟amber 1',
    't␟heron 2',
  ])
})

test('each word is listed once, even if it occurs in several fields', () => {
  const data = { title: 'Amber Heron', description: 'the heron and THE crane', names: ['Heron'] }
  const { words } = searchDocument(entity(data, { alias: 'Crane', tags: ['bird'] }))
  assert.deepEqual([...words].sort(), ['amber', 'and', 'crane', 'heron', 'the'])
})

test('phrases, prefixes and negations are found', async () => {
  const document = entity({ title: 'Dropper hash seen in Amber Heron wave', description: 'Amber wave' })
  assert.ok(await matches(document, `'t␟amber' <-> 't␟heron'`))
  assert.ok(!(await matches(document, `'t␟heron' <-> 't␟amber'`)))
  assert.ok(!(await matches(document, `'d␟amber' <-> 'd␟heron'`)))
  assert.ok(await matches(document, `'t␟amber' <2> 't␟wave'`))
  assert.ok(await matches(document, `'t␟dro':* & 'd␟wave' & !'d␟heron'`))
})

test('names are strings or records with a value, and no phrase spans two of them', async () => {
  const document = entity({ names: ['Silent Crane', { value: 'Copper Jackal', language: 'en' }, ['Grey Owl']] })
  assert.deepEqual(await lexemes(document), [
    '.names.language␟en',
    '?␟names',
    '?␟names.language',
    'n␟copper 103',
    'n␟crane 2',
    'n␟grey 205',
    'n␟jackal 104',
    'n␟owl 206',
    'n␟silent 1',
  ])
  assert.ok(!(await matches(document, `'n␟crane' <-> 'n␟copper'`)))
})

test('tags, taxonomies and attacks are whole and in lower case', async () => {
  const document = entity({}, { tags: ['Energy Sector', 'APT38', ''], taxonomies: [7], attacks: ['TA0001:T1566.001'] })
  assert.deepEqual(await lexemes(document), ['g␟apt38', 'g␟energy sector', 'k␟ta0001:t1566.001', 'x␟7'])
})

test('every other value is a lexeme of its path', async () => {
  const data = {
    confidence: 'High',
    status: { value: 'Ongoing', history: [{ at: '2025-03-01T23:30:00-01:00' }, { at: '2025-03-01' }] },
    score: [1.5, -20, 0],
    is_known: true,
  }
  assert.deepEqual(await lexemes(entity(data)), [
    '#score␟04987~',
    '#score␟1',
    '#score␟250015',
    '.confidence␟high',
    '.is_known␟true',
    '.status.value␟ongoing',
    '?␟confidence',
    '?␟is_known',
    '?␟score',
    '?␟status.history.at',
    '?␟status.value',
    '@status.history.at␟2025-03-01',
    '@status.history.at␟2025-03-02',
  ])
})

test('ids, types, observables, attachments and empty values are left out', async () => {
  const data = {
    id: 'x',
    type: 'report',
    extracts: [{ kind: 'ipv4', value: '203.0.113.7' }],
    attachments: [{ content: 'abc' }],
    title: '',
    a: null,
    b: '',
    c: [],
    d: {},
    nested: { id: 'kept' },
  }
  assert.deepEqual(await lexemes(entity(data, { alias: '' })), ['.nested.id␟kept', '?␟nested.id'])
})

test('identifiers are indexed only by their path', async () => {
  const data = { created_by_ref: 'identity--3f2504e0-4f89-41d3-9a0c-0305e82c3301' }
  assert.deepEqual(await lexemes(entity(data)), ['?␟created_by_ref'])
})

test('a title that is not text is a value like any other', async () => {
  assert.deepEqual(await lexemes(entity({ title: 5, description: { text: 'Heron' } })), [
    '#title␟25005',
    '.description.text␟heron',
    '?␟description.text',
    '?␟title',
  ])
})

test('a document does not depend on the one before', () => {
  const small = entity({ title: 'Amber Heron', confidence: 'low' }, { tags: ['x'] })
  const first = searchDocument(small)
  searchDocument(entity({ description: Array.from({ length: 6_000 }, (_, index) => `word${index}`).join(' ') }))
  assert.deepEqual(searchDocument(small), first)
})

test('any value is indexed as queries spell it', () => {
  const text = fc.oneof(
    fc.string({ unit: 'binary', minLength: 1, maxLength: 20 }),
    fc.string({ unit: 'binary-ascii', minLength: 1, maxLength: 220 }),
    fc.constantFrom(
      'A'.repeat(200),
      'a'.repeat(201),
      'İstanbul',
      'ΟΔΟΣ',
      '\u001f',
      'a\0b',
      '\ud800',
      'K',
      '~',
      '\u007f',
    ),
  )
  fc.assert(
    fc.property(text, (note) => {
      const { vector } = searchDocument(entity({ note }))
      assert.ok(vector.includes(`${keywordLexeme('note', note)}\0`), note)
    }),
  )
})

test('a document does not change after thousands of other paths were processed', () => {
  const data = { a: { b: ['X', { c: 1 }], 'b.c': true }, 'a.b': 'Y', d: '2026-01-02' }
  const once = Buffer.from(searchDocument(entity(data)).vector)
  for (let i = 0; i < 50; i++) {
    const wide = Object.fromEntries(
      Array.from({ length: 300 }, (_, k) => [`k${i}-${k}`, { inner: k, deep: { er: k } }]),
    )
    searchDocument(entity(wide))
  }
  assert.ok(once.equals(searchDocument(entity(data)).vector))
})
