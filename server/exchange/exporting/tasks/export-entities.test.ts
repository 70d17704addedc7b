import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { before, test } from 'node:test'
import { createMessage, readKey, readSignature, verify } from 'openpgp'
import { BASE } from '../../../../test/app.ts'
import { corvus, endOf, exported, fetchBytes, type Item, put, server } from '../../../../test/set-up/exporting.ts'
import { resourceMap } from '../../../registry.ts'
import { taskTypes } from '../../../tasks.ts'
import { exportEntities } from './export-entities.ts'

const EXTRACT = 'entities/extract-csv'
const BY_QUERY = 'entities/by-query/export'

const report = (title: string, more: Item = {}) => ({ data: { type: 'report', title }, ...more })
let wrens: Item[]
before(async () => {
  wrens = await put('entities', [
    report('wren one', {
      meta: { tags: ['x', 'y'], tlp_color: 'RED' },
      observables: [{ type: 'ipv4', value: '192.0.2.1' }],
    }),
    report('wren two, =1+1', { meta: { tags: ['=cmd'] } }),
  ])
})

test('chosen fields of the entities that a query finds can be downloaded as CSV', async () => {
  const include_fields = ['data.title', 'meta.tags', 'observables', 'id', 'data.type']
  const { run, block, document } = await exported(EXTRACT, { entities_query: 'data.title:wren', include_fields })
  assert.deepEqual([run.state, run.progress], ['SUCCESS', 1])
  const [one, two] = wrens
  assert.equal(
    document.text,
    [
      'data.title,meta.tags,observables,id,data.type',
      `wren one,x;y,ipv4:192.0.2.1,${one?.id},report`,
      `"wren two, =1+1",'=cmd,,${two?.id},report`,
      '',
    ].join('\r\n'),
  )
  const sha256 = createHash('sha256').update(document.bytes).digest('hex')
  const { id, created_at, filename, ...rest } = block
  assert.match(filename, /^corvus-\d{8}-\d{6}\.csv$/)
  assert.deepEqual(rest, {
    content_type: 'urn:eclecticiq.com:csv-fields:1.0',
    run_id: run.id,
    size: document.bytes.length,
    sha256,
    items_count: 2,
    losses_count: 0,
    is_signed: false,
    download_url: `${BASE}/api/v2/export-blocks/${id}/download`,
    signature_url: null,
    losses_url: `${BASE}/api/v2/export-blocks/${id}/losses`,
    created_by: rest.created_by,
  })
  assert.deepEqual(run.result, {
    export_block: `${BASE}/api/v2/export-blocks/${id}`,
    filename,
    size: document.bytes.length,
    entities: 2,
    losses: 0,
  })
  assert.deepEqual(run.log, [
    'Found 2 entities.',
    `Wrote 2 entities and 0 relationships: ${document.bytes.length} bytes.`,
  ])
  assert.equal(document.headers['content-type'], 'text/csv; charset=utf-8; header=present')
  assert.equal(document.headers.etag, `"${sha256}"`)
  assert.match(String(document.headers['content-disposition']), /^attachment; filename="corvus-/)
  assert.equal(document.headers['x-content-type-options'], 'nosniff')
  assert.equal(created_at.length, 32)
  const part = await fetchBytes(block.download_url, corvus.admin, { range: 'bytes=5-9' })
  assert.deepEqual([part.status, part.text], [206, document.text.slice(5, 10)])
  assert.equal((await fetchBytes(block.download_url, corvus.admin, { 'if-none-match': `"${sha256}"` })).status, 304)
  assert.equal((await fetchBytes(block.losses_url)).text, '')
  assert.equal((await fetchBytes(`${BASE}/api/v2/export-blocks/${id}/signature`)).status, 404)
})

test('listed entities and those of datasets are exported once each', async () => {
  const [robin, other] = await put('entities', [report('robin'), report('robin two')])
  const dataset = await corvus.call('POST', 'datasets', {
    name: 'Robins',
    workspaces: [1],
    entities: [robin.id, other.id],
  })
  const include_fields = ['data.title']
  const named = [`${BASE}/api/v2/entities/${robin.id}`, wrens[0]?.id]
  const lines = async (body: Item) =>
    (await exported(EXTRACT, { include_fields, ...body })).document.text.split('\r\n').slice(1, -1)
  assert.deepEqual(await lines({ entities: named }), ['wren one', 'robin'])
  assert.deepEqual(await lines({ entities: named, datasets: [dataset.body.data.id] }), [
    'wren one',
    'robin',
    'robin two',
  ])
  assert.deepEqual(await lines({ entities: named, entities_query: 'data.title:wren' }), ['wren one'])
  assert.ok((await lines({})).length >= 4)
})

test('a dry run counts what would be exported with the configuration', async () => {
  const ask = async (body: Item) =>
    (
      await corvus.call('POST', BY_QUERY, {
        data: { entities_query: 'data.title:wren', content_type: 'urn:vendor:json:3.2', dry_run: true, ...body },
      })
    ).body
  assert.deepEqual(await ask({}), { data: { count: 2 } })
  assert.deepEqual(await ask({ content_configuration: { tlp_color_filter: 'AMBER' } }), { data: { count: 1 } })
})

test('invalid exports are refused with their location, before a run exists', async () => {
  const refused = async (path: string, body: Item) => {
    const { status, body: faults } = await corvus.call('POST', path, { data: body })
    return [status, ...faults.map(({ detail }: { detail: string }) => detail.slice(0, 90))]
  }
  const type = { content_type: 'urn:oasis:stix:json:2.1' }
  assert.deepEqual(await refused(BY_QUERY, type), [
    400,
    'entities_query: is required, unless there is a relational_query',
  ])
  assert.deepEqual(await refused('entities/export', type), [400, 'entities: is required, unless there are datasets'])
  assert.deepEqual(await refused(BY_QUERY, { entities_query: '*' }), [400, 'data.content_type: is required'])
  const [status, fault] = await refused(BY_QUERY, { entities_query: '*', content_type: 'urn:x:json:9' })
  assert.equal(status, 400)
  assert.match(String(fault), /^data\.content_type: must be one of urn:oasis:stix:json:2\.1, urn:stix/)
  const configuration = {
    relationships: 'some',
    observables: { types: ['nonsense'], maliciousness: 'very' },
    tlp_color_filter: 'PINK',
  }
  const faults = await refused(BY_QUERY, { ...type, entities_query: '*', content_configuration: configuration })
  assert.deepEqual(
    faults.map((each) => String(each).split(':')[0]),
    [
      '400',
      'data.content_configuration.relationships',
      'data.content_configuration.observables.types[0]',
      'data.content_configuration.observables.maliciousness',
      'data.content_configuration.tlp_color_filter',
    ],
  )
  const unknown = '00000000-0000-7000-8000-000000000000'
  assert.deepEqual(
    await refused('entities/export', { ...type, entities: [unknown, wrens[0]?.id], datasets: [99_999] }),
    [400, `entities[0]: there is no '${unknown}' in entities`, "datasets[0]: there is no '99999' in datasets"],
  )
  const fields = await refused(EXTRACT, { include_fields: ['data.title', 'data.titel', 'nonsense'] })
  assert.deepEqual(fields.slice(0, 3), [
    400,
    "include_fields[1]: 'data.titel' is not a field of entities",
    "include_fields[2]: 'nonsense' is not a field of entities",
  ])
  assert.match(String(fields[3]), /^include_fields: the fields are: attachments, created_at, data\./)
})

test('exporting observables needs the permission to read them, unless they are left out', async () => {
  const token = await corvus.tokenFor(['read entities', 'modify entities'])
  const body = { include_fields: ['data.title'], entities_query: 'data.title:wren' }
  const refused = await corvus.call('POST', EXTRACT, { data: body }, token)
  assert.deepEqual([refused.status, refused.body[0].detail], [403, 'Missing permissions: [read extracts]'])
  const without = { ...body, content_configuration: { observables: { include: false } } }
  assert.equal((await corvus.call('POST', EXTRACT, { data: { ...without } }, token)).status, 202)
})

test('only the user who requested a block can see and delete it', async () => {
  const { block } = await exported(EXTRACT, { include_fields: ['id'], entities_query: 'data.title:wren' })
  const other = await corvus.tokenFor(['read entities', 'read extracts'])
  const path = `export-blocks/${block.id}`
  for (const [method, below] of [
    ['GET', ''],
    ['GET', '/download'],
    ['GET', '/losses'],
    ['GET', '/signature'],
    ['DELETE', ''],
  ] as const) {
    assert.equal((await corvus.call(method, `${path}${below}`, undefined, other)).status, 404)
  }
  assert.equal((await corvus.call('GET', 'export-blocks', undefined, other)).body.total_count, 0)
  const listed = await corvus.call('GET', `export_blocks?filter[run_id]=${block.run_id}`)
  assert.deepEqual(listed.body.data, [block])
  assert.equal((await corvus.call('DELETE', path)).status, 204)
  assert.equal((await corvus.call('GET', path)).status, 404)
})

test('a document is signed with the key of the installation, and refused if there is none', async () => {
  const body = { include_fields: ['data.title'], entities_query: 'data.title:wren', sign: true }
  const refused = await corvus.call('POST', EXTRACT, { data: body })
  assert.deepEqual([refused.status, refused.body[0].title], [409, 'Conflict'])
  const key = await corvus.call('POST', 'configurations/private-key/generate', {
    data: { name: 'T', email: 't@example.org' },
  })
  const { block, document } = await exported(EXTRACT, body)
  assert.equal(block.is_signed, true)
  const signature = await fetchBytes(block.signature_url)
  assert.equal(signature.headers['content-type'], 'application/pgp-signature')
  const check = async (binary: Buffer) => {
    const { signatures } = await verify({
      message: await createMessage({ binary: new Uint8Array(binary) }),
      signature: await readSignature({ armoredSignature: signature.text }),
      verificationKeys: await readKey({ armoredKey: key.body.data.public_key }),
    })
    return signatures[0]?.verified
  }
  assert.equal(await check(document.bytes), true)
  await assert.rejects(check(Buffer.concat([document.bytes, Buffer.from('x')])))
})

/** A run as a worker would create it. */
function jobOf(
  id: string,
  callerId: number,
  parameters: Item,
  onLog: (line: string, stop: AbortController) => void = () => {},
) {
  const controller = new AbortController()
  return {
    ...server,
    resources: resourceMap,
    taskTypes,
    id,
    attempt: 1,
    callerId,
    parameters: exportEntities.parameters.parse({
      content_type: 'urn:eclecticiq.com:csv-fields:1.0',
      include_fields: ['data.title'],
      base_url: BASE,
      ...parameters,
    }),
    signal: controller.signal,
    progress: () => {},
    log: (line: string) => onLog(line, controller),
  }
}

test('a repeated run leaves one block, and a stopped run leaves none', async () => {
  const { id: user } = (await corvus.call('GET', 'users/self')).body.data
  const run = '0190a0a0-0000-7000-8000-000000000001'
  const query = { entities_query: 'data.title:wren' }
  const stopped = jobOf(run, user, query, (_, controller) => controller.abort(new Error('Enough.')))
  await assert.rejects(exportEntities.run(stopped), /Enough/)
  const blocks = async () => (await corvus.call('GET', `export-blocks?filter[run_id]=${run}`)).body.data
  assert.deepEqual(await blocks(), [])
  const first = await exportEntities.run(jobOf(run, user, query))
  const again = await exportEntities.run(jobOf(run, user, query))
  assert.deepEqual(again, first)
  assert.equal((await blocks()).length, 1)
})

test('an export is consistent, whatever is written while it runs', async () => {
  const { id: user } = (await corvus.call('GET', 'users/self')).body.data
  const [dipper] = await put('entities', [report('dipper before'), report('dipper too')])
  const id = '0190a0a0-0000-7000-8000-000000000002'
  const { receive } = server.blobs
  const blobs: typeof server.blobs = {
    ...server.blobs,
    // The first piece of the document is requested after the snapshot has been taken.
    receive: async (content, mostBytes) => {
      await put('entities', [{ data: { ...dipper.data, title: 'dipper after' } }, report('dipper late')])
      return receive(content, mostBytes)
    },
  }
  await exportEntities.run({ ...jobOf(id, user, { entities_query: 'data.title:dipper' }), blobs })
  const [block] = (await corvus.call('GET', `export-blocks?filter[run_id]=${id}`)).body.data
  assert.equal((await fetchBytes(block.download_url)).text, 'data.title\r\ndipper before\r\ndipper too\r\n')
})

test('an export contains only what its caller sees', async () => {
  const group = await corvus.blindGroup('Apart')
  await put('entities', [report('nuthatch'), { ...report('nuthatch hidden'), sources: [group.source] }])
  const { document } = await exported(EXTRACT, {
    entities_query: 'data.title:nuthatch',
    include_fields: ['data.title'],
  })
  assert.equal(document.text, 'data.title\r\nnuthatch\r\n')
})

test('a run with unknown fields fails without another attempt', async () => {
  const { data } = (await corvus.call('GET', 'tasks?filter[type]=export-entities')).body
  const parameters = { content_type: 'urn:eclecticiq.com:csv-fields:1.0', include_fields: ['nonsense'] }
  const { body } = await corvus.call('POST', 'tasks/runs', { task: data[0].id, parameters })
  const run = await endOf(`/api/v2/tasks/runs/${body.data.id}`)
  assert.deepEqual([run.state, run.attempt], ['FAILURE', 1])
  assert.match(run.error_detail, /include_fields\[0\]: 'nonsense' is not a field/)
})
