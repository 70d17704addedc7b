import assert from 'node:assert/strict'
import { Writable } from 'node:stream'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { pino } from 'pino'
import { isGenuine, startWebhooks } from '../../../test/receiver.ts'
import { until } from '../../../test/until.ts'

const OWNER = [
  'read entities',
  'read extracts',
  'read tickets',
  'read webhooks',
  'modify webhooks',
  'read history-events',
]

let corvus: Awaited<ReturnType<typeof startWebhooks>>
let logged = ''
before(async () => {
  const stream = new Writable({
    write: (chunk, _, done) => {
      logged += chunk
      done()
    },
  })
  corvus = await startWebhooks(undefined, pino({ level: 'trace' }, stream))
})
after(() => corvus.stop())

test('a webhook has defaults, and a secret that is shown once', async () => {
  const made = await corvus.make('webhooks', { name: 'Defaults', url: 'https://siem.example/in?x=1' })
  assert.partialDeepStrictEqual(made, {
    is_active: true,
    collections: ['entities', 'observables', 'relationships'],
    kinds: ['create', 'update', 'delete'],
    query: null,
    include_object: false,
    secret: '<PASS_THROUGH_TOKEN>',
    last_delivery_at: null,
    last_status: null,
    failing_since: null,
    suspended_at: null,
    suspended_reason: null,
  })
  assert.match(made.new_secret, /^whsec_[\w-]{43}$/)
  const read = await corvus.read(made.id)
  assert.deepEqual([read.secret, read.new_secret], ['<PASS_THROUGH_TOKEN>', null])
})

test('a given secret is never shown, the pass-through token keeps it, and null generates a new one', async () => {
  const secretOf = async (id: number) => {
    const { rows } = await corvus.pool.query('select secret from webhooks where id = $1', [id])
    return corvus.server.vault.open(rows[0].secret)
  }
  const given = 'chosen by its owner'
  const { id, new_secret } = await corvus.make('webhooks', { name: 'Given', url: 'https://x.example', secret: given })
  assert.equal(new_secret, null)
  assert.equal(await secretOf(id), given)
  const patch = async (item: unknown) => (await corvus.call('PATCH', `webhooks/${id}`, item)).body.data
  assert.equal((await patch({ name: 'Given still', secret: '<PASS_THROUGH_TOKEN>' })).new_secret, null)
  assert.equal(await secretOf(id), given)
  const rotated = await patch({ secret: null })
  assert.equal(await secretOf(id), rotated.new_secret)
  const put = async (item: unknown) => (await corvus.call('PUT', 'webhooks', [item])).body.data[0]
  assert.equal((await put({ name: 'Given still', url: 'https://x.example/y' })).new_secret, null)
  assert.equal(await secretOf(id), rotated.new_secret)
  const fresh = await put({ name: 'By PUT', url: 'https://y.example' })
  assert.equal(await secretOf(fresh.id), fresh.new_secret)
  for (const [length, status] of [
    [15, 400],
    [16, 201],
    [500, 201],
    [501, 400],
  ] as const) {
    const item = { name: `Length ${length}`, url: 'https://x.example', secret: 's'.repeat(length) }
    assert.equal((await corvus.call('POST', 'webhooks', item)).status, status, String(length))
  }
})

test('every invalid field is named, and a query needs one searchable collection', async () => {
  const { status, body } = await corvus.call('POST', 'webhooks', {
    data: {
      name: '',
      url: 'ftp://x',
      collections: ['users'],
      kinds: [],
      query: '(',
      include_object: 'x',
      secret: 'short',
    },
  })
  assert.equal(status, 400)
  assert.deepEqual(
    body.map(({ detail }: { detail: string }) => detail.split(/[:[]/)[0]),
    ['data.name', 'data.url', 'data.collections', 'data.kinds', 'data.query', 'data.include_object', 'data.secret'],
  )
  const wrong = { name: 'Wrong', url: 'https://x.example', query: 'x' }
  assert.equal((await corvus.call('POST', 'webhooks', wrong)).status, 400)
  assert.equal((await corvus.call('POST', 'webhooks', { ...wrong, collections: ['tickets'] })).status, 400)
  assert.equal((await corvus.call('GET', 'webhooks?filter[name]=Wrong')).body.total_count, 0)
  const right = await corvus.make('webhooks', { ...wrong, collections: ['entities'] })
  assert.equal(
    (await corvus.call('PATCH', `webhooks/${right.id}`, { collections: ['entities', 'tickets'] })).status,
    400,
  )
  assert.equal((await corvus.call('PATCH', `webhooks/${right.id}`, { collections: ['observables'] })).status, 200)
  for (const url of ['https://user:pass@x.example/', 'https://', 'x', 'javascript:alert(1)'])
    assert.equal((await corvus.call('POST', 'webhooks', { name: 'Bad', url })).status, 400, url)
})

test('a webhook cannot subscribe to collections that its owner may not read', async () => {
  const token = await corvus.tokenFor(['read webhooks', 'modify webhooks', 'read tickets'])
  const item = { name: 'Too much', url: 'https://x.example' }
  const { status, body } = await corvus.call('POST', 'webhooks', item, token)
  assert.equal(status, 403)
  assert.equal(body[0].detail, 'Missing permissions: [read entities, read extracts]')
  const made = await corvus.make('webhooks', { ...item, collections: ['tickets'] }, token)
  assert.equal((await corvus.call('PATCH', `webhooks/${made.id}`, { collections: ['datasets'] }, token)).status, 403)
})

test('only administrators see and change webhooks of others, without their secrets', async () => {
  const [owner, other] = [await corvus.tokenFor(OWNER), await corvus.tokenFor(OWNER)]
  const made = await corvus.webhook('mine', { collections: ['tickets'] }, owner)
  const paths = [
    ['GET', ''],
    ['PATCH', ''],
    ['DELETE', ''],
    ['GET', '/deliveries'],
    ['POST', '/test'],
  ] as const
  for (const [method, path] of paths) {
    const { status } = await corvus.call(
      method,
      `webhooks/${made.id}${path}`,
      method === 'PATCH' ? {} : undefined,
      other,
    )
    assert.equal(status, 404, `${method} ${path}`)
  }
  assert.equal((await corvus.call('GET', 'webhooks?filter[name]=mine', undefined, other)).body.total_count, 0)
  assert.equal(
    (
      await corvus.call(
        'PUT',
        'webhooks',
        [{ name: 'mine', url: 'https://x.example', collections: ['tickets'] }],
        other,
      )
    ).status,
    409,
  )
  const seen = await corvus.call('PATCH', `webhooks/${made.id}`, { is_active: false })
  assert.equal(seen.status, 200)
  assert.equal(seen.body.data.secret, '<PASS_THROUGH_TOKEN>')
  assert.match(seen.body.data.created_by, new RegExp(`/${await corvus.userOf(owner)}$`))
  assert.equal((await corvus.call('DELETE', `webhooks/${made.id}`)).status, 204)
})

test('a test calls the receiver immediately and returns the outcome, even for an inactive webhook', async () => {
  const made = await corvus.webhook('tried', { is_active: false })
  const attempt = async () => (await corvus.call('POST', `webhooks/${made.id}/test`)).body.data
  assert.partialDeepStrictEqual(await attempt(), { is_delivered: true, status: 200, reason: null })
  const [call] = corvus.receiver.callsTo('/tried')
  assert.ok(call && isGenuine(call, made.new_secret))
  assert.deepEqual([call.body.is_test, call.body.events], [true, []])
  corvus.receiver.answers((response) => void response.writeHead(500).end(made.new_secret))
  assert.partialDeepStrictEqual(await attempt(), {
    is_delivered: false,
    status: 500,
    reason: 'The receiver responded with 500.',
  })
  corvus.receiver.answers((response) => void response.end('x'.repeat(70_000)))
  assert.match((await attempt()).reason, /larger than 65536 bytes/)
  corvus.receiver.answers((response) => void response.end())
  await corvus.call('PATCH', `webhooks/${made.id}`, { url: 'http://169.254.169.254/latest', secret: null })
  assert.match((await attempt()).reason, /169\.254\.169\.254/)
  await corvus.pool.query(`update webhooks set secret = 'v1.AAAA' where id = $1`, [made.id])
  assert.match((await attempt()).reason, /cannot be decrypted with the secret key/)
  assert.equal((await corvus.call('POST', 'webhooks/999999/test')).status, 404)
  assert.equal((await corvus.read(made.id)).last_status, null, 'a test leaves no trace')
})

test('a delivery can be sent again under its id, with the objects its owner still sees', async () => {
  const made = await corvus.webhook('again', { collections: ['tickets'] })
  const { body } = await corvus.call('PUT', 'tickets', [{ name: 'Kept' }, { name: 'Lost' }])
  const process = corvus.startProcess()
  await until(async () => (await corvus.read(made.id)).last_delivery_at, 'not delivered')
  const [first] = corvus.receiver.callsTo('/again')
  const { id } = (await corvus.deliveries(made.id))[0]
  const again = () => corvus.call('POST', `webhooks/${made.id}/deliveries/${id}/redeliver`)
  assert.partialDeepStrictEqual((await again()).body.data, { is_delivered: true, status: 200 })
  assert.deepEqual(corvus.receiver.callsTo('/again').at(-1)?.body, first?.body)
  await corvus.pool.query('delete from tickets where id = $1', [body.data[1].id])
  await again()
  assert.equal(corvus.receiver.callsTo('/again').at(-1)?.body.events.length, 1)
  assert.equal((await corvus.call('GET', `webhooks/${made.id}/deliveries/${id}`)).body.data.attempts, 3)
  const other = await corvus.webhook('not-its-own')
  for (const path of [`${other.id}/deliveries/${id}`, `${made.id}/deliveries/x`, `999999/deliveries/${id}`]) {
    assert.equal((await corvus.call('GET', `webhooks/${path}`)).status, 404, path)
    assert.equal((await corvus.call('POST', `webhooks/${path}/redeliver`)).status, 404, path)
  }
  corvus.receiver.answers((response) => void response.writeHead(500).end())
  await corvus.make('tickets', { name: 'Waits' })
  const waiting = await until(async () => {
    const all = await corvus.deliveries(made.id)
    return all.find(({ state }: { state: string }) => state === 'WAITING')
  }, 'not waiting')
  assert.equal((await corvus.call('POST', `webhooks/${made.id}/deliveries/${waiting.id}/redeliver`)).status, 409)
  await process.stop()
  corvus.receiver.answers((response) => void response.end())
  await corvus.pool.query('delete from changes')
  assert.equal((await again()).status, 410)
})

test('secrets appear in no response, record or log, and bodies in no table', async () => {
  const secret = 'never-to-be-seen-anywhere'
  const made = await corvus.webhook('silent', { collections: ['tickets'], secret })
  const process = corvus.startProcess()
  await corvus.make('tickets', { name: 'A ticket with a telling name' })
  await until(async () => (await corvus.read(made.id)).last_delivery_at, 'not delivered')
  await process.stop()
  await corvus.call('PATCH', `webhooks/${made.id}`, { secret: `${secret}-again`, name: 'silent again' })
  await corvus.call('POST', `webhooks/${made.id}/test`)
  await sleep(1500)
  const answers = await Promise.all(
    [
      'webhooks',
      `webhooks/${made.id}`,
      `webhooks/${made.id}/deliveries`,
      'history-events?sort=-at&limit=50',
      'audit-trail?limit=2000',
    ].map((path) => corvus.call('GET', path)),
  )
  for (const { status, body } of answers) {
    assert.equal(status, 200)
    assert.ok(!JSON.stringify(body).includes(secret))
  }
  const history = JSON.stringify((await corvus.call('GET', `history-events?filter[resource]=webhooks&sort=-at`)).body)
  assert.ok(history.includes('<PASS_THROUGH_TOKEN>'))
  const { rows } = await corvus.pool.query(`
    select (select string_agg(t::text, '') from webhooks as t) || (select string_agg(t::text, '') from changes as t)
      || (select string_agg(t::text, '') from webhook_deliveries as t) || (select string_agg(t::text, '') from audit_trail as t) as all`)
  assert.ok(rows[0].all.length > 100 && !rows[0].all.includes(secret))
  const stored = await corvus.pool.query(`select string_agg(t::text, '') as all from webhook_deliveries as t`)
  assert.ok(!stored.rows[0].all.includes('telling name'))
  assert.ok(logged.length > 100 && !logged.includes(secret))
})
