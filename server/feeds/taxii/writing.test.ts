import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { corvus, server } from '../../../test/set-up/exporting.ts'
import { stixObject, TAXII, taxiiOf } from '../../../test/taxii.ts'

const { ask, publish } = taxiiOf(corvus)

/** 2: identifiers are random. */
const UUID_4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

let path: string
let writer: string
before(async () => {
  await corvus.call('POST', 'incoming-feeds', { name: 'Partners', transport_type: 'push' })
  path = `collections/${(await ask('collections/partners/')).body.id}/`
  writer = await corvus.tokenFor(['modify incoming-feeds'])
})

const send = (objects: readonly unknown[], more = {}) =>
  ask(`${path}objects/`, { method: 'POST', token: writer, body: { objects }, ...more })

/** Waits until the status is complete, and returns it. */
async function settled(id: string) {
  for (let tries = 0; tries < 600; tries++) {
    const { status, body } = await ask(`status/${id}/`, { token: writer })
    assert.equal(status, 200, JSON.stringify(body))
    assert.equal(body.success_count + body.failure_count + body.pending_count, body.total_count)
    if (body.status === 'complete') return body
    assert.equal(body.status, 'pending')
    await sleep(50)
  }
  throw new Error('The status stays pending.')
}

test('5.5, 4.3: added objects have a pending status at once, and later a result for each of them', async () => {
  const malware = stixObject('malware', { name: 'Added', is_family: false, modified: '2024-02-01T00:00:00.5Z' })
  const marking = {
    type: 'marking-definition',
    spec_version: '2.1',
    id: `marking-definition--${randomUUID()}`,
    created: '2024-01-01T00:00:00.000Z',
    definition_type: 'statement',
    definition: { statement: 'Ours' },
  }
  const address = { type: 'ipv4-addr', spec_version: '2.1', id: `ipv4-addr--${randomUUID()}`, value: '192.0.2.7' }
  const { status, headers, body } = await send([malware, marking, address])
  assert.deepEqual([status, headers['content-type']], [202, TAXII])
  assert.match(body.id, UUID_4)
  assert.match(body.request_timestamp, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/)
  assert.deepEqual([body.status, body.total_count, body.pending_count], ['pending', 3, 3])
  const done = await settled(body.id)
  assert.deepEqual([done.success_count, done.failure_count, done.pending_count], [3, 0, 0])
  assert.ok(!('failures' in done) && !('pendings' in done), 'empty lists are left out')
  assert.deepEqual(
    done.successes.map(({ id, version }: { id: string; version: string }) => [id, version]),
    [
      [malware.id, malware.modified],
      [marking.id, marking.created],
      [address.id, body.request_timestamp],
    ],
  )
  const { rows } = await corvus.pool.query(
    'select s.type from entities as e join sources as s on s.number = e.vis / 8 where e.stix_id = $1',
    [malware.id],
  )
  assert.equal(rows[0]?.type, 'incoming_feed')
})

test('4.3: objects that could not be added are among the failures, with the reason', async () => {
  const fine = stixObject('tool', { name: 'Fine' })
  const loop = stixObject('relationship', { relationship_type: 'uses', source_ref: fine.id, target_ref: fine.id })
  const bad = { type: 'malware', spec_version: '2.1', id: 'malware--nonsense', name: 'Bad' }
  const { body } = await send([bad, fine, loop])
  const done = await settled(body.id)
  assert.deepEqual([done.total_count, done.success_count, done.failure_count], [3, 1, 2])
  assert.equal(done.successes[0].id, fine.id)
  assert.deepEqual(
    done.failures.map(({ id }: { id: string }) => id),
    [bad.id, loop.id],
  )
  for (const { message } of done.failures) assert.ok(message.length > 0)
})

test('4.3: an older version is a success, in the same envelope as the newer one or after it', async () => {
  const older = stixObject('tool', { name: 'Older' })
  const newer = { ...older, name: 'Newer', modified: '2024-03-01T00:00:00.000Z' }
  const together = await settled((await send([older, newer])).body.id)
  assert.deepEqual([together.success_count, together.failure_count], [2, 0], JSON.stringify(together))
  assert.match(together.successes[0].message, /older version/)
  const later = await settled((await send([{ ...older, modified: '2024-02-01T00:00:00.000Z' }])).body.id)
  assert.deepEqual([later.success_count, later.failure_count], [1, 0], JSON.stringify(later))
  const { rows } = await corvus.pool.query(`select data ->> 'title' as title from entities where stix_id = $1`, [
    older.id,
  ])
  assert.equal(rows[0]?.title, 'Newer')
})

test('4.3: a status is visible only to the user who sent the objects', async () => {
  const { body } = await send([stixObject('tool', { name: 'Mine' })])
  assert.equal((await ask(`status/${body.id}/`, { token: writer })).status, 200)
  assert.equal((await ask(`status/${body.id}/`, { token: corvus.admin })).status, 404)
  assert.equal(
    (await ask(`status/${body.id}/`, { token: await corvus.tokenFor(['modify incoming-feeds']) })).status,
    404,
  )
  for (const id of [randomUUID(), 'x', '%00']) assert.equal((await ask(`status/${id}/`, { token: writer })).status, 404)
})

test('5.5: the same envelope is stored once, and gets a new status each time', async () => {
  const objects = [stixObject('tool', { name: 'Twice' })]
  const first = await send(objects)
  await settled(first.body.id)
  const count = async () => (await corvus.pool.query('select count(*)::integer as n from incoming_blobs')).rows[0].n
  const before = await count()
  const second = await send(objects)
  assert.equal(second.status, 202)
  assert.notEqual(second.body.id, first.body.id)
  assert.equal((await settled(second.body.id)).success_count, 1)
  assert.equal(await count(), before)
  assert.equal((await ask(`status/${first.body.id}/`, { token: writer })).body.status, 'complete')
})

test('4.3: a status disappears with its blob', async () => {
  const objects = [stixObject('tool', { name: 'Purged' })]
  const { body } = await send(objects)
  await settled(body.id)
  await corvus.pool.query(
    `update incoming_blobs set state = 'PURGED', file = null, purged_at = now()
     where id = (select blob from taxii_statuses where id = $1)`,
    [body.id],
  )
  assert.equal((await ask(`status/${body.id}/`, { token: writer })).status, 404)
  const again = await send(objects)
  assert.deepEqual([again.status, again.body.status, again.body.success_count], [202, 'complete', 1], 'it was taken in')
})

test('5.5: an envelope is stored byte for byte', async () => {
  const text = `{ "objects" : [ ${JSON.stringify(stixObject('tool', { name: 'Exact' })).replace('"Exact"', '"Ex\\u0061ct", "x_number": 1.0')} ] }\n`
  const { body } = await ask(`${path}objects/`, { method: 'POST', token: writer, body: text })
  await settled(body.id)
  const { rows } = await corvus.pool.query(
    'select b.sha256 from taxii_statuses as s join incoming_blobs as b on b.id = s.blob where s.id = $1',
    [body.id],
  )
  const chunks: Buffer[] = []
  for await (const chunk of server.blobs.open(rows[0].sha256)) chunks.push(chunk)
  assert.equal(Buffer.concat(chunks).toString(), text)
})

test('5.5: a body of another type is a 415', async () => {
  const cases: [type: string, status: number][] = [
    ['application/taxii+json', 202],
    ['Application/TAXII+json ; Version="2.1"', 202],
    ['application/taxii+json;charset=utf-8;version=2.1', 202],
    ['application/taxii+json;version=2.0', 415],
    ['application/json', 415],
    ['application/stix+json;version=2.1', 415],
    ['application/vnd.oasis.stix+json; version=2.0', 415],
    ['multipart/form-data; boundary=x', 415],
    ['text/plain', 415],
    ['nonsense', 415],
    ['', 415],
  ]
  for (const [type, expected] of cases) {
    const { status, body, headers } = await send([stixObject('tool', { name: type })], {
      headers: { 'content-type': type },
    })
    assert.equal(status, expected, type)
    assert.equal(headers['content-type'], TAXII)
    if (expected === 415) assert.equal(body.http_status, '415')
  }
})

test('5.5: content that is not an envelope with objects is a 422 that says why', async () => {
  const object = JSON.stringify(stixObject())
  for (const body of [
    '',
    '{}',
    '[]',
    'null',
    '"x"',
    '{"objects": []}',
    '{"objects": {}}',
    '{"objects": null}',
    '{"objects": [1]}',
    `{"objects": [${object}, null]}`,
    '{"objects": [{"type": "malware"}]}',
    '{"objects": [{"id": "malware--x"}]}',
    '{"objects": [{"type": "malware", "id": 7}]}',
    '{"objects": [{"type": "malware", "id": "malware--\\u0000"}]}',
    '{"objects": [{"type": "malware", "id": "malware--\\ud800"}]}',
    `{"objects": [${object}`,
    `{"objects": [${object}]} trailing`,
    `{"objects": [${object}], "objects": []}`,
    `{"objects": [${'['.repeat(5000)}${']'.repeat(5000)}]}`,
    '\u0000',
  ]) {
    const answer = await ask(`${path}objects/`, { method: 'POST', token: writer, body })
    assert.deepEqual([answer.status, answer.body.http_status], [422, '422'], body.slice(0, 80))
    assert.equal(answer.headers['content-type'], TAXII)
  }
  const { body } = await send([{ type: 'malware' }, 7])
  assert.deepEqual(body.details.faults, ['objects[0].id: must be a text.', 'objects[1]: must be an object.'])
})

test('5.5: a collection with can_write false is a 403, and an unknown one a 404', async () => {
  const { id } = await publish('To be read')
  const both = await corvus.tokenFor(['modify incoming-feeds', 'read content-blocks'])
  const post = (where: string, token: string) =>
    ask(`collections/${where}/objects/`, { method: 'POST', token, body: { objects: [stixObject()] } })
  assert.equal((await post(id, both)).status, 403)
  assert.equal((await post(id, writer)).status, 404, 'users who may not read it do not see it')
  assert.equal((await post(randomUUID(), writer)).status, 404)
  assert.equal(
    (await ask(`${path}objects/`, { method: 'POST', token: await corvus.tokenFor([]), body: {} })).status,
    403,
  )
})

test('5.7: no collection allows deleting objects: a 403 for an existing collection, otherwise a 404', async () => {
  const { id } = await publish('To be kept')
  const both = await corvus.tokenFor(['modify incoming-feeds', 'read content-blocks'])
  const remove = async (where: string) =>
    (await ask(`collections/${where}/objects/${stixObject().id}/`, { method: 'DELETE', token: both })).status
  assert.deepEqual([await remove(id), await remove('partners'), await remove(randomUUID())], [403, 403, 404])
})
