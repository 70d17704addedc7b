import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, test } from 'node:test'
import { startApp } from '../../../test/app.ts'
import { stixObject, TAXII, taxiiOf } from '../../../test/taxii.ts'
import { documentOf } from '../../formats/document.ts'
import { checkEnvelope, MAX_LISTED_OBJECTS } from './envelope.ts'

const MAX_BYTES = 1_000_000

let corvus: Awaited<ReturnType<typeof startApp>>
let path: string
let port: number
before(async () => {
  corvus = await startApp(undefined, { environment: { CORVUS_LARGEST_FILE: String(MAX_BYTES) } })
  await corvus.app.listen({ host: '127.0.0.1', port: 0 })
  port = (corvus.app.server.address() as AddressInfo).port
  await corvus.call('POST', 'incoming-feeds', { name: 'Partners', transport_type: 'push' })
  path = '/taxii2/root/collections/partners/objects/'
})
after(() => corvus.stop())

/** Starts sending an envelope over a real connection. */
const sending = (headers: Record<string, string>) =>
  request({
    host: '127.0.0.1',
    port,
    path,
    method: 'POST',
    agent: false,
    headers: { authorization: `Bearer ${corvus.admin}`, accept: TAXII, 'content-type': TAXII, ...headers },
  })

async function answerTo(sent: ReturnType<typeof sending>): Promise<{ status: number | undefined; body: string }> {
  const [answer] = (await once(sent, 'response')) as [IncomingMessage]
  const body = (await answer.toArray()).join('')
  return { status: answer.statusCode, body }
}

test('4.2, 5.5: max_content_length is reported, and a larger body is a 413 before it is sent', async () => {
  const { body } = await taxiiOf(corvus).ask('/taxii2/root/')
  assert.equal(body.max_content_length, MAX_BYTES)
  const sent = sending({ 'content-length': String(MAX_BYTES + 1) })
  sent.flushHeaders()
  const answer = await answerTo(sent)
  assert.deepEqual([answer.status, JSON.parse(answer.body).http_status], [413, '413'])
  sent.destroy()
})

test('5.5: a client that does not declare a length and sends too much gets a 413', async () => {
  const sent = sending({ 'transfer-encoding': 'chunked' })
  sent.on('error', () => {})
  const answered = answerTo(sent)
  sent.write('{"objects": [')
  for (let i = 0; i < 30; i++) sent.write(' '.repeat(100_000))
  const answer = await answered
  assert.deepEqual([answer.status, JSON.parse(answer.body).http_status], [413, '413'])
  sent.destroy()
})

test('5.5: an envelope that arrives in pieces is accepted, and one that is cut off is not', async () => {
  const text = JSON.stringify({ objects: [stixObject('tool', { name: 'In pieces', description: 'ä'.repeat(1000) })] })
  const bytes = Buffer.from(text)
  const sent = sending({ 'content-length': String(bytes.length) })
  const answered = answerTo(sent)
  for (let at = 0; at < bytes.length; at += 333) sent.write(bytes.subarray(at, at + 333))
  sent.end()
  assert.equal((await answered).status, 202)
  const broken = sending({ 'content-length': String(bytes.length) })
  broken.on('error', () => {})
  broken.write(bytes.subarray(0, 500))
  await new Promise((resolve) => setTimeout(resolve, 100))
  broken.destroy()
  const { rows } = await corvus.pool.query('select count(*)::integer as count from incoming_blobs')
  assert.equal(rows[0].count, 1)
})

test('4.3: the status of a very large envelope only has counts', async () => {
  const envelopeOf = (count: number) =>
    documentOf(JSON.stringify({ objects: Array.from({ length: count }, (_, i) => ({ type: 'x', id: `x--${i}` })) }))
  const few = await checkEnvelope(envelopeOf(MAX_LISTED_OBJECTS))
  assert.deepEqual([few.count, few.objects?.length], [MAX_LISTED_OBJECTS, MAX_LISTED_OBJECTS])
  const many = await checkEnvelope(envelopeOf(MAX_LISTED_OBJECTS + 1))
  assert.deepEqual([many.count, many.objects], [MAX_LISTED_OBJECTS + 1, null])
})

test('4.3: the version of an object is its modified time, otherwise its created time, as stated by the object', async () => {
  const objects = [
    { modified: '2024-02-01T00:00:00Z', created: '2024-01-01T00:00:00Z' },
    { created: '2024-01-01T00:00:00Z' },
    { modified: 'yesterday' },
  ].map((times, i) => ({ type: 'x', id: `x--${i}`, ...times }))
  const checked = await checkEnvelope(documentOf(JSON.stringify({ more: false, objects })))
  assert.deepEqual(
    checked.objects?.map(({ version }) => version),
    ['2024-02-01T00:00:00Z', '2024-01-01T00:00:00Z', null],
  )
})
