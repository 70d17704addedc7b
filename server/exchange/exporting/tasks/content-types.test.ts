import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { fromBufferPromise } from 'yauzl'
import { corvus, exported, fetchBytes, type Item, put } from '../../../../test/set-up/exporting.ts'
import { OFFERED_TYPES } from '../../../formats/formats.ts'

const BY_QUERY = 'entities/by-query/export'
const QUERY = { entities_query: 'tags:ibis' }

let indicator: Item & { data: Item }
let malware: Item & { data: Item }
before(async () => {
  const [group] = (await corvus.call('GET', 'groups?filter[name]=Default')).body.data
  const { body } = await corvus.call('POST', 'entities/attachments', { data: 'aWJpcw==', filename: 'ibis.txt' })
  const made = await put('entities', [
    {
      data: { type: 'indicator', title: 'Ibis & co', description: '<b>"x"</b>' },
      meta: { tags: ['ibis'], tlp_color: 'AMBER' },
      observables: [{ type: 'domain', value: 'ibis.example', maliciousness: 'high' }],
      attachments: [body.data.id],
    },
    { data: { type: 'malware', title: 'Ibis' }, meta: { tags: ['ibis'] } },
  ])
  ;[indicator, malware] = made
  const data = { source: indicator.id, key: 'indicates', target: malware.id }
  await put('relationships', [{ data, sources: [group.source] }])
})

const exportAs = (content_type: string, more: Item = {}) => exported(BY_QUERY, { ...QUERY, content_type, ...more })

test('every content type is written, under its own media type and extension', async () => {
  for (const { urn, mediaType, extension } of OFFERED_TYPES) {
    const { block, document } = await exportAs(urn)
    assert.equal(block.content_type, urn)
    assert.equal(block.items_count, 2, urn)
    assert.ok(block.filename.endsWith(`.${extension}`), block.filename)
    assert.equal(document.headers['content-type'], mediaType)
    assert.ok(document.bytes.length > 0, urn)
  }
})

test('other spellings of a URN are accepted and normalised', async () => {
  const { block } = await exportAs('urn:<vendor>:csv-extracts:1.0')
  assert.equal(block.content_type, 'urn:eclecticiq.com:csv-extracts:1.0')
})

test('a STIX 2.1 bundle says which model wrote an entity, and from what', async () => {
  const generated_by = {
    feature: 'ai_intel_summary',
    provider: 'ai-provider-ollama',
    model: 'qwen3:8b',
    prompt_hash: 'a'.repeat(64),
    generated_at: '2026-11-19T10:00:00Z',
    inputs: [malware.id],
  }
  await put('entities', [{ data: { type: 'note', title: 'Heron' }, meta: { tags: ['heron'], generated_by } }])
  const { document } = await exported(BY_QUERY, {
    entities_query: 'tags:heron',
    content_type: 'urn:oasis:stix:json:2.1',
  })
  const note = JSON.parse(document.text).objects.find(({ type }: Item) => type === 'note')
  const [extension] = Object.values<{ meta: Item }>(note.extensions)
  assert.deepEqual(extension?.meta.generated_by, generated_by)
})

test('a STIX 2.1 bundle has the entities, their relationships and everything linked to them', async () => {
  const { document } = await exportAs('urn:oasis:stix:json:2.1')
  const { type, objects } = JSON.parse(document.text)
  assert.equal(type, 'bundle')
  const types = new Set(objects.map((object: Item) => object.type))
  for (const wanted of ['indicator', 'malware', 'relationship', 'marking-definition'])
    assert.ok(types.has(wanted), wanted)
})

test('a STIX 1.2 package names the entities by their titles', async () => {
  const { document } = await exportAs('urn:stix.mitre.org:xml:1.2')
  assert.match(document.text, /^<\?xml version="1\.0" encoding="UTF-8"\?>\n<stix:STIX_Package/)
  assert.match(document.text, /Ibis &amp; co/)
})

test('the table of observables has the header that clients compare', async () => {
  const { document } = await exportAs('urn:eclecticiq.com:csv-extracts:1.0')
  const [head, row, ...rest] = document.text.split('\r\n')
  assert.match(String(head), /^value,type,value_url,timestamp,source\.ids,source\.names,entity\.id,/)
  assert.match(String(row), /^ibis\.example,domain,http:\/\/corvus\.test\/api\/v2\/observables\/\d+,/)
  assert.deepEqual(rest, [''])
})

test('the archive contains the attachments', async () => {
  const { document } = await exportAs('urn:eclecticiq.com:attachments-zip:1.0')
  const zip = await fromBufferPromise(document.bytes, { lazyEntries: true })
  const names: string[] = []
  for await (const entry of zip.eachEntry()) names.push(entry.fileName)
  assert.equal(names.length, 2)
  assert.match(String(names[0]), /\/ibis\.txt$/)
})

test('what a format cannot represent is a warning, and can be read afterwards', async () => {
  const { run, block } = await exportAs('urn:eclecticiq.com:csv-entities:1.0')
  assert.equal(run.state, 'WARNING')
  assert.equal(run.result.losses, block.losses_count)
  assert.match(run.log.at(-1), new RegExp(`${block.losses_count} losses, listed at .*/losses\\.$`))
  const report = await fetchBytes(block.losses_url)
  assert.equal(report.headers['content-type'], 'application/x-ndjson')
  const lines = report.text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
  assert.equal(lines.length, block.losses_count)
  assert.deepEqual(
    lines.map((line) => Object.keys(line)),
    lines.map(() => ['id', 'loss']),
  )
  assert.equal(lines[0].id, indicator.data.id)
  assert.match(lines[0].loss, /attachments/)
})

test('a configuration without attachments and relationships loses none', async () => {
  const content_configuration = { attachments: { include: false }, relationships: 'none' }
  const { run } = await exportAs('urn:eclecticiq.com:csv-entities:1.0', { content_configuration })
  assert.equal(run.state, 'SUCCESS')
  assert.deepEqual(run.log.slice(0, 2), ['Relationships: none.', 'Attachments are left out.'])
})
