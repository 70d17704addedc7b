import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { sql } from 'kysely'
import { bundleOf, objectsOf, shippedContent, stixIdOf } from '../../../test/set-up/attack-bundle.ts'
import { corvus, frameworkTables, load, loadBundle, preview, undo } from '../../../test/set-up/frameworks.ts'

const shipped = await shippedContent('ics-attack')
const objects = objectsOf(shipped)
const document = (changed: readonly unknown[]) => JSON.stringify({ type: 'bundle', objects: changed })
const tactic = shipped.tactics[0]?.shortName ?? ''
const dead = (id: string, next: string) => ({ id, name: id, tactics: [tactic], revokedBy: [next] })
const technique = (id: string) => ({ id, name: id, tactics: [tactic] })
const isUpdateMode = ({ name }: Record<string, unknown>) => name === 'Activate Firmware Update Mode'
const isMatrix = ({ type }: Record<string, unknown>) => type === 'x-mitre-matrix'

const HOSTILE: Readonly<Record<string, readonly [content: string | Buffer, fault: RegExp]>> = {
  'a loop of revocations': [
    bundleOf({ ...shipped, techniques: [...shipped.techniques, dead('T7001', 'T7002'), dead('T7002', 'T7001')] }),
    /T7001 is revoked by itself/,
  ],
  'two matrices': [
    document([
      ...objects,
      ...objects.filter(isMatrix).map((each) => ({ ...each, id: stixIdOf('x-mitre-matrix', 'two') })),
    ]),
    /has 2 matrices/,
  ],
  'no matrix': [document(objects.filter((each) => !isMatrix(each))), /no matrix of an attack framework/],
  'an unknown matrix': [bundleOf({ ...shipped, matrix: 'other' }), /is not one of enterprise-attack/],
  'one external id twice': [
    document([
      ...objects,
      ...objects.filter(isUpdateMode).map((each) => ({ ...each, id: stixIdOf('attack-pattern', 'x') })),
    ]),
    /T0800 is the id of two objects/,
  ],
  'one STIX id twice': [
    document([...objects, { ...objects.find(({ type }) => type === 'attack-pattern'), name: 'Another' }]),
    /twice, and differently/,
  ],
  'a missing tactic': [
    document(objects.filter(({ type }, i) => type !== 'x-mitre-tactic' || i % 2 === 0)),
    /has the tactic .*, which does not exist/,
  ],
  'an object for a tactic': [
    document(objects.map((each) => (isMatrix(each) ? { ...each, tactic_refs: [{ toString: 1 }] } : each))),
    /has the tactic \{"toString":1\}, which does not exist/,
  ],
  'a missing parent': [
    bundleOf({ ...shipped, techniques: [...shipped.techniques, technique('T7001.001')] }),
    /T7001\.001 is below .*:T7001, which does not exist/,
  ],
  'a wrong id': [bundleOf({ ...shipped, techniques: [technique("T1'); drop table")] }), /is a technique with the id/],
  'broken JSON': [bundleOf(shipped).slice(0, -100), /^file: /],
  'UTF-16': [Buffer.from(bundleOf(shipped), 'utf16le'), /^file: /],
  'invalid UTF-8': [
    Buffer.concat([Buffer.from('{"objects": [{"type": "'), Buffer.from([0xff, 0xfe]), Buffer.from('"}]}')]),
    /^file: /,
  ],
  'a number': ['5', /^file: /],
  nothing: ['', /empty/],
  'a picture': [Buffer.from('89504e470d0a1a0a0000', 'hex'), /no JSON/],
  'too many places': [
    document([
      ...objects,
      ...Array.from({ length: 9000 }, (_, i) => ({
        type: 'attack-pattern',
        id: stixIdOf('attack-pattern', `many ${i}`),
        name: 'Many',
        external_references: [{ source_name: 'mitre-attack', external_id: `T${1000 + i}` }],
        kill_chain_phases: shipped.tactics.map(({ shortName }) => ({ phase_name: shortName })),
      })),
    ]),
    /more than 100000 places/,
  ],
}

const untouched = await frameworkTables()
const previews = async () =>
  (await sql<{ count: number }>`select count(*) as count from framework_loads`.execute(corvus.db)).rows[0]?.count

for (const [name, [content, fault]] of Object.entries(HOSTILE))
  test(`a document with ${name} is a 400 that says so`, async () => {
    const { status, body } = await preview(content)
    assert.equal(status, 400, JSON.stringify(body).slice(0, 500))
    assert.match(body[0].detail, fault)
  })

test('refused documents leave nothing behind', async () => {
  assert.equal(await previews(), 0)
  assert.deepEqual(await frameworkTables(), untouched)
})

test('missing references are left out, and the report says so', async () => {
  const mitigations = [{ id: 'M0001', name: 'Against nothing', against: ['T7777'] }]
  const { status, body } = await preview(bundleOf({ ...shipped, mitigations }))
  assert.equal(status, 201)
  assert.match(body.data.report.warnings.join(' '), /1 relationships of defenses have an end that is dead or missing/)
})

test('a document that does not say its version gets the one in its name', async () => {
  const content = bundleOf({ ...shipped, version: null })
  const found = async (name: string) => (await preview(content, { name })).body.data.version
  assert.equal(await found('enterprise-attack-17.1.json'), '17.1')
  assert.equal(await found('enterprise-attack-v16.0.json'), '16.0')
  assert.doesNotMatch(await found('bundle-2.json'), /^2$/)
})

test('a document that does not say its version gets the day of its newest object, unless the caller says it', async () => {
  const { body } = await preview(bundleOf({ ...shipped, version: null }))
  assert.deepEqual([body.data.version, body.data.is_downgrade], ['2026-04-28', false])
  const named = await preview(bundleOf({ ...shipped, version: null }), { version: '16.1' })
  assert.deepEqual([named.body.data.version, named.body.data.is_downgrade], ['16.1', true])
  assert.match(named.body.data.report.warnings[0], /16\.1 is older than 18\.1/)
  const wrong = await preview(bundleOf(shipped), { version: 'a b' })
  assert.deepEqual([wrong.status, wrong.body[0].detail], [400, 'version: must be a version such as 18.1'])
  assert.equal((await preview(gzipSync(bundleOf(shipped)))).status, 201, 'also compressed')
})

test('previews can be deleted, loads cannot, and unknown ones are a 404', async () => {
  const { id } = (await preview(bundleOf(shipped))).body.data
  const at = `attacks/frameworks/loads/${id}`
  assert.equal((await undo(id)).status, 409)
  assert.equal((await corvus.call('DELETE', at)).status, 204)
  for (const answer of [await corvus.call('GET', at), await corvus.call('DELETE', at), await load(id), await undo(id)])
    assert.equal(answer.status, 404)
  const loaded = await loadBundle(bundleOf(shipped))
  assert.equal((await corvus.call('DELETE', `attacks/frameworks/loads/${loaded.id}`)).status, 409)
  assert.equal((await undo(loaded.id)).status, 200)
  const { body } = await corvus.call('GET', 'attacks/frameworks/loads?filter[matrix]=ics-attack&filter[state]=undone')
  assert.ok(body.data.some((each: { id: number }) => each.id === loaded.id))
  const faults = async (path: string) => {
    const { status, body } = await corvus.call('GET', `attacks/frameworks/${path}`)
    assert.equal(status, 400, path)
    return body.map(({ detail }: { detail: string }) => detail.split(':')[0])
  }
  assert.deepEqual(await faults('loads?filter[state]=lost&filter[matrix]=x'), ['filter[matrix]', 'filter[state]'])
  assert.deepEqual(await faults('reviews?filter[load]=x&filter[state]=lost'), ['filter[state]', 'filter[load]'])
})

const server = createServer((request, response) => {
  if (request.url?.startsWith('/bundle')) response.end(bundleOf(shipped))
  else response.writeHead(404).end()
}).listen(0, '127.0.0.1')
after(() => server.close())
const address = (path: string) => `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`
const fetched = (data: unknown) => corvus.call('POST', 'attacks/frameworks/preview', { data })

test('a document is downloaded from an address, and a failure names only the host', async () => {
  const { status, body } = await fetched({ url: address('/bundle.json?key=secret') })
  assert.equal(status, 201, JSON.stringify(body))
  assert.equal(body.data.origin, address('/bundle.json'))
  const absent = await fetched({ url: address('/absent?key=secret') })
  assert.equal(absent.status, 502)
  assert.match(absent.body[0].detail, /^127\.0\.0\.1:\d+ responded with 404\.$/)
  const refused = await fetched({ url: 'http://10.0.0.1/bundle.json' })
  assert.equal(refused.status, 502)
  for (const wrong of [
    {},
    { url: address('/bundle'), matrix: 'DISARM' },
    { matrix: 'other' },
    { url: 'file:///etc/passwd' },
  ])
    assert.equal((await fetched(wrong)).status, 400)
})
