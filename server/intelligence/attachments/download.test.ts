import assert from 'node:assert/strict'
import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { get, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, test } from 'node:test'
import { startApp } from '../../../test/app.ts'
import { until } from '../../../test/until.ts'

const PATH = 'entities/attachments'
const bytes = randomBytes(600 * 1024)
const tag = `"${createHash('sha256').update(bytes).digest('hex')}"`

let corvus: Awaited<ReturnType<typeof startApp>>
let id: string
before(async () => {
  corvus = await startApp()
  id = await upload(bytes)
  await corvus.app.listen({ port: 0, host: '127.0.0.1' })
})
after(() => corvus.stop())

async function upload(content: Buffer, filename = 'a.bin'): Promise<string> {
  const { status, body } = await corvus.call('POST', PATH, { data: content.toString('base64'), filename })
  assert.equal(status, 201, JSON.stringify(body))
  return body.data.id
}

const download = (headers: Record<string, string> = {}, method: 'GET' | 'HEAD' = 'GET', of = id) =>
  corvus.app.inject({
    method,
    url: `/api/v2/${PATH}/${of}/download`,
    headers: { authorization: `Bearer ${corvus.admin}`, ...headers },
  })

/** Starts a download on a separate socket without reading the body. */
async function begin(of: string): Promise<IncomingMessage> {
  const { port } = corvus.app.server.address() as AddressInfo
  const headers = { authorization: `Bearer ${corvus.admin}` }
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    get({ port, path: `/api/v2/${PATH}/${of}/download`, headers, agent: false }, resolve).on('error', reject)
  })
  return answer.pause()
}

test('a download is sent as a file that browsers do not run', async () => {
  const { statusCode, headers, rawPayload } = await download()
  assert.equal(statusCode, 200)
  assert.ok(rawPayload.equals(bytes))
  assert.equal(headers['content-type'], 'application/octet-stream')
  assert.equal(headers['content-length'], String(bytes.length))
  assert.equal(headers['content-disposition'], `attachment; filename="a.bin"; filename*=UTF-8''a.bin`)
  assert.equal(headers['x-content-type-options'], 'nosniff')
  assert.equal(headers['content-security-policy'], "sandbox; default-src 'none'")
  assert.equal(headers.etag, tag)
})

test('pages are served as plain text, images as images', async () => {
  const page = await upload(Buffer.from('<html><script>alert(1)</script></html>'), 'page.html')
  assert.equal(
    (await download({ accept: 'text/html' }, 'GET', page)).headers['content-type'],
    'text/plain; charset=utf-8',
  )
  const image = await upload(Buffer.from('89504e470d0a1a0a00', 'hex'), 'i.html')
  assert.equal((await download({}, 'GET', image)).headers['content-type'], 'image/png')
})

test('a file name is kept in the header, and cannot add another header', async () => {
  for (const [sent, shown] of [
    ['a"\r\nX: y', `attachment; filename="a_X_ y"; filename*=UTF-8''a%22X%3A%20y`],
    ['../../etc/passwd', `attachment; filename="passwd"; filename*=UTF-8''passwd`],
    [
      "Übersicht 'neu' (1).pdf",
      `attachment; filename="_bersicht _neu_ _1_.pdf"; filename*=UTF-8''%C3%9Cbersicht%20%27neu%27%20%281%29.pdf`,
    ],
    ['日本.txt', `attachment; filename="__.txt"; filename*=UTF-8''%E6%97%A5%E6%9C%AC.txt`],
  ] as const) {
    const { statusCode, headers } = await download({}, 'GET', await upload(Buffer.from('x'), sent))
    assert.deepEqual([statusCode, headers['content-disposition'], headers.x], [200, shown, undefined])
  }
  const nameless = await upload(Buffer.from('x'), '')
  const { headers } = await download({}, 'GET', nameless)
  assert.equal(headers['content-disposition'], `attachment; filename="${nameless}"; filename*=UTF-8''${nameless}`)
})

test('HEAD answers the headers of a download and nothing more', async () => {
  const { statusCode, headers, rawPayload } = await download({}, 'HEAD')
  assert.deepEqual([statusCode, headers['content-length'], headers.etag], [200, String(bytes.length), tag])
  assert.equal(rawPayload.length, 0)
})

test('a client that has the content gets a 304', async () => {
  for (const known of [tag, `W/${tag}`, `"x", ${tag}`, '*']) {
    const { statusCode, rawPayload, headers } = await download({ 'if-none-match': known })
    assert.deepEqual([statusCode, rawPayload.length, headers.etag], [304, 0, tag], known)
  }
  assert.equal((await download({ 'if-none-match': '"x"' })).statusCode, 200)
})

test('a part of the content can be asked for, across pieces', async () => {
  const size = bytes.length
  for (const [range, start, end] of [
    ['bytes=0-0', 0, 1],
    ['bytes=262143-262144', 262_143, 262_145],
    ['bytes=1000-524289', 1000, 524_290],
    ['bytes=524288-', 524_288, size],
    ['bytes=-5', size - 5, size],
  ] as const) {
    const { statusCode, headers, rawPayload } = await download({ range })
    assert.equal(statusCode, 206, range)
    assert.ok(rawPayload.equals(bytes.subarray(start, end)), range)
    assert.equal(headers['content-range'], `bytes ${start}-${end - 1}/${size}`)
    assert.equal(headers['content-length'], String(end - start))
  }
  assert.equal((await download({ range: 'bytes=0-1,5-6' })).statusCode, 200)
  assert.equal((await download({ range: 'bytes=0-0', 'if-range': tag })).statusCode, 206)
  assert.equal((await download({ range: 'bytes=0-0', 'if-range': '"other"' })).statusCode, 200)
  const beyond = await download({ range: `bytes=${size}-` })
  assert.deepEqual([beyond.statusCode, beyond.headers['content-range']], [416, `bytes */${size}`])
  assert.deepEqual(Object.keys(beyond.json()[0]), ['status', 'title', 'detail'])
})

test('the private paths lead to the same content', async () => {
  for (const path of ['/private/entity-attachments', '/private/entities/attachments', '/api/v2/entity-attachments']) {
    const answer = await corvus.call('GET', `${path}/${id}/download`)
    assert.deepEqual([answer.status, answer.headers.etag], [200, tag], path)
    assert.equal((await corvus.call('GET', `${path}/${id}/download`, undefined, null)).status, 401)
  }
  const token = await corvus.tokenFor(['modify entities'])
  assert.equal((await corvus.call('GET', `/private/entity-attachments/${id}/download`, undefined, token)).status, 403)
})

test('an unknown attachment is a 404', async () => {
  for (const unknown of [randomUUID(), 'nothing', '1']) {
    assert.equal((await corvus.call('GET', `${PATH}/${unknown}/download`)).status, 404)
  }
})

test('a client that disconnects leaves no database connection behind', async () => {
  const large = await upload(randomBytes(8 * 1024 * 1024))
  for (let i = 0; i < 8; i++) {
    const answer = await begin(large)
    answer.on('error', () => {})
    answer.destroy()
  }
  await until(() => corvus.pool.idleCount === corvus.pool.totalCount, 'a connection is held')
  assert.equal(corvus.pool.waitingCount, 0)
  const whole = await corvus.call('GET', `${PATH}/${large}`)
  assert.equal(whole.body.data.size, 8 * 1024 * 1024)
})

test('a download whose content is deleted meanwhile is aborted', async () => {
  const doomed = await upload(randomBytes(12 * 1024 * 1024))
  const answer = await begin(doomed)
  assert.equal((await corvus.call('DELETE', `${PATH}/${doomed}`)).status, 204)
  await assert.rejects(answer.toArray())
})
