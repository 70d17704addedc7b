import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { BASE } from '../../../test/app.ts'
import { zipOf } from '../../../test/set-up/archives.ts'
import { objectsOf, shippedContent } from '../../../test/set-up/attack-bundle.ts'
import { corvus, endOf, entitiesOf, exported, losses, processed } from '../../../test/set-up/processing.ts'

const bundle = (...objects: object[]): string =>
  JSON.stringify({ type: 'bundle', id: `bundle--${randomUUID()}`, objects })

const indicator = (name: string, value: string) => ({
  type: 'indicator',
  spec_version: '2.1',
  id: `indicator--${randomUUID()}`,
  created: '2024-01-01T00:00:00.000Z',
  modified: '2024-01-01T00:00:00.000Z',
  name,
  pattern: `[domain-name:value = '${value}']`,
  pattern_type: 'stix',
  valid_from: '2024-01-01T00:00:00.000Z',
})

const fetched = async (url: string) => (await corvus.call('GET', url.slice(BASE.length))).body.data

async function valuesOf(file: { readonly id: number }): Promise<string[]> {
  const [id] = await entitiesOf(file)
  const { observables } = await fetched(`${BASE}/api/v2/entities/${id}`)
  const all = await Promise.all(observables.map(fetched))
  return all.map(({ type, value }) => `${type} ${value}`).sort()
}

test('a bundle becomes entities and observables, with an outcome for each object', async () => {
  const text = bundle(indicator('Login', 'login.bank.test'), { type: 'nothing' })
  const { file, run } = await processed('bundle.json', text, { tags: 'feed', tlp_color: 'GREEN' })
  assert.equal(run.state, 'WARNING')
  const counts = { entities: { created: 1 }, observables: { created: 1 }, parts: { lost: 1 } }
  assert.deepEqual(run.result, { format: 'stix-2', objects: 2, ...counts, lost: 1 })
  const { body } = await corvus.call('GET', `files/${file.id}/outcomes`)
  assert.deepEqual(body.data.map(({ kind, outcome }: Record<string, unknown>) => `${kind} ${outcome}`).sort(), [
    'entity created',
    'part lost',
  ])
  const entity = await fetched(body.data.find(({ kind }: { kind: string }) => kind === 'entity').entity)
  assert.deepEqual([entity.data.title, entity.meta.tags, entity.meta.tlp_color], ['Login', ['feed'], 'GREEN'])
  assert.deepEqual(await valuesOf(file), ['domain login.bank.test'])
  assert.equal((await fetched(`${BASE}/api/v2/files/${file.id}`)).format, 'stix-2')
  const lost = await corvus.call('GET', `files/${file.id}/outcomes?filter[outcome]=lost`)
  assert.equal(lost.body.total_count, 1)
})

test('losses of stored objects are found by the filter for losses', async () => {
  const lossy = { ...indicator('Lossy', 'lossy.test'), object_marking_refs: [1] }
  const text = bundle(lossy, indicator('Whole', 'whole.test'), { type: 'nothing' })
  const { file, run } = await processed('lossy.json', text)
  const { body } = await corvus.call('GET', `files/${file.id}/outcomes?filter[has_loss]=true`)
  assert.equal(body.total_count, run.result.lost)
  const all = (await corvus.call('GET', `files/${file.id}/outcomes`)).body.data
  const having = all.filter((each: { outcome: string; details: string[] }) => isLoss(each))
  assert.equal(having.length, run.result.lost)
  assert.deepEqual(having.map(({ outcome }: { outcome: string }) => outcome).toSorted(), ['created', 'lost'])
  const rest = await corvus.call('GET', `files/${file.id}/outcomes?filter[has_loss]=false`)
  assert.equal(rest.body.total_count, all.length - run.result.lost)
})

const isLoss = ({ outcome, details }: { outcome: string; details: string[] }) =>
  outcome === 'lost' || outcome === 'refused' || details.length > 0

test('text becomes a report with extracted observables, except those on exclusion lists', async () => {
  const list = { name: 'Ours', entries: ['*.ours.test'], types: [] }
  assert.equal((await corvus.call('POST', 'exclusion-lists', { data: list })).status, 201)
  const text = 'Seen on www.ours.test.\nIt then called hxxp://evil[.]example[.]org/a from 198.51.100.7.'
  const { file, run } = await processed('note.txt', text)
  assert.deepEqual([run.state, run.result.format], ['SUCCESS', 'text'])
  const values = await valuesOf(file)
  assert.ok(values.includes('uri http://evil.example.org/a') && values.includes('ipv4 198.51.100.7'), String(values))
  assert.ok(!values.some((value) => value.includes('ours.test')), String(values))
  const [id] = await entitiesOf(file)
  const { data } = await fetched(`${BASE}/api/v2/entities/${id}`)
  const extract = data.extracts.find(({ value }: { value: string }) => value === '198.51.100.7')
  assert.match(extract.context, /It then called/)
  const { body } = await corvus.call('GET', `files/${file.id}/outcomes`)
  assert.match(body.data[0].notes[0], /exclusion list 'Ours'/)
})

test('CSV is read with its mapping, and invalid rows are reported by line', async () => {
  const mapping = {
    mappings: [
      { column_name: 'what', vendor_fields: ['title'] },
      { column_name: 'where', vendor_fields: ['observable.domain'] },
    ],
  }
  const made = await corvus.call('POST', 'csv-mappings', { data: { name: 'Table', ...mapping } })
  assert.equal(made.status, 201, JSON.stringify(made.body))
  const text = 'what,where\nFirst,one.test\nSecond,two.test\nThird,three.test,more\n'
  const { file, run } = await processed('table.csv', text, { csv_mapping: String(made.body.data.id) })
  assert.ok(['SUCCESS', 'WARNING'].includes(run.state), run.error_detail)
  assert.deepEqual([run.result.format, run.result.entities], ['csv', { created: 2 }])
  assert.ok(JSON.stringify(await losses(file)).includes('line 4'), JSON.stringify(await losses(file)))
})

test('a broken document stores nothing, and the run reports the error', async () => {
  const count = async () => (await corvus.call('GET', 'entities?data=false')).body.total_count
  const before = await count()
  const good = JSON.stringify(indicator('Good', 'good.test'))
  const faults: [string, RegExp][] = [
    [`{"type": "bundle", "objects": [${`${good},`.repeat(1200)} {"type": "indicator"`, /ends/],
    [`{"type": "bundle", "objects": [${good}, {"a": 1, "a": 2}]}`, /duplicate member/],
    [`{"type": "bundle", "objects": [${good}, "\\ud800"]}`, /surrogate/],
    [`{"type": "bundle", "objects": [${good}, ${'['.repeat(100_000)}]}`, /deep/],
    [
      '<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><stix:STIX_Package xmlns:stix="http://stix.mitre.org/stix-1">&b;</stix:STIX_Package>',
      /DOCTYPE/,
    ],
    ['{"some": "thing else"}', /not in a supported format/],
    [`name,remark\nx,=cmd|' /C calc'!A0\n`, /^line 2: .* is a spreadsheet formula/],
    [`name,remark\nx,${'y'.repeat(5_000_000)}\n`, /exceeds/],
    ['name,remark\nx\ny\nz,1,2\n', /not a table/],
  ]
  for (const [i, [text, reason]] of faults.entries()) {
    const { run } = await processed(`fault-${i}${text.startsWith('name,') ? '.csv' : ''}`, text)
    assert.equal(run.state, 'FAILURE')
    assert.match(run.error_detail, reason)
  }
  assert.equal(await count(), before)
})

test('the documents of an archive are read by their formats, and outcomes name the document', async () => {
  const packed = await zipOf(
    [
      { name: 'a/bundle.json', content: bundle(indicator('Packed', 'packed.test')) },
      { name: 'b.txt', content: 'It called 198.51.100.9.' },
      { name: 'c.png', content: Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex') },
    ],
    { password: 'infected' },
  )
  const { file, run } = await processed('packed.zip', packed, { password: 'infected' })
  const counts = { entities: { created: 2 }, observables: { created: 2 }, parts: { lost: 1 } }
  assert.deepEqual(run.result, { format: 'zip', objects: 3, ...counts, lost: 1 })
  assert.deepEqual(
    (await losses(file)).map(({ place }: { place: string }) => place),
    ['c.png'],
  )
  const other = await processed('other.zip', packed, { password: 'wrong' })
  assert.equal(other.run.state, 'FAILURE')
  assert.match(other.run.error_detail, /password/i)
  const broken = await zipOf([
    { name: 'good.json', content: bundle(indicator('Beside', 'beside.test')) },
    { name: 'bad.json', content: '{"type": "bundle", "objects": [' },
  ])
  const failed = await processed('broken.zip', broken)
  assert.match(failed.run.error_detail, /^bad\.json: /)
  assert.equal((await corvus.call('GET', 'entities?query=data.title:Beside&data=false')).body.total_count, 0)
})

test('a file of unknown format is stored but not imported', async () => {
  const { run } = await processed('picture.png', Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'))
  assert.deepEqual([run.state, run.result], ['SUCCESS', { format: 'unknown', objects: 0 }])
})

test('a file can be imported again, but not by users who may not modify entities', async () => {
  const { file } = await processed('again.json', bundle(indicator('Again', 'again.test')))
  const started = await corvus.call('POST', `files/${file.id}/process`)
  assert.equal(started.status, 202)
  const run = await endOf(new URL(started.body.data.task_run).pathname)
  assert.deepEqual(run.result.entities, { unchanged: 1 })
  const token = await corvus.tokenFor(['read files', 'modify files'])
  const posted = await corvus.call('POST', 'files', { name: 'x.txt', data: 'YQ==' }, token)
  const refused = await endOf(new URL(posted.body.data.run).pathname)
  assert.deepEqual([refused.state, refused.error_detail], ['FAILURE', 'Missing permissions: [modify entities]'])
})

test('kept objects with observables are exported only if observables are', async () => {
  const common = { spec_version: '2.1', created: '2024-01-01T00:00:00.000Z', modified: '2024-01-01T00:00:00.000Z' }
  const seen = { type: 'file', spec_version: '2.1', id: `file--${randomUUID()}`, name: 'kept.exe' }
  const report = {
    ...common,
    type: 'report',
    id: `report--${randomUUID()}`,
    name: 'Kept',
    published: '2024-01-01T00:00:00.000Z',
    object_refs: [seen.id],
  }
  const { file } = await processed('kept.json', bundle(report, seen))
  const typesIn = async (content_configuration: object) => {
    const asked = { entities: await entitiesOf(file), content_type: 'urn:oasis:stix:json:2.1', content_configuration }
    const { objects } = JSON.parse((await exported('entities/export', asked)).document.text)
    return objects.map(({ type }: { type: string }) => type).filter((type: string) => type === 'file')
  }
  assert.deepEqual(await typesIn({}), ['file'])
  assert.deepEqual(await typesIn({ observables: { include: false } }), [])
  assert.deepEqual(await typesIn({ observables: { types: ['domain'] } }), [])
})

test('readers of a shared file get the outcomes of objects that they see, and all refusals', async () => {
  const unseen = (await corvus.blindGroup(`Elsewhere ${randomUUID()}`)).source
  const [open, secret] = [indicator('Open', 'open.bank.test'), indicator('Secret', 'secret.bank.test')]
  const text = bundle(open, secret, { type: 'nothing' })
  const { file, run } = await processed('shared.json', text, { workspaces: '1' })
  await corvus.pool.query(
    `update entities set vis = s.number * 8 from sources as s where s.id = $1 and stix_id like '%' || $2`,
    [unseen.slice(-36), secret.id.slice(-36)],
  )
  const outcomesFor = async (token?: string) => {
    const { body } = await corvus.call('GET', `files/${file.id}/outcomes`, undefined, token)
    return [
      body.total_count,
      body.data.map(({ kind, stix_id }: Record<string, string>) => `${kind} ${stix_id?.slice(-36)}`),
    ]
  }
  const lines = [`entity ${open.id.slice(-36)}`, `entity ${secret.id.slice(-36)}`, 'part undefined']
  assert.deepEqual(await outcomesFor(), [3, lines])
  const colleague = await corvus.tokenFor(['read files', 'read entities', 'read workspaces'])
  assert.deepEqual(await outcomesFor(colleague), [2, [lines[0], lines[2]]])
  const { body } = await corvus.call('GET', `files/${file.id}`, undefined, colleague)
  assert.deepEqual([body.data.status, body.data.result, body.data.reason], [run.state, null, null])
  assert.deepEqual((await corvus.call('GET', `files/${file.id}`)).body.data.result, run.result)
})

test('objects that describe an attack framework are named once for each type', async () => {
  const objects = objectsOf(await shippedContent('ics-attack')).map((object) => ({
    ...object,
    created: '2026-04-28T00:00:00.000Z',
    modified: '2026-04-28T00:00:00.000Z',
  }))
  const text = bundle(...objects)
  const one = (type: string) => `${type}: 1 object was read as an entity. To change the matrix`
  const many = (type: string) => `${type}: 12 objects were read as entities. To change the matrix`
  const packed = await zipOf([{ name: 'ics.json', content: text }])
  for (const [name, bytes] of [
    ['ics.json', text],
    ['ics.zip', packed],
  ] as const) {
    const { file, run } = await processed(name, bytes)
    assert.deepEqual(
      run.result.notes.map((note: string) => note.slice(0, note.indexOf(' of an attack framework'))),
      [one('x-mitre-matrix'), many('x-mitre-tactic')],
    )
    const { body } = await corvus.call('GET', `files/${file.id}/outcomes?limit=1`)
    assert.equal(body.total_count, objects.length - 1, 'all but the marking, which is kept with the rest')
  }
})
