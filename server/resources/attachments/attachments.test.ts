import assert from 'node:assert/strict'
import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { BASE, startApp } from '../../../test/app.ts'

const PATH = 'entities/attachments'
const PERMISSIONS = ['read entities', 'modify entities']
const KIB = 1024
const MIB = 1024 * KIB

let corvus: Awaited<ReturnType<typeof startApp>>
before(async () => {
  corvus = await startApp()
})
after(() => corvus.stop())

const digest = (name: string, bytes: Buffer) => createHash(name).update(bytes).digest('hex')

async function download(id: string): Promise<Buffer> {
  const headers = { authorization: `Bearer ${corvus.admin}` }
  const answer = await corvus.app.inject({ url: `/api/v2/${PATH}/${id}/download`, headers })
  assert.equal(answer.statusCode, 200, answer.body.slice(0, 500))
  return answer.rawPayload
}

async function blobs(bytes: Buffer): Promise<{ blobs: number; pieces: number }> {
  const { rows } = await corvus.pool.query(
    `select (select count(*) from blobs where sha256 = $1) as blobs,
      (select count(*) from blob_pieces where sha256 = $1) as pieces`,
    [createHash('sha256').update(bytes).digest()],
  )
  return rows[0]
}

async function makeEntity(): Promise<string> {
  const { status, body } = await corvus.call('POST', 'entities', { data: { data: { type: 'report', title: 'R' } } })
  assert.equal(status, 201, JSON.stringify(body))
  return body.data.id
}

/** Somebody who is in no group, and so sees no entity. */
async function stranger(): Promise<string> {
  const token = await corvus.tokenFor(PERMISSIONS)
  const { body } = await corvus.call('GET', 'users/self', undefined, token)
  for (const url of body.data.groups) {
    const group = String(url).split('?')[0]?.split('/').at(-1)
    assert.equal((await corvus.call('DELETE', `groups/${group}/users/${body.data.id}`)).status, 204)
  }
  return token
}

test('what is uploaded is what is downloaded, whatever its size', async () => {
  for (const size of [0, 1, 256 * KIB - 1, 256 * KIB, 256 * KIB + 1, 3 * MIB]) {
    const bytes = randomBytes(size)
    const made = await corvus.call('POST', PATH, { data: { data: bytes.toString('base64'), filename: 'a.bin' } })
    assert.equal(made.status, 201, JSON.stringify(made.body))
    const { data } = made.body
    assert.ok((await download(data.id)).equals(bytes), `${size} bytes`)
    assert.equal(data.size, size)
    assert.deepEqual(data.hashes, {
      md5: digest('md5', bytes),
      sha1: digest('sha1', bytes),
      sha256: digest('sha256', bytes),
    })
    assert.equal((await blobs(bytes)).pieces, Math.ceil(size / (256 * KIB)))
  }
})

test('an attachment has the fields of the specification, and its content only goes in', async () => {
  const { body } = await corvus.call('POST', PATH, { data: 'aGVsbG8=', filename: 'a.txt', meta: { a: 1 }, size: 9 })
  const { id, created_at, last_updated_at, created_by, last_updated_by, hashes, ...rest } = body.data
  assert.deepEqual(rest, {
    filename: 'a.txt',
    entities: [],
    meta: { a: 1 },
    download_url: `${BASE}/api/v2/${PATH}/${id}/download`,
    size: 5,
    content_type: 'text/plain',
  })
  assert.ok(created_at && last_updated_at && created_by && last_updated_by && hashes)
  const read = await corvus.call('GET', `${PATH}/${id}`)
  assert.deepEqual(read.body, body)
  const listed = await corvus.call('GET', `${PATH}?filter[id]=${id}&attributes=download_url,size`)
  assert.deepEqual(listed.body.data, [{ download_url: body.data.download_url, size: 5 }])
})

test('attachments are found by hash, size, name and address', async () => {
  const bytes = randomBytes(100)
  const name = randomUUID()
  const { body } = await corvus.call('POST', PATH, { data: bytes.toString('base64'), filename: name })
  for (const filter of [
    `filter[hashes.md5]=${digest('md5', bytes)}`,
    `filter[hashes.sha1]=${digest('sha1', bytes).toUpperCase()}`,
    `filter[hashes.sha256]=${digest('sha256', bytes)}`,
    `filter[filename]=${name}&filter[size]=100&filter[>size]=99`,
    `filter[download_url]=${body.data.download_url}`,
  ]) {
    const found = await corvus.call('GET', `${PATH}?${filter}`)
    assert.deepEqual(
      found.body.data.map(({ id }: { id: string }) => id),
      [body.data.id],
      filter,
    )
  }
  assert.equal((await corvus.call('GET', `${PATH}?filter[hashes.md5]=xyz`)).status, 400)
  assert.equal((await corvus.call('GET', `${PATH}?sort=-size,filename`)).status, 200)
  assert.equal((await corvus.call('GET', `${PATH}?filter[data]=x`)).status, 400)
})

test('a body is read wrapped and bare, alone and in a list', async () => {
  const data = 'YQ'
  for (const body of [{ data }, { data: { data } }, { data: { data, type: 'file' } }]) {
    assert.equal((await corvus.call('POST', PATH, body)).status, 201, JSON.stringify(body))
    const put = await corvus.call('PUT', PATH, body)
    assert.deepEqual([put.status, put.body.data.size], [201, 1], JSON.stringify(body))
  }
  for (const body of [[{ data }, { data: 'YWE' }], { data: [{ data }, { data: 'YWE' }] }]) {
    const put = await corvus.call('PUT', PATH, body)
    assert.equal(put.status, 201, JSON.stringify(put.body))
    assert.deepEqual(
      put.body.data.map(({ size }: { size: number }) => size),
      [1, 2],
    )
  }
})

test('a client may choose the id, in whatever case, and PUT finds the attachment by it', async () => {
  const id = randomUUID()
  const made = await corvus.call('PUT', PATH, [{ id: id.toUpperCase(), data: 'YQ==', filename: 'a' }])
  assert.deepEqual([made.status, made.body.data[0].id], [201, id])
  const again = await corvus.call('PUT', PATH, [{ id, filename: 'b' }])
  assert.deepEqual([again.status, again.body.data[0].filename, again.body.data[0].size], [200, 'b', 1])
  assert.equal((await corvus.call('POST', PATH, { id, data: 'YQ==' })).status, 409)
  const changed = await corvus.call('PATCH', `${PATH}/${id}`, { data: { meta: { x: 1 } } })
  assert.deepEqual([changed.status, changed.body.data.meta, changed.body.data.filename], [200, { x: 1 }, 'b'])
  assert.equal((await corvus.call('PATCH', `${PATH}/${id}`, { data: {} })).status, 200)
  assert.equal((await download(id)).toString(), 'a')
})

test('content can be replaced, and what nobody has any more is gone', async () => {
  const [first, second, third] = [randomBytes(10), randomBytes(300 * KIB), randomBytes(20)]
  const { body } = await corvus.call('POST', PATH, { data: first.toString('base64') })
  const { id } = body.data
  const patched = await corvus.call('PATCH', `${PATH}/${id}`, { data: second.toString('base64') })
  assert.deepEqual([patched.status, patched.body.data.size], [200, 300 * KIB])
  assert.ok((await download(id)).equals(second))
  assert.deepEqual(await blobs(first), { blobs: 0, pieces: 0 })
  await corvus.call('PUT', PATH, { data: { id, data: third.toString('base64') } })
  assert.ok((await download(id)).equals(third))
  assert.deepEqual(await blobs(second), { blobs: 0, pieces: 0 })
})

test('a new attachment needs content', async () => {
  for (const body of [{ filename: 'a' }, { data: null }, { data: {} }]) {
    const made = await corvus.call('POST', PATH, body)
    assert.deepEqual([made.status, made.body[0].detail], [400, 'data: is required'])
  }
  const put = await corvus.call('PUT', PATH, [{ data: 'YQ' }, { filename: 'b' }, { id: randomUUID() }])
  assert.deepEqual(
    put.body.map(({ detail }: { detail: string }) => detail),
    ['[1].data: is required', '[2].data: is required'],
  )
})

test('base64 is taken in every usual form, and nothing else is', async () => {
  const bytes = Buffer.from('fbff00fe', 'hex')
  for (const data of ['+/8A/g==', '-_8A_g==', '-_8A_g', '+/8A\r\n /g==\n']) {
    const { status, body } = await corvus.call('POST', PATH, { data })
    assert.equal(status, 201, data)
    assert.ok((await download(body.data.id)).equals(bytes), data)
  }
  for (const data of [
    'a',
    'abcde',
    'YQ=',
    'YQ===',
    'Y=Q=',
    'YWE==',
    '=',
    'data:text/plain;base64,YQ==',
    'Zm9v!',
    'é',
  ]) {
    const { status, body } = await corvus.call('POST', PATH, { data: { data } })
    assert.equal(status, 400, data)
    assert.match(body[0].detail, /^data\.data: must be base64: /, data)
  }
  for (const data of [1, true, ['YQ==']]) {
    const { status, body } = await corvus.call('POST', PATH, { data: { data } })
    assert.deepEqual([status, body[0].detail.split(':')[0]], [400, 'data.data'])
  }
})

test('content beyond 40 MiB is a 413 in the error shape', async () => {
  const data = Buffer.alloc(40 * MIB + 1).toString('base64')
  const { status, body } = await corvus.call('POST', PATH, { data })
  assert.equal(status, 413)
  assert.deepEqual(body, [
    { status: 413, title: 'Content Too Large', detail: 'data: must be at most 41943040 bytes, not 41943041.' },
  ])
})

test('the same content is stored once, and stays until its last attachment is deleted', async () => {
  const bytes = randomBytes(300 * KIB)
  const item = { data: bytes.toString('base64') }
  const { body } = await corvus.call('PUT', PATH, [item, item])
  const [first, second] = body.data.map(({ id }: { id: string }) => id)
  assert.deepEqual(await blobs(bytes), { blobs: 1, pieces: 2 })
  assert.equal((await corvus.call('DELETE', `${PATH}/${first}`)).status, 204)
  assert.ok((await download(second)).equals(bytes))
  assert.equal((await corvus.call('DELETE', PATH, [second])).status, 204)
  assert.deepEqual(await blobs(bytes), { blobs: 0, pieces: 0 })
})

test('uploads of the same content at the same time give one blob and no error', async () => {
  const bytes = randomBytes(600 * KIB)
  const item = { data: bytes.toString('base64') }
  const answers = await Promise.all(Array.from({ length: 12 }, () => corvus.call('POST', PATH, item)))
  assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([201]))
  assert.deepEqual(await blobs(bytes), { blobs: 1, pieces: 3 })
})

test('PUTs of the same id at the same time leave the content of one of them, and no other', async () => {
  const id = randomUUID()
  const contents = Array.from({ length: 8 }, () => randomBytes(50))
  const answers = await Promise.all(
    contents.map((bytes) => corvus.call('PUT', PATH, [{ id, data: bytes.toString('base64') }])),
  )
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 200, 200, 200, 200, 200, 200, 201])
  const counts = await Promise.all(contents.map(blobs))
  assert.equal(
    counts.reduce((sum, count) => sum + count.blobs, 0),
    1,
  )
})

test('content survives when its last attachment is deleted while somebody uploads it again', async () => {
  const bytes = randomBytes(300 * KIB)
  const item = { data: bytes.toString('base64') }
  let { id } = (await corvus.call('POST', PATH, item)).body.data
  for (let round = 0; round < 15; round++) {
    const [gone, made] = await Promise.all([corvus.call('DELETE', `${PATH}/${id}`), corvus.call('POST', PATH, item)])
    assert.deepEqual([gone.status, made.status], [204, 201], JSON.stringify([gone.body, made.body]))
    id = made.body.data.id
    assert.ok((await download(id)).equals(bytes), `round ${round}`)
  }
})

test('a bulk delete with an unknown id deletes neither attachment nor content', async () => {
  const bytes = randomBytes(10)
  const { body } = await corvus.call('POST', PATH, { data: bytes.toString('base64') })
  assert.equal((await corvus.call('DELETE', PATH, [body.data.id, randomUUID()])).status, 404)
  assert.ok((await download(body.data.id)).equals(bytes))
})

test('a name of a file loses its folders and what cannot be seen', async () => {
  for (const [sent, kept] of [
    ['a"\r\nX: y', 'a"X: y'],
    ['../../etc/passwd', 'passwd'],
    ['C:\\Users\\me\\report.pdf', 'report.pdf'],
    ['..', ''],
    ['evil\u202Etxt.exe', 'eviltxt.exe'],
    ['bericht-ü-日本-🦅.txt', 'bericht-ü-日本-🦅.txt'],
    ['\ud800.txt', '\ufffd.txt'],
    [null, ''],
    [`${'d/'.repeat(300)}x`, 'x'],
  ]) {
    const { status, body } = await corvus.call('POST', PATH, { data: 'YQ', filename: sent })
    assert.deepEqual([status, body.data?.filename], [201, kept], JSON.stringify(body))
  }
  const long = await corvus.call('POST', PATH, { data: { data: 'YQ', filename: 'x'.repeat(256) } })
  assert.deepEqual([long.status, long.body[0].detail], [400, 'data.filename: must have at most 255 characters'])
})

test('attachments and entities name each other', async () => {
  const entity = await makeEntity()
  const { body } = await corvus.call('POST', PATH, { data: 'YQ', entities: [entity] })
  const { id } = body.data
  const url = `${BASE}/api/v2/${PATH}/${id}`
  assert.deepEqual(body.data.entities, [`${BASE}/api/v2/entities/${entity}`])
  assert.deepEqual((await corvus.call('GET', `entities/${entity}`)).body.data.attachments, [url])
  assert.deepEqual((await corvus.call('GET', `entities/${entity}/attachments`)).body.data, [url])
  assert.equal((await corvus.call('GET', `entities/${entity}/attachments/${id}`)).status, 200)
  assert.equal((await corvus.call('GET', `${PATH}?filter[entities]=${entity}`)).body.total_count, 1)
  assert.equal((await corvus.call('DELETE', `entities/${entity}/attachments/${id}`)).status, 204)
  assert.deepEqual((await corvus.call('GET', `${PATH}/${id}`)).body.data.entities, [])
  assert.equal((await corvus.call('PUT', `entities/${entity}/attachments`, { data: [url] })).status, 200)
  assert.equal((await corvus.call('GET', `${PATH}/${id}`)).body.data.entities.length, 1)
  const bad = await corvus.call('PATCH', `${PATH}/${id}`, { entities: [randomUUID()] })
  assert.equal(bad.status, 400)
  assert.match(bad.body[0].detail, /^entities: there is no /)
})

test('an entity that gets or loses an attachment has changed', async () => {
  const [entity, other] = [await makeEntity(), await makeEntity()]
  const changes = async () => {
    const { rows } = await sql<{ count: number }>`
      select count(*) as count from changes
      where resource = 'entities' and kind = 'update' and ids && ${[entity]}::text[]`.execute(corvus.db)
    const { body } = await corvus.call('GET', `entities/${entity}`)
    return { count: rows[0]?.count ?? 0, time: body.data.last_updated_at }
  }
  const start = await changes()
  const { body } = await corvus.call('POST', PATH, { data: 'YQ', entities: [entity] })
  const { id } = body.data
  const made = await changes()
  assert.equal(made.count, start.count + 1)
  assert.ok(made.time > start.time)
  await corvus.call('PATCH', `${PATH}/${id}`, { filename: 'x', entities: [entity, other] })
  assert.deepEqual(await changes(), made)
  await corvus.call('PUT', PATH, [{ id, entities: [other] }])
  assert.equal((await changes()).count, start.count + 2)
  await corvus.call('PUT', PATH, [{ id, entities: [entity] }])
  await corvus.call('DELETE', `${PATH}/${id}`)
  assert.equal((await changes()).count, start.count + 4)
})

test('an attachment is seen by its creator, and by who sees an entity that it belongs to', async () => {
  const outsider = await stranger()
  const colleague = await corvus.tokenFor(PERMISSIONS)
  const entity = await makeEntity()
  const { id } = (await corvus.call('POST', PATH, { data: 'YQ', filename: 'secret' })).body.data
  const meet = async (token: string) => {
    const listed = await corvus.call('GET', `${PATH}?filter[filename]=secret`, undefined, token)
    const counted = await corvus.call('GET', `${PATH}?filter[filename]=secret&data=false`, undefined, token)
    const got = await corvus.call('GET', `${PATH}/${id}`, undefined, token)
    const loaded = await corvus.call('GET', `${PATH}/${id}/download`, undefined, token)
    return [listed.body.total_count, counted.body.total_count, got.status, loaded.status]
  }
  assert.deepEqual(await meet(corvus.admin), [1, 1, 200, 200])
  assert.deepEqual(await meet(colleague), [0, 0, 404, 404])
  await corvus.call('PATCH', `${PATH}/${id}`, { entities: [entity] })
  assert.deepEqual(await meet(colleague), [1, 1, 200, 200])
  assert.deepEqual(await meet(outsider), [0, 0, 404, 404])
  for (const [method, path, body, status] of [
    ['PATCH', `${PATH}/${id}`, { filename: 'x' }, 404],
    ['DELETE', `${PATH}/${id}`, undefined, 404],
    ['DELETE', PATH, [id], 404],
    ['PUT', PATH, [{ id, filename: 'x' }], 409],
    ['POST', PATH, { data: 'YQ', entities: [entity] }, 400],
    ['POST', 'entities', { data: { data: { type: 'report', title: 'R' }, attachments: [id] } }, 400],
  ] as const) {
    const answer = await corvus.call(method, path, body, outsider)
    assert.equal(answer.status, status, `${method} ${path} ${JSON.stringify(answer.body)}`)
  }
  assert.deepEqual(await meet(corvus.admin), [1, 1, 200, 200])
})

test('nobody can make an attachment vanish from their own sight by a change', async () => {
  const colleague = await corvus.tokenFor(PERMISSIONS)
  const entity = await makeEntity()
  const { id } = (await corvus.call('POST', PATH, { data: 'YQ', entities: [entity] })).body.data
  assert.equal((await corvus.call('PATCH', `${PATH}/${id}`, { entities: [] }, colleague)).status, 409)
  assert.equal((await corvus.call('PATCH', `${PATH}/${id}`, { entities: null }, colleague)).status, 409)
  assert.equal((await corvus.call('PUT', PATH, [{ id, entities: [] }], colleague)).status, 409)
  assert.equal((await corvus.call('PATCH', `${PATH}/${id}`, { entities: [] })).status, 200)
})

test('an attachment stays when its entity is deleted', async () => {
  const entity = await makeEntity()
  const { id } = (await corvus.call('POST', PATH, { data: 'YQ', entities: [entity] })).body.data
  assert.equal((await corvus.call('DELETE', `entities/${entity}`)).status, 204)
  assert.deepEqual((await corvus.call('GET', `${PATH}/${id}`)).body.data.entities, [])
})

test('many attachments take as many statements as few', async () => {
  const statements: string[] = []
  const watched = await startApp((statement) => {
    if (!/\b(tokens|sessions)\b/.test(statement)) statements.push(statement)
  })
  const count = async (size: number) => {
    const items = Array.from({ length: size }, () => ({ data: randomBytes(30).toString('base64') }))
    statements.length = 0
    const { status, body } = await watched.call('PUT', PATH, items)
    assert.equal(status, 201)
    const put = statements.length
    statements.length = 0
    const ids = body.data.map(({ id }: { id: string }) => id)
    assert.equal((await watched.call('DELETE', PATH, ids)).status, 204)
    return [put, statements.length]
  }
  try {
    assert.deepEqual(await count(3), await count(300))
  } finally {
    await watched.stop()
  }
})
