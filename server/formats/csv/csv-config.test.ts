import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inlineCsvMapping } from '../../exchange/csv-mappings/mapping.ts'
import { documentOf } from '../document.ts'
import type { FoundEntity } from '../finding.ts'
import { csvReader } from './csv-reader.ts'
import type { CsvMapping } from './mapping.ts'

/** Reads a text with a mapping in the form that the API returns. */
async function read(mapping: object, text: string): Promise<FoundEntity[]> {
  const stored: CsvMapping = inlineCsvMapping.parse(mapping)
  const findings = await Array.fromAsync(csvReader(stored)(documentOf(text)))
  return findings.flatMap((finding) => (finding.kind === 'entity' ? [finding.entity] : []))
}

const titles = (entities: readonly FoundEntity[]) => entities.map(({ data }) => data.title)

const mappings = [
  { column_name: 'a', vendor_fields: ['title'] },
  { column_name: 'b', vendor_fields: ['description'] },
]

test('delimiter, quotes and comments follow the configuration', async () => {
  assert.deepEqual(titles(await read({ mappings }, 'a,b\n"x,y",1\n#z,2\n')), ['x,y', '#z'])
  const config = { delimiter: ';', quote_character: "'", ignore_comment_lines: true, comment_character: '%' }
  assert.deepEqual(titles(await read({ mappings, config }, "%no\na;b\n'x;y';1\n%z;2\n'it''s';3\nq%;4\n")), [
    'x;y',
    "it's",
    'q%',
  ])
})

test('without a quote character in the configuration, nothing is quoted', async () => {
  assert.deepEqual(titles(await read({ mappings, config: { quote_character: '' } }, 'a,b\n"x",1\n"y,2\n')), [
    '"x"',
    '"y',
  ])
})

test('the closing quote may differ from the opening quote', async () => {
  const text = 'a,b\n«x,«y»,1\n«two\nlines»,2\n«ends »» here»,3\nplain « 4,5\n«\uE000»,6\n'
  assert.deepEqual(titles(await read({ mappings, config: { quote_character: '«»' } }, text)), [
    'x,«y',
    'two\nlines',
    'ends » here',
    'plain « 4',
    '\uE000',
  ])
  assert.deepEqual(titles(await read({ mappings, config: { quote_character: "''" } }, "a,b\n'x,y',1\n")), ['x,y'])
})

test('lines without a delimiter are skipped if the configuration says so', async () => {
  const text = 'Daily list\na,b\nx,1\nend of list\n'
  const entities = await read({ mappings, config: { ignore_lines_without_delimiter: true } }, text)
  assert.deepEqual(titles(entities), ['x'])
})

test('columns follow the order of the mapping if the file has no header', async () => {
  const config = { first_row_is_header: false }
  assert.deepEqual(titles(await read({ mappings, config, columns: ['x', 'b', 'a'] }, '1,2,3\n4,5,6\n')), ['3', '6'])
  assert.deepEqual(titles(await read({ mappings, config }, '1,2\n4,5\n')), ['1', '4'])
})

test('columns with other names in the file are found by position', async () => {
  assert.deepEqual(titles(await read({ mappings, columns: ['b', 'a'] }, 'Beta,Alpha\n1,2\n')), ['2'])
  assert.deepEqual(titles(await read({ mappings }, ' A ,b\n1,2\n')), ['1'])
})

test('tags are split if the configuration says so', async () => {
  const tagged = [...mappings, { column_name: 't', vendor_fields: ['tags'] }]
  const text = 'a,b,t\nx,,one|two | \n'
  const [whole] = await read({ mappings: tagged, config: { tags_delimiter: '|' } }, text)
  assert.deepEqual(whole?.meta?.tags, ['one|two |'])
  const [split] = await read({ mappings: tagged, config: { tags_delimiter: '|', parse_tags: true } }, text)
  assert.deepEqual(split?.meta?.tags, ['one', 'two'])
})

test('a cell with several values gives them to one field, or one to each field', async () => {
  const parameters = { column_delimiter: ' / ' }
  const one = { mappings: [...mappings, { column_name: 'c', vendor_fields: ['observables.ipv4'], parameters }] }
  const [all] = await read(one, 'a,b,c\nx,,192.0.2.1 / 192.0.2.2\n')
  assert.deepEqual(
    all?.observables?.map(({ value }) => value),
    ['192.0.2.1', '192.0.2.2'],
  )
  const fields = ['observables.ipv4', 'alias']
  const [each] = await read(
    { mappings: [...mappings, { column_name: 'c', vendor_fields: fields, parameters }] },
    'a,b,c\nx,,192.0.2.1 / nick\n',
  )
  assert.deepEqual([each?.observables?.map(({ value }) => value), each?.meta?.alias], [['192.0.2.1'], 'nick'])
})

test('descriptions from several columns are combined under their names or headings', async () => {
  const described = (parameters: object) => ({
    mappings: [...mappings, { column_name: 'c', vendor_fields: ['description'], parameters }],
  })
  const text = 'a,b,c\nx,one,two\n'
  for (const [parameters, expected] of [
    [{}, 'one\ntwo'],
    [{ title_before_description: true }, 'one\nc: two'],
    [{ title_before_description: true, title_heading: 'See' }, 'one\nSee: two'],
    [{ title_heading: 'See' }, 'one\nSee: two'],
    [{ title_before_description: false, title_heading: 'See' }, 'one\ntwo'],
  ] as const) {
    const [entity] = await read(described(parameters), text)
    assert.equal(entity?.data.description, expected)
  }
})
