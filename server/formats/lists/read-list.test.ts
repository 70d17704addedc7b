import assert from 'node:assert/strict'
import { test } from 'node:test'
import { entityData } from '../../intelligence/entities/entity-data.ts'
import { entityMeta } from '../../intelligence/entities/meta.ts'
import { DocumentError, documentOf } from '../document.ts'
import type { Finding } from '../finding.ts'
import { wayOf } from '../formats.ts'
import { recognise } from '../recognise.ts'

const MD5 = 'd41d8cd98f00b204e9800998ecf8427e'
const SHA256 = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'

async function read(text: string | Buffer, name = 'list.csv'): Promise<Finding[]> {
  const document = documentOf(text, name)
  const { read } = await wayOf(await recognise(document), document, {})
  const findings = await Array.fromAsync(read(document))
  for (const finding of findings) {
    if (finding.kind !== 'entity') continue
    entityData.parse(structuredClone(finding.entity.data))
    entityMeta.parse(structuredClone(finding.entity.meta ?? {}))
  }
  return findings
}

const observablesIn = (findings: readonly Finding[]): string[] =>
  findings.flatMap((finding) =>
    finding.kind === 'entity' ? (finding.entity.observables ?? []).map(({ type, value }) => `${type} ${value}`) : [],
  )

const values = async (text: string | Buffer, name?: string) => observablesIn(await read(text, name))

async function entities(text: string, name?: string) {
  return (await read(text, name)).flatMap((finding) => (finding.kind === 'entity' ? [finding.entity] : []))
}

test('the majority of its cells determines a column, whatever its name', async () => {
  assert.deepEqual(await values(`Indicator,Data,Note\nmd5,${MD5},x\ndomain,bad.org,y\n`), [
    `hash-md5 ${MD5}`,
    'domain bad.org',
  ])
  assert.deepEqual(await values('domain,country\n192.0.2.1,NL\n192.0.2.2,DE\n'), ['ipv4 192.0.2.1', 'ipv4 192.0.2.2'])
})

test('without a header the first row counts, and a file with one line contains an indicator', async () => {
  assert.deepEqual(await values('bad.org,phishing\nworse.org,phishing\n'), ['domain bad.org', 'domain worse.org'])
  assert.deepEqual(await values(`MD5,${MD5}`), [`hash-md5 ${MD5}`])
  for (const name of ['x.csv', 'x.txt', 'x']) assert.deepEqual(await values('bad.org', name), ['domain bad.org'])
})

test('types that any word could match are never guessed', async () => {
  assert.deepEqual(await values('Hashes\nbad.org\nworse.org\nSeen by us\nevil.net\n', 'x.txt'), [
    'domain bad.org',
    'domain worse.org',
    'domain evil.net',
  ])
  const found = await values(`name,product,process,hash\nAgent,Office,winword,${MD5}\nOther,Excel,excel,bad\n`)
  assert.deepEqual(found, [`hash-md5 ${MD5}`])
})

test('values of other columns are kept with the indicator', async () => {
  const header = 'indicator,type,description,tags,first_seen,last_seen,confidence,tlp,reference,family'
  const row =
    'bad.org,domain,"C2, primary","bank;phish",2024-01-02,2024-02-03 04:05:06,85,TLP:AMBER,https://blog.org/1,Emo'
  const [indicator] = await entities(`${header}\n${row}\n`)
  assert.partialDeepStrictEqual(indicator, {
    data: {
      type: 'indicator',
      title: 'bad.org',
      description: 'C2, primary\nconfidence: 85\nfamily: Emo',
      confidence: 'high',
      external_references: [{ source_name: 'reference', url: 'https://blog.org/1' }],
    },
    meta: {
      tags: ['bank', 'phish'],
      estimated_threat_start_time: '2024-01-02T00:00:00.000Z',
      estimated_observed_time: '2024-02-03T04:05:06.000Z',
      tlp_color: 'AMBER',
    },
    observables: [{ type: 'domain', value: 'bad.org' }],
  })
})

test('an address with a port gives the address, and the port is kept', async () => {
  const found = await entities('198.51.100.7:8080\n[2001:db8::1]:443\nbad.org:53\nworse.org/gate.php\n', 'x.txt')
  assert.deepEqual(
    found.map(({ data, observables }) => [data.description, observables?.[0]?.value]),
    [
      ['198.51.100.7:8080', '198.51.100.7'],
      ['[2001:db8::1]:443', '2001:db8::1'],
      ['bad.org:53', 'bad.org'],
      ['worse.org/gate.php', 'worse.org'],
    ],
  )
})

test('rows that no column explains are read as text and kept', async () => {
  const found = await entities(
    `type,value,note\nmd5,${MD5},x\nC2,panel at hxxp://bad[.]org/x on 198.51.100.7,y\ndescription,See https://blog.org/post,\n`,
  )
  assert.deepEqual(observablesIn(found.map((entity) => ({ kind: 'entity', at: '', entity }))), [
    `hash-md5 ${MD5}`,
    'uri http://bad.org/x',
    'domain bad.org',
    'ipv4 198.51.100.7',
  ])
  assert.match(String(found.at(-1)?.data.description), /See https:\/\/blog\.org\/post/)
})

test('versions, dates, file names and numbers are neither addresses nor domains', async () => {
  const found = await values(
    `sha256,version,file,date,size,id\n${SHA256},1.2.3.4,setup.py,12.05.2020,4111111111111111,${MD5}\n`,
  )
  assert.deepEqual(found, [`hash-sha256 ${SHA256}`, 'file setup.py'])
})

test('an unclosed quote does not swallow other rows', async () => {
  const rows = Array.from({ length: 100 }, (_, i) => `host-${i}.org,"note ${i === 3 ? '' : '"'}`)
  assert.equal((await values(rows.join('\n'))).length, 100)
})

test('formulas, NUL characters and overlong lines are rejected with their line', async () => {
  const refused = (text: string, reason: RegExp) =>
    assert.rejects(read(text), (error) => error instanceof DocumentError && reason.test(error.message))
  await refused('domain,note\nbad.org,x\nworse.org,=HYPERLINK("x")\n', /^line 3: .* is a spreadsheet formula/)
  await refused(`domain,note\n${'bad.org,x\n'.repeat(50)}worse.org,a\0b\n`, /^line 52: .*NUL/)
  await refused(`domain,note\nbad.org,x\nworse.org,${'y'.repeat(5_000_000)}\n`, /^line 3 exceeds/)
})

test('a list of any length is read, and observables beyond the limit of a report are imported separately', async () => {
  const text = Array.from({ length: 30_000 }, (_, i) => `host-${i}.org\n`).join('')
  const findings = await read(text, 'x.txt')
  assert.equal(findings.filter(({ kind }) => kind === 'observable').length, 20_000)
  const report = findings.find(({ kind }) => kind === 'entity')
  assert.match(
    String(report && 'losses' in report && report.losses),
    /only the first 10000 observables are part of this report/,
  )
})

test('columns that are not kept are noted, and other values further down in them are kept', async () => {
  const rows = Array.from({ length: 3_000 }, (_, i) => `${i + 1},0.0.0.0,host-${i}.org,seen`)
  const text = ['no,sink,domain,state', ...rows, 'last 198.51.100.7,192.0.2.9,final.org,seen', ''].join('\n')
  const findings = await read(text)
  const notes = findings.flatMap((finding) => (finding.kind === 'entity' ? (finding.notes ?? []) : []))
  assert.deepEqual(notes, [
    "Column 1 ('no') only numbers the rows and is not kept.",
    "Column 2 ('sink') contains only addresses such as 0.0.0.0 and 127.0.0.1 and is not kept.",
  ])
  const last = findings.findLast((finding) => finding.kind === 'entity')?.entity
  assert.equal(last?.data.description, 'no: last 198.51.100.7\nsink: 192.0.2.9\nstate: seen')
  assert.deepEqual(last?.observables?.map(({ value }) => value).toSorted(), ['192.0.2.9', '198.51.100.7', 'final.org'])
})
