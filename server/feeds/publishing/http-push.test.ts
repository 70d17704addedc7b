import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { test } from 'node:test'
import { carryingOf, outbound, parcelOf, receiverOfTests } from '../../../test/set-up/parcels.ts'
import { openOutbound } from '../../ports/outbound.ts'
import { TransportError } from '../collecting/collector.ts'
import { OUTGOING_TRANSPORTS } from '../transports/transports.ts'
import { pushByHttp } from './http-push.ts'

const CONTENT = 'type,value\r\nipv4,8.8.8.8\r\n'
const SECRET = 'correct-horse-battery'

const receiver = await receiverOfTests()

const configured = (rest: object = {}) =>
  carryingOf(
    OUTGOING_TRANSPORTS['eiq.outgoing-transports.http-push'].configuration.parse({
      url: receiver.url,
      token: SECRET,
      timeout_seconds: 20,
      ...rest,
    }),
  )

/** The error of a push, which never contains a secret. */
async function faultOf(push: Promise<void>): Promise<TransportError> {
  const fault = await push.then(
    () => assert.fail('it went well'),
    (error) => error,
  )
  assert.ok(fault instanceof TransportError, String(fault))
  assert.ok(!JSON.stringify([fault.message, fault.stack, String(fault.cause)]).includes(SECRET))
  return fault
}

test('a block arrives unmodified, with its media type, length, hash, feed and id', async () => {
  await pushByHttp(parcelOf(CONTENT), configured())
  const [request] = receiver.got
  assert.ok(request)
  const {
    host: _,
    connection: _connection,
    'user-agent': _agent,
    'accept-encoding': _encoding,
    ...sent
  } = request.headers
  const hash = createHash('sha256').update(CONTENT).digest('base64')
  assert.deepEqual([request.method, request.body.toString()], ['POST', CONTENT])
  assert.deepEqual(sent, {
    authorization: `Bearer ${SECRET}`,
    'content-type': 'text/csv; charset=utf-8; header=present',
    'content-length': '26',
    'content-disposition': `attachment; filename="bad addresses ___.csv"; filename*=UTF-8''bad%20addresses%20%22%C3%A9%22.csv`,
    'content-digest': `sha-256=:${hash}:`,
    digest: `SHA-256=${hash}`,
    'x-corvus-feed': '3',
    'x-corvus-block': '7',
    'x-corvus-content-type': 'urn:eclecticiq.com:csv-extracts:1.0',
    'x-corvus-items': '2',
  })
})

test('PUT, Basic, an API key, headers and a signature are sent if configured', async () => {
  const signature = '-----BEGIN PGP SIGNATURE-----\n\nabc\n-----END PGP SIGNATURE-----\n'
  const rest = {
    token: null,
    method: 'PUT',
    username: 'ada',
    password: SECRET,
    api_key: 'k',
    headers: { 'X-Team': 'blue' },
  }
  await pushByHttp(parcelOf('', { signature }), configured(rest))
  const [request] = receiver.got
  assert.ok(request)
  const { headers } = request
  assert.equal(headers.authorization, `Basic ${Buffer.from(`ada:${SECRET}`).toString('base64')}`)
  assert.deepEqual([request.method, headers['x-api-key'], headers['x-team']], ['PUT', 'k', 'blue'])
  assert.equal(Buffer.from(String(headers['x-corvus-signature']), 'base64').toString(), signature)
  assert.deepEqual([headers['content-length'], request.body.length], ['0', 0])
})

test('a block that is larger than one piece arrives completely', async () => {
  const bytes = Buffer.alloc(3_000_001, 'ab\n')
  await pushByHttp(parcelOf(bytes), configured())
  assert.ok(receiver.got[0]?.body.equals(bytes))
})

test('any status of 200 to 299 is a success, however long the response is', async () => {
  receiver.answers.push(
    (response) => response.writeHead(204).end(),
    (response) => response.writeHead(202, { 'content-length': '10000000000' }).write('x'),
  )
  for (let i = 0; i < 2; i++) await pushByHttp(parcelOf(CONTENT), configured())
  assert.equal(receiver.got.length, 2)
})

for (const [status, kind] of [
  [301, 'configuration'],
  [307, 'configuration'],
  [400, 'server'],
  [401, 'authentication'],
  [403, 'authentication'],
  [404, 'not-found'],
  [413, 'too-large'],
  [429, 'rate-limited'],
  [500, 'server'],
  [503, 'server'],
] as const) {
  test(`${status} is an error of the kind ${kind}, and nothing is sent a second time`, async () => {
    const location = `${receiver.url}/elsewhere?token=${SECRET}`
    receiver.answers.push((response) => response.writeHead(status, { location, 'retry-after': '90' }).end(SECRET))
    const fault = await faultOf(pushByHttp(parcelOf(CONTENT), configured()))
    assert.deepEqual([fault.kind, receiver.got.length], [kind, 1], fault.message)
    if (status >= 400) assert.equal(fault.retryAfter, 90)
  })
}

test('a receiver that disconnects, does not answer, or does not exist is an error of its kind', async () => {
  receiver.answers.push((_, request) => request.socket.destroy())
  assert.equal((await faultOf(pushByHttp(parcelOf(CONTENT), configured()))).kind, 'cut-off')
  receiver.answers.push(() => {})
  assert.equal((await faultOf(pushByHttp(parcelOf(CONTENT), configured({ timeout_seconds: 1 })))).kind, 'timeout')
  const gone = configured({ url: 'http://127.0.0.1:1/' })
  assert.match((await faultOf(pushByHttp(parcelOf(CONTENT), gone))).kind, /unreachable|refused-address/)
})

test('a success before the receiver has the whole block is an error', async () => {
  const sockets: Socket[] = []
  const hasty = createServer((socket) => {
    sockets.push(socket.on('error', () => {}))
    socket.once('data', () => {
      socket.pause()
      socket.write('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n')
    })
  })
  hasty.listen(0, '127.0.0.1')
  await once(hasty, 'listening')
  const url = `http://127.0.0.1:${(hasty.address() as AddressInfo).port}/`
  const large = parcelOf('', {
    size: 200_000_000,
    open: async function* () {
      for (let i = 0; i < 200; i++) yield Buffer.alloc(1_000_000)
    },
  })
  assert.equal((await faultOf(pushByHttp(large, configured({ url })))).kind, 'cut-off')
  for (const socket of sockets) socket.destroy()
  hasty.close()
})

test('an address that is not public is refused, also behind a proxy', async () => {
  const strict = openOutbound([])
  for (const rest of [{}, { url: 'http://[::ffff:10.0.0.1]/' }, { url: 'http://example.org/', proxy: receiver.url }])
    assert.equal(
      (await faultOf(pushByHttp(parcelOf(CONTENT), { ...configured(rest), outbound: strict }))).kind,
      'refused-address',
    )
  await strict.close()
  assert.equal(receiver.got.length, 0)
})

test('an error of the blob store is not an error of the receiver, and stopping is not an error', async () => {
  const broken = parcelOf(CONTENT, {
    open: async function* () {
      yield Buffer.from(CONTENT.slice(0, 10))
      throw new Error('the disk is broken')
    },
  })
  await assert.rejects(pushByHttp(broken, configured()), { message: 'the disk is broken' })
  const stopped = new AbortController()
  receiver.answers.push(() => stopped.abort(new Error('stopped')))
  await assert.rejects(pushByHttp(parcelOf(CONTENT), { ...configured(), outbound, signal: stopped.signal }), /stopped/)
})
