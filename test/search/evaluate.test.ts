import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Clause, Occur, Query, Range } from '../../server/search/query/ast.ts'
import { searchableFrom, searchableOf } from './entity.ts'
import { compareCharacters, evaluate, hasPhrase } from './evaluate.ts'

const NOW = new Date('2025-03-05T10:20:30.456Z')

const entity = searchableOf(
  {
    id: '0e8dd9a4-5a3c-4c5f-8a55-7b1b0d0f2a01',
    data: {
      id: 'campaign--0e8dd9a4-5a3c-4c5f-8a55-7b1b0d0f2a02',
      type: 'campaign',
      title: 'Amber Heron strikes Zürich, again',
      description: '!!!',
      short_description: '',
      names: ['Red Fox', { value: 'Den Haag', kind: 'Place' }],
      attachments: [{ filename: 'hidden' }],
      x_word: 'Two Words',
      x_number: 2.5,
      x_flag: true,
      x_day: '2025-01-10',
      x_time: '2025-01-10T08:00:00.123456+02:00',
      x_none: [null, '', [], {}],
      x_list: [['Deep', 7], '7', false],
      x_records: [{ name: 'One', inner: [{ score: 1 }] }, { name: 'Two' }],
      x_mask: 'ABC\u{1F600}',
    },
    meta: {
      title: 'The Alias',
      alias: 'The Alias',
      tags: ['Phishing', 'two words'],
      half_life: 10,
      tlp_color: null,
      taxonomies: ['http://corvus.test/api/v2/taxonomies/7'],
      attacks: ['http://corvus.test/api/v2/attacks/TA0001:T1566'],
      estimated_threat_start_time: '2025-02-23T10:20:30.456789+00:00',
      first_ingest_time: '2025-03-01T00:00:00.000001+00:00',
    },
    sources: ['s'],
    observables: ['o', 'p'],
    created_at: '2025-03-01T00:00:00.000001+00:00',
    last_updated_at: '2025-03-02T00:00:00.000001+00:00',
  },
  {
    sources: new Map([['s', 'Default']]),
    taxonomies: new Map([['http://corvus.test/api/v2/taxonomies/7', 'Sector/Finance']]),
    observables: new Map([
      ['o', { type: 'domain', value: 'Evil.example', maliciousness: 'low' }],
      ['p', { type: 'ipv4', value: '203.0.113.7', maliciousness: 'safe' }],
    ]),
  },
)

const term = (field: string | null, text: string): Query => ({ kind: 'term', field, text })
const phrase = (field: string | null, text: string, slop = 0): Query => ({ kind: 'phrase', field, text, slop })
const prefix = (field: string | null, text: string): Query => ({ kind: 'prefix', field, text })
const wildcard = (field: string | null, pattern: string): Query => ({ kind: 'wildcard', field, pattern })
const regexp = (field: string | null, pattern: string): Query => ({ kind: 'regexp', field, pattern })
const fuzzy = (field: string | null, text: string, edits: 0 | 1 | 2): Query => ({ kind: 'fuzzy', field, text, edits })
const exists = (field: string): Query => ({ kind: 'exists', field })
const clause = (occur: Occur, query: Query): Clause => ({ occur, query })
const bool = (...clauses: Clause[]): Query => ({ kind: 'bool', clauses })
/** A range as it is written: `[a b}`, a star for an open end. */
function range(field: string | null, written: string): Range {
  const [from = '', to = ''] = written.slice(1, -1).split(' ')
  const end = (text: string) => (text === '*' ? null : text)
  const [includesFrom, includesTo] = [written.startsWith('['), written.endsWith(']')]
  return { kind: 'range', field, from: end(from), to: end(to), includesFrom, includesTo }
}

const yes: Query = { kind: 'all' }
const no = term('nothing', 'x')

const CASES: Readonly<Record<string, { readonly matching: readonly Query[]; readonly others: readonly Query[] }>> = {
  'a term on a text field is its words, next to each other': {
    matching: [term('data.title', 'ZÜRICH'), term('data.title', 'amber-heron'), term('data.names', 'haag')],
    others: [
      term('data.title', 'amb'),
      term('data.title', 'heron amber'),
      term('data.title', '-'),
      term('data.names', 'fox den'),
      term('data.Title', 'amber'),
    ],
  },
  'the title is the alias where there is one': {
    matching: [term('meta.title', 'alias'), term('meta.alias', 'the')],
    others: [term('meta.title', 'amber')],
  },
  'a term on a keyword is the whole of it, in any case': {
    matching: [
      term('data.x_word', 'two words'),
      term('tags', 'phishing'),
      term('meta.tags', 'TWO WORDS'),
      term('type', 'Campaign'),
      term('data.type', 'campaign'),
      term('id', '0E8DD9A4-5A3C-4C5F-8A55-7B1B0D0F2A01'),
      term('data.id', 'campaign--0e8dd9a4-5a3c-4c5f-8a55-7b1b0d0f2a02'),
      term('data.names.kind', 'place'),
      term('data.x_list', 'deep'),
      term('data.x_records.name', 'two'),
      phrase('data.x_word', 'Two words', 3),
    ],
    others: [term('data.x_word', 'two'), term('tags', 'words'), term('data.X_word', 'two words'), phrase('tags', '')],
  },
  'numbers are equal by value, booleans by name': {
    matching: [
      term('data.x_number', '2.50'),
      term('data.x_number', '+25e-1'),
      term('data.x_list', '7'),
      term('data.x_list', '7.0'),
      term('data.x_flag', 'true'),
      term('data.x_list', 'false'),
      term('data.x_records.inner.score', '1'),
      term('meta.taxonomies', '7'),
    ],
    others: [term('data.x_number', '2.5.0'), term('data.x_number', '.25e1'), term('data.x_flag', '1')],
  },
  'a date expression is equal to every moment in it': {
    matching: [
      term('data.x_day', '2025-01'),
      term('data.x_day', '2025-01-10'),
      term('data.x_day', '2025-01-10T00:00'),
      term('data.x_time', '2025-01-10T06:00:00.123Z'),
      term('data.x_time', '2025-01-10T07:00:00.123+01:00'),
      term('data.x_time', '2025-01-10T08:00:00.123456+02:00'),
      term('data.x_time', '2024-12-10||+1M/d'),
      term('data.x_day', '2025-01-08||/w'),
      term('created_at', 'now-4d/d'),
      term('created_at', 'now/M'),
      term('last_updated_at', '2025-03-02T00:00:00'),
    ],
    others: [
      term('data.x_day', '2025'),
      term('data.x_day', '2025-01-10T00:00:00.001'),
      term('data.x_time', '2025-01-10T06:00:00'),
      term('data.x_day', '2024-12-10||+1M-1s/h'),
      term('created_at', 'now'),
      term('data.x_day', '2025-01-13||/w'),
    ],
  },
  'a range of numbers': {
    matching: ['[2.5 3]', '[2 2.5]', '{2 *]', '[* 1e1}'].map((text) => range('data.x_number', text)),
    others: ['{2.5 3]', '[2 2.5}', '[3 *]', '[2 b]', '[2025-01 *]'].map((text) => range('data.x_number', text)),
  },
  'a range of dates has units as its ends': {
    matching: [
      range('data.x_time', '[2025-01-10 2025-01-10]'),
      range('data.x_time', '[* 2025-01]'),
      range('data.x_time', '[2025-01-10T06:00:00.123Z 2025-01-10T06:00:00.123Z]'),
      range('created_at', '[now-1w now]'),
      range('data.x_day', '{2025-01-09 2025-01-11}'),
    ],
    others: [
      range('data.x_time', '{2025-01-10 *]'),
      range('data.x_time', '[* 2025-01-10}'),
      range('data.x_time', '{2025-01 *]'),
      range('data.x_time', '{2025-01-10T06:00:00.123Z *]'),
      range('data.x_time', '[2025-01-10 zzz]'),
      range('data.x_time', '[a zzz]'),
      range('data.x_flag', '[a z]'),
    ],
  },
  'a range of strings goes by code points': {
    matching: [
      range('data.x_word', '[TWO U]'),
      range('data.x_mask', '[abc\uffee *]'),
      range('data.x_list', '[2 8]'),
      range('data.title', '[zurich *]'),
      range(null, '[zurich *]'),
      range('data.x_flag', '[* *]'),
      range('data.x_records', '{* *}'),
      range('data.description', '[* *]'),
    ],
    others: [range('data.x_word', '[* two}'), range('data.title', '{heron strikes}'), range('data.x_none', '[* *]')],
  },
  'a query without a field looks at texts, tags and observables': {
    matching: [
      term(null, 'heron'),
      term(null, 'alias'),
      term(null, 'PHISHING'),
      phrase(null, 'two words'),
      term(null, 'evil.example'),
      prefix(null, '203.'),
      fuzzy(null, 'phisihng', 1),
    ],
    others: [term(null, 'words'), term(null, 'fox'), term(null, 'campaign'), term(null, 'default')],
  },
  'patterns match single words and whole values': {
    matching: [
      prefix('data.title', 'ZÜR'),
      prefix('data.x_word', 'two w'),
      prefix('data.x_day', '2025-'),
      wildcard('data.title', 'h?r*n'),
      wildcard('data.x_mask', 'abc?'),
      wildcard('data.x_word', 'TWO\\ w*'),
      regexp('data.title', 'H[A-F]r(on|an)'),
      regexp('data.x_word', 'two.words'),
      regexp('data.x_list', '\\deep|x'),
      regexp('data.x_day', '[0-9]{4}(-[0-9]{2}){2}'),
      fuzzy('data.title', 'haron', 1),
      fuzzy('data.title', 'ehorn', 2),
      fuzzy('data.x_word', 'two wrods', 1),
    ],
    others: [
      prefix('data.title', 'amber h'),
      prefix('data.x_number', '2'),
      prefix('data.x_flag', 'tr'),
      wildcard('data.x_mask', 'abc??'),
      wildcard('data.title', 'her\\*'),
      wildcard('data.x_word', '*two'),
      regexp('data.title', 'hero'),
      regexp('data.title', '\\Heron'),
      regexp('data.x_number', '\\d.*'),
      fuzzy('data.title', 'haran', 1),
      fuzzy('data.title', 'ehorn', 1),
    ],
  },
  'something exists where there is a value, there or below': {
    matching: ['data.x_flag', 'data.x_records.inner', 'data', 'extracts', 'data.description', 'data.names'].map(exists),
    others: [
      'data.x_none',
      'data.short_description',
      'meta.tlp_color',
      'data.x_rec',
      'data.attachments',
      'nothing',
    ].map(exists),
  },
  'what belongs to an entity is found by its name': {
    matching: [
      term('extracts.kind', 'ipv4'),
      term('extracts.value', 'evil.example'),
      term('extracts.meta.classification', 'good'),
      term('extracts.meta.classification', 'bad'),
      term('extracts.meta.maliciousness', 'low'),
      term('sources.name', 'default'),
      term('meta.taxonomy_paths', 'sector/finance'),
      term('meta.attacks', 'ta0001:t1566'),
      range('relevancy', '[0.49 0.51]'),
    ],
    others: [term('extracts.meta.classification', 'unknown'), range('relevancy', '[0.51 *]')],
  },
  'clauses are put together': {
    matching: [
      yes,
      { kind: 'boost', query: yes, factor: 2 },
      bool(clause('must', yes), clause('should', no)),
      bool(clause('should', no), clause('should', yes)),
      bool(clause('must_not', no)),
      bool(clause('must', bool(clause('must_not', no)))),
    ],
    others: [
      bool(clause('should', no)),
      bool(clause('must', no), clause('should', yes)),
      bool(clause('should', yes), clause('must_not', yes)),
      bool(clause('should', no), clause('must_not', no)),
    ],
  },
}

for (const [sentence, { matching, others }] of Object.entries(CASES)) {
  test(sentence, () => {
    for (const query of matching) assert.ok(evaluate(query, entity, NOW), `${JSON.stringify(query)} matches`)
    for (const query of others) assert.ok(!evaluate(query, entity, NOW), `${JSON.stringify(query)} does not match`)
  })
}

test('the words of a phrase move as far as its slop allows, each to its own position', () => {
  const least = (text: string, words: string): number =>
    [0, 1, 2, 3, 4, 5].find((slop) => hasPhrase(text.split(' '), words.split(' '), slop)) ?? Number.NaN
  assert.equal(least('a b', 'a b'), 0)
  assert.equal(least('a b', 'b a'), 2)
  assert.equal(least('a x b', 'a b'), 1)
  assert.equal(least('a x b', 'b a'), 3)
  assert.equal(least('a b c', 'c b a'), 4)
  assert.equal(least('a b', 'a a'), Number.NaN)
  assert.equal(least('a b a', 'a a'), 1)
})

test('characters beyond the 16th bit sort last', () => {
  assert.ok(compareCharacters('\u{1F600}', '\uffee') > 0)
  assert.ok(compareCharacters('a', 'ab') < 0)
  assert.equal(compareCharacters('ab', 'ab'), 0)
})

test('an entity whose threat has no start time has no relevancy', () => {
  const bare = searchableFrom('1', { 'data.title': 'x', 'meta.half_life': 1 })
  assert.ok(!evaluate(exists('relevancy'), bare, NOW))
  assert.ok(!evaluate(range('relevancy', '[0 *]'), bare, NOW))
})
