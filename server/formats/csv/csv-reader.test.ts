import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Document, DocumentError, documentOf } from '../document.ts'
import type { Finding, FoundEntity } from '../finding.ts'
import { csvReader } from './csv-reader.ts'
import type { ColumnMapping, CsvMapping } from './mapping.ts'

type Given = Omit<ColumnMapping, 'parameters'> & { parameters?: ColumnMapping['parameters'] }

const CONFIG: CsvMapping['config'] = {
  comment_character: '#',
  delimiter: ',',
  first_row_is_header: true,
  ignore_comment_lines: false,
  ignore_lines_without_delimiter: false,
  parse_tags: false,
  quote_character: '"',
  tags_delimiter: ';',
}

const to = (column_name: string, ...vendor_fields: string[]): Given => ({ column_name, vendor_fields })

const mappingOf = (columns: readonly Given[], config: object = {}, rest: Partial<CsvMapping> = {}): CsvMapping => ({
  mappings: columns.map((column) => ({ parameters: {}, ...column })),
  columns: [],
  default_field_values: {},
  ...rest,
  config: { ...CONFIG, ...config },
})

async function read(mapping: CsvMapping, text: string | Buffer | Document): Promise<Finding[]> {
  const document = typeof text === 'string' || Buffer.isBuffer(text) ? documentOf(text, 'list.csv') : text
  return await Array.fromAsync(csvReader(mapping, { sourceName: 'us' })(document))
}

const entitiesIn = (findings: readonly Finding[]): FoundEntity[] =>
  findings.flatMap((finding) => (finding.kind === 'entity' ? [finding.entity] : []))

const titled = [to('name', 'title'), to('ip', 'observables.ipv4')]

test('a row becomes an entity with the values of its columns', async () => {
  const mapping = mappingOf(
    [
      to('name', 'entity.title'),
      to('what', 'data.description'),
      {
        ...to('seen', 'meta.estimated_observed_time', 'data.timestamp'),
        parameters: { time_format: '%d.%m.%Y %H:%M' },
      },
      to('sure', 'confidence'),
      to('tlp', 'tlp'),
      { ...to('ip', 'extracts.ip'), parameters: { maliciousness: 'high' } },
      to('life', 'half_life'),
      to('trust', 'source_reliability'),
      to('class', 'taxonomies'),
      to('alias', 'data.aliases'),
      to('deep', 'data.custom.deep'),
    ],
    {},
    { default_field_values: { type: 'malware', tags: ['csv', 'daily'], 'meta.alias': 'M' } },
  )
  const header = 'name,what,seen,sure,tlp,ip,life,trust,class,alias,deep'
  const [entity] = entitiesIn(
    await read(
      mapping,
      `${header}\nEmotet,"Bad, bad",29.01.2024 07:42,75,TLP:AMBER+STRICT,192[.]0[.]2[.]1,30,b,a/b,Geodo,x\n`,
    ),
  )
  assert.match(entity?.data.id ?? '', /^malware--[0-9a-f]{8}-[0-9a-f]{4}-5/)
  assert.deepEqual(entity, {
    data: {
      type: 'malware',
      id: entity?.data.id,
      title: 'Emotet',
      description: 'Bad, bad',
      timestamp: '2024-01-29T07:42:00.000000+00:00',
      confidence: 'high',
      aliases: ['Geodo'],
      custom: { deep: 'x' },
    },
    meta: {
      estimated_observed_time: '2024-01-29T07:42:00.000000+00:00',
      tlp_color: 'AMBER_STRICT',
      half_life: 30,
      source_reliability: 'B',
      taxonomies: ['a/b'],
      tags: ['csv', 'daily'],
      alias: 'M',
    },
    observables: [{ type: 'ipv4', value: '192.0.2.1', maliciousness: 'high' }],
  })
})

test('the same file gives the same entities, and another source or row gives others', async () => {
  const mapping = mappingOf(titled)
  const ids = (findings: Finding[]) => entitiesIn(findings).map(({ data }) => data.id)
  const text = 'name,ip\na,192.0.2.1\nb,192.0.2.2\n'
  const first = ids(await read(mapping, text))
  assert.equal(new Set(first).size, 2)
  assert.deepEqual(ids(await read(mapping, text)), first)
  const others = ids(await Array.fromAsync(csvReader(mapping, { sourceName: 'them' })(documentOf(text))))
  assert.equal(new Set([...first, ...others]).size, 4)
})

test('a STIX id is kept, and any other id gives a generated one', async () => {
  const mapping = mappingOf([to('id', 'data.id'), to('name', 'title')])
  const stix = 'indicator--4f0d2b1e-0f4b-4c39-9d4b-0c5a5f6b8a11'
  const entities = entitiesIn(await read(mapping, `id,name\n${stix},a\n17,b\n`))
  assert.equal(entities[0]?.data.id, stix)
  const again = entitiesIn(await read(mapping, `id,name\n17,renamed\n`))
  assert.equal(again[0]?.data.id, entities[1]?.data.id)
})

test('consecutive rows with the same id become one entity, and later ones are reported', async () => {
  const mapping = mappingOf([to('id', 'id'), ...titled, to('tag', 'tags')])
  const findings = await read(
    mapping,
    'id,name,ip,tag\n1,a,192.0.2.1,x\n1,a,192.0.2.2,y\n1,a,192.0.2.2,y\n2,b,,\n1,a,192.0.2.3,\n',
  )
  const [first] = entitiesIn(findings)
  assert.deepEqual(
    first?.observables?.map(({ value }) => value),
    ['192.0.2.1', '192.0.2.2'],
  )
  assert.deepEqual(first?.meta?.tags, ['x', 'y'])
  assert.partialDeepStrictEqual(findings.at(-1), {
    kind: 'lost',
    at: 'line 6',
    losses: ['another row of this file is the same entity'],
  })
})

test('an invalid row is reported with its line, and the others are read', async () => {
  const findings = await read(mappingOf(titled), 'name,ip\n"a\nb",192.0.2.1\n,nothing\nc\nd,192.0.2.4,,\ne,1.2.3\n')
  const byLine = findings.map(({ at, kind, losses = [] }) => [at, kind, ...losses]).sort()
  const no = 'must be an IPv4 address such as 192.0.2.1, four numbers from 0 to 255 without leading zeros'
  assert.deepEqual(byLine, [
    ['line 2', 'entity'],
    ['line 4', 'lost', 'no cell of this row can be read', `ip: 'nothing' ${no}`],
    ['line 5', 'lost', 'has 1 cell instead of 2'],
    ['line 6', 'entity'],
    ['line 7', 'entity', `ip: '1.2.3' ${no}`],
  ])
})

test('rows with only observables become one report, which is the same for the same file', async () => {
  const mapping = mappingOf([to('ioc', 'observables')], {}, { default_field_values: { tags: ['csv'], tlp: 'GREEN' } })
  const text = 'ioc,x\nexample.com,\n192.0.2.1,\n???,\nhttp://example.com/a,\nexample.com,\n'
  const findings = await read(mapping, text)
  assert.deepEqual(await read(mapping, text), findings)
  assert.partialDeepStrictEqual(findings, [
    { kind: 'lost', at: 'line 4' },
    {
      kind: 'entity',
      entity: {
        data: { type: 'report', title: 'list.csv' },
        meta: { tags: ['csv'], tlp_color: 'GREEN' },
        observables: [
          { type: 'domain', value: 'example.com' },
          { type: 'ipv4', value: '192.0.2.1' },
          { type: 'uri', value: 'http://example.com/a' },
        ],
      },
    },
  ])
})

test('observables beyond the limit of a report are imported separately', async () => {
  const rows = Array.from({ length: 10_005 }, (_, i) => `h${i}.example.com`)
  const findings = await read(mappingOf([to('ioc', 'domain')]), `ioc\n${rows.join('\n')}\n`)
  const [report, ...rest] = findings
  assert.ok(report?.kind === 'entity')
  assert.equal(report.entity.observables?.length, 10_000)
  assert.match(report.losses?.join() ?? '', /only the first 10000/)
  assert.deepEqual(
    rest.map(({ kind, at }) => `${kind} ${at}`),
    [
      'observable line 10002',
      'observable line 10003',
      'observable line 10004',
      'observable line 10005',
      'observable line 10006',
    ],
  )
})

test('type and value may be in separate columns', async () => {
  const mapping = mappingOf([
    to('t', 'observables.type'),
    to('v', 'observables.value'),
    to('m', 'observables.maliciousness'),
  ])
  const findings = await read(
    mapping,
    't,v,m\nIPv4-Addr,192.0.2.1,High\nurl,http://a.example/,\nodd,x,\nip,a.example,\n',
  )
  assert.deepEqual(entitiesIn(findings)[0]?.observables, [
    { type: 'ipv4', value: '192.0.2.1', maliciousness: 'high', link_type: undefined },
    { type: 'uri', value: 'http://a.example/', maliciousness: undefined, link_type: undefined },
  ])
  assert.deepEqual(
    findings.flatMap((finding) => (finding.kind === 'lost' ? finding.losses : [])),
    ["'odd' is not an observable type", "'a.example' is none of ipv4, ipv6, ipv4-cidr, ipv6-cidr, inetnum"],
  )
})

test('a mapping with unknown fields or columns is rejected', async () => {
  const refused = (mapping: CsvMapping, reason: RegExp) =>
    assert.rejects(read(mapping, 'a,b\n1,2\n'), (error) => error instanceof DocumentError && reason.test(error.message))
  await refused(mappingOf([to('a', 'nonsense')]), /column 'a' the field 'nonsense'/)
  await refused(mappingOf([to('a', 'data.__proto__.x')]), /does not exist/)
  await refused(mappingOf([to('a', 'data.constructor')]), /does not exist/)
  await refused(mappingOf([to('c', 'title')]), /none of the columns of the CSV mapping \(c\); it has a, b/)
  await refused(mappingOf([to('a')]), /does not map any column/)
  await refused(mappingOf([to('a', 'title')], {}, { default_field_values: { odd: 1 } }), /the default values/)
  const [loss] = await read(mappingOf([to('a', 'title'), to('c', 'alias')]), 'a,b\n1,2\n')
  assert.deepEqual(loss, { kind: 'lost', at: 'line 1', losses: ["column 'c' does not exist"] })
})

test('an unknown TLP colour makes the entity RED and is reported', async () => {
  const findings = await read(mappingOf([to('name', 'title'), to('tlp', 'tlp')]), 'name,tlp\na,PURPLE\nb,green\n')
  assert.deepEqual(
    entitiesIn(findings).map(({ meta }) => meta?.tlp_color),
    ['RED', 'GREEN'],
  )
  const losses = findings.map((finding) => ('losses' in finding ? finding.losses?.join() : undefined))
  assert.match(losses[0] ?? '', /PURPLE.*RED/)
})
