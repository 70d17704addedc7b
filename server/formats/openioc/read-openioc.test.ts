import assert from 'node:assert/strict'
import { test } from 'node:test'
import { entityData } from '../../intelligence/entities/entity-data.ts'
import { DocumentError, documentOf } from '../document.ts'
import { readOpenIoc } from './read-openioc.ts'

const item = (search: string, value: string, condition = 'is', more = '') =>
  `<IndicatorItem id="x" condition="${condition}"${more}><Context document="${search.split('/')[0]}" search="${search}" type="mir"/>
    <Content type="string">${value}</Content></IndicatorItem>`

const version10 = (items: string) => `<?xml version="1.0" encoding="us-ascii"?>
<ioc xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" id="6D2A1B03-B216-4CD8-9A9E-8827AF6EBF93" last-modified="2011-10-28T19:28:20"
  xmlns="http://schemas.mandiant.com/2010/ioc">
  <short_description>A trojan</short_description>
  <description>Finds it</description>
  <keywords>one, two</keywords>
  <authored_by>Somebody</authored_by>
  <authored_date>2010-01-02T03:04:05</authored_date>
  <links><link rel="report" href="https://example.com/report">The report</link><link rel="category">Backdoor</link></links>
  <definition><Indicator operator="OR" id="y">${items}</Indicator></definition>
</ioc>`

const version11 = (
  items: string,
) => `<OpenIOC xmlns="http://openioc.org/schemas/OpenIOC_1.1" id="6d2a1b03-b216-4cd8-9a9e-8827af6ebf93"
  last-modified="0001-01-01T00:00:00" published-date="2013-01-01T00:00:00Z">
  <metadata><short_description>A trojan</short_description><authored_date>0001-01-01T00:00:00</authored_date></metadata>
  <criteria><Indicator operator="AND" id="y">${items}<Indicator operator="OR" id="z">${item('Network/DNS', 'deep[.]example[.]com')}</Indicator></Indicator></criteria>
  <parameters/></OpenIOC>`

async function read(document: string | Buffer, name = '') {
  const findings = await Array.fromAsync(readOpenIoc(documentOf(document, name)))
  const [first] = findings
  assert.ok(first?.kind === 'entity')
  entityData.parse(structuredClone(first.entity.data))
  const observables = first.entity.observables?.map(({ type, value }) => `${type} ${value}`) ?? []
  return {
    findings,
    data: first.entity.data as Record<string, unknown>,
    meta: first.entity.meta,
    observables,
    losses: first.losses ?? [],
  }
}

test('an IOC becomes an indicator with its metadata', async () => {
  const { data, meta, findings } = await read(version10(item('FileItem/Md5sum', 'd41d8cd98f00b204e9800998ecf8427e')))
  assert.equal(data.id, '{http://schemas.mandiant.com/2010/ioc}indicator-6d2a1b03-b216-4cd8-9a9e-8827af6ebf93')
  assert.deepEqual([data.title, data.description, data.timestamp], ['A trojan', 'Finds it', '2011-10-28T19:28:20'])
  assert.deepEqual(data.information_source, {
    type: 'information-source',
    identity: { type: 'identity', name: 'Somebody' },
    time: { type: 'time', produced_time: '2010-01-02T03:04:05' },
  })
  assert.deepEqual(data.external_references, [
    { source_name: 'report', url: 'https://example.com/report', description: 'The report' },
  ])
  assert.deepEqual(meta, { tags: ['one', 'two', 'category:Backdoor'] })
  assert.equal(findings.length, 1)
})

test('the complete XML of an IOC is kept as a test mechanism', async () => {
  const { data } = await read(version10(item('Network/DNS', 'a.example.com')))
  const [mechanism] = data.test_mechanisms as { test_mechanism_type: string; xml: string }[]
  assert.equal(mechanism?.test_mechanism_type, 'openioc')
  const again = await read(mechanism.xml)
  assert.deepEqual(again.data.title, 'A trojan')
  assert.deepEqual(again.observables, ['domain a.example.com'])
})

test('items become observables of the type of their term', async () => {
  const items: [search: string, value: string, found: string][] = [
    ['FileItem/Md5sum', 'D41D8CD98F00B204E9800998ECF8427E', 'hash-md5 d41d8cd98f00b204e9800998ecf8427e'],
    [
      'FileItem/Sha1sum',
      'da39a3ee5e6b4b0d3255bfef95601890afd80709',
      'hash-sha1 da39a3ee5e6b4b0d3255bfef95601890afd80709',
    ],
    ['FileItem/FileName', 'sdra64.exe', 'file sdra64.exe'],
    ['FileItem/FullPath', 'C:\\Windows\\x.dll', 'file C:\\Windows\\x.dll'],
    ['FileItem/SizeInBytes', '1024', 'file-size 1024'],
    ['Network/DNS', 'evil.example.com', 'domain evil.example.com'],
    ['Network/UserAgent', 'Mozilla/4.0 (evil)', 'user-agent Mozilla/4.0 (evil)'],
    ['PortItem/remoteIP', '192.0.2.1', 'ipv4 192.0.2.1'],
    ['ProcessItem/PortList/PortItem/remoteIP', '2001:db8::1', 'ipv6 2001:db8::1'],
    ['PortItem/remotePort', '8080', 'port 8080'],
    ['RegistryItem/Path', 'HKLM\\Software\\X', 'winregistry HKEY_LOCAL_MACHINE\\Software\\X'],
    ['ProcessItem/name', 'evil.exe', 'process-name evil.exe'],
    ['ServiceItem/serviceDLLmd5sum', 'd41d8cd98f00b204e9800998ecf84270', 'hash-md5 d41d8cd98f00b204e9800998ecf84270'],
    ['ServiceItem/name', 'EvilService', 'name EvilService'],
    ['UrlHistoryItem/URL', 'hxxp://evil[.]example[.]com/a', 'uri http://evil.example.com/a'],
    ['Email/From', 'someone@example.com', 'email someone@example.com'],
    ['Email/Subject', 'Your invoice', 'email-subject Your invoice'],
  ]
  for (const [search, value, found] of items) {
    const { observables, losses } = await read(version10(item(search, value)))
    assert.deepEqual([observables, losses], [[found], []], search)
  }
})

test('negated items, partial values and items without a type are not imported as observables, and are reported', async () => {
  const items = [
    item('FileItem/Md5sum', 'd41d8cd98f00b204e9800998ecf8427e', 'isnot'),
    item('FileItem/FileName', 'x.exe', 'is', ' negate="true"'),
    item('FileItem/FileName', 'temp', 'contains'),
    item('Network/URI', '/gate.php', 'contains'),
    item('FileItem/FileName', '^a+b', 'matches'),
    item('ProcessItem/HandleList/Handle/Name', 'x'),
    item('FileItem/Md5sum', 'short'),
  ]
  const { observables, losses } = await read(version10(items.join('')))
  assert.deepEqual(observables, [])
  assert.equal(losses.length, items.length)
  assert.match(
    losses.join('\n'),
    /isnot .* is negated[\s\S]*'temp' is not a complete value[\s\S]*has no observable type[\s\S]*'short' is not a valid hash-md5/,
  )
})

test('a complete value in a contains condition is an observable', async () => {
  const { observables } = await read(
    version10(item('Network/DNS', 'evil.example.com', 'contains') + item('FileItem/FileName', 'a.exe', 'contains')),
  )
  assert.deepEqual(observables, ['domain evil.example.com', 'file a.exe'])
})

test('version 1.1 is read like version 1.0, and gives the same id', async () => {
  const { data, observables } = await read(version11(item('FileItem/FileName', 'x.exe')))
  assert.equal(data.id, '{http://schemas.mandiant.com/2010/ioc}indicator-6d2a1b03-b216-4cd8-9a9e-8827af6ebf93')
  assert.deepEqual([data.timestamp, data.information_source], ['2013-01-01T00:00:00Z', undefined])
  assert.deepEqual(observables, ['file x.exe', 'domain deep.example.com'])
})

test('an IOC without a description is named after its file, and one without an id gets one from its contents', async () => {
  const bare = `<ioc xmlns="http://schemas.mandiant.com/2010/ioc"><definition>${item('Network/DNS', 'a.example.com')}</definition></ioc>`
  const first = await read(bare, 'evil.ioc')
  const again = await read(bare, 'other.ioc')
  assert.equal(first.data.title, 'evil.ioc')
  assert.equal(first.data.id, again.data.id)
  assert.notEqual(first.data.id, (await read(bare.replace('a.example', 'b.example'))).data.id)
})

test('several IOCs in one document become several indicators', async () => {
  const document = `<iocs>${version10('').replace(/<\?.*\?>/, '')}${version11('')}</iocs>`
  const { findings } = await read(document)
  assert.deepEqual(
    findings.map(({ at }) => at.split(',')[0]),
    ['IOC[1]', 'IOC[2]'],
  )
})

test('documents that are not IOCs are rejected', async () => {
  for (const document of ['<a/>', '<a><b/></a>', '<iocs/>', '<!DOCTYPE ioc><ioc/>'])
    await assert.rejects(read(document), DocumentError, document)
})

test('a thousand invalid items are summarised', async () => {
  const { losses } = await read(version10(item('X/Y', 'z').repeat(1000)))
  assert.equal(losses.length, 21)
  assert.match(losses.at(-1) ?? '', /^980 more/)
})
