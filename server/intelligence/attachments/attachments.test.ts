import assert from 'node:assert/strict'
import { randomBytes, randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { BASE } from '../../../test/app.ts'
import { corvus, digest, download, MIB, PATH } from '../../../test/set-up/attachments.ts'
import { startCounting } from '../../../test/set-up/counting.ts'

test('an attachment has the fields of the specification, and its content is write-only', async () => {
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

test('a client may choose the id in any case, and PUT finds the attachment by it', async () => {
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

test('a new attachment needs content', async () => {
  for (const body of [{ filename: 'a' }, { data: {} }]) {
    const made = await corvus.call('POST', PATH, body)
    assert.deepEqual([made.status, made.body[0].detail], [400, 'data: is required'])
  }
  const nothing = await corvus.call('POST', PATH, { data: null })
  assert.deepEqual([nothing.status, nothing.body[0].detail], [400, 'data: must not be null.'])
  const put = await corvus.call('PUT', PATH, [{ data: 'YQ' }, { filename: 'b' }, { id: randomUUID() }])
  assert.deepEqual(
    put.body.map(({ detail }: { detail: string }) => detail),
    ['[1].data: is required', '[2].data: is required'],
  )
})

test('base64 is accepted in every usual form, and nothing else', async () => {
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

test('folders and invisible characters are removed from file names', async () => {
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

test('many attachments take as many statements as few', async () => {
  const { call, statementsOf, stop } = await startCounting()
  const count = async (size: number) => {
    const items = Array.from({ length: size }, () => ({ data: randomBytes(30).toString('base64') }))
    let ids: string[] = []
    const made = await statementsOf(async () => {
      const { status, body } = await call('PUT', PATH, items)
      assert.equal(status, 201)
      ids = body.data.map(({ id }: { id: string }) => id)
    })
    const deleted = await statementsOf(async () => {
      assert.equal((await call('DELETE', PATH, ids)).status, 204)
    })
    return [made, deleted]
  }
  try {
    assert.deepEqual(await count(3), await count(300))
  } finally {
    await stop()
  }
})
