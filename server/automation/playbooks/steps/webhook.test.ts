import assert from 'node:assert/strict'
import { test } from 'node:test'
import { status } from '../../../../test/set-up/enrichers.ts'
import { act, call, corvus, entity, hiddenEntity, makeEntity } from '../../../../test/set-up/steps.ts'
import { signatureOf } from '../../../changes/webhooks/send.ts'
import { type AnyStep, separateSecrets, withSecret } from '../step-secrets.ts'
import { webhook } from './webhook.ts'

const SECRET = 'a secret of enough length'
const url = (path: string) => `${corvus.source.url}/${path}`

test('a webhook receives the object, signed, with the same idempotency key each time', async () => {
  const { id } = await makeEntity({ title: 'Grey heron' })
  corvus.source.answers('/hook', status(204))
  const wanted = { url: url('hook'), secret: SECRET, message: 'See {title}' }
  const results = new Map([['ask', { outcome: 'malicious', output: {} }]])
  const { prepared = {} } = await act(webhook, wanted, entity(id), { results, key: 'run/one' })
  for (const _ of [1, 2]) {
    const result = await call(webhook, wanted, entity(id), prepared, 'run/one')
    assert.deepEqual([result?.outcome, result?.output.status], ['delivered', 204])
  }
  const [first, second] = corvus.source.callsTo('/hook')
  assert.ok(first && second)
  const { headers, raw } = first
  assert.equal(headers['idempotency-key'], second.headers['idempotency-key'])
  assert.equal(headers['corvus-signature'], signatureOf(SECRET, String(headers['corvus-timestamp']), raw))
  const body = JSON.parse(raw)
  assert.deepEqual(body.object, {
    collection: 'entities',
    id,
    type: 'report',
    title: 'Grey heron',
    tlp_color: null,
    page: `http://corvus.test/entities/${id}`,
  })
  assert.deepEqual([body.message, body.steps], ['See of entities', { ask: { outcome: 'malicious' } }])
  assert.ok(!raw.includes(SECRET))
  assert.ok(!JSON.stringify(prepared).includes(SECRET))
})

test('without a secret, requests are not signed', async () => {
  const { id } = await makeEntity()
  corvus.source.answers('/plain', status(200))
  const { prepared = {} } = await act(webhook, { url: url('plain') }, entity(id))
  await call(webhook, { url: url('plain') }, entity(id), prepared)
  assert.equal(corvus.source.callsTo('/plain')[0]?.headers['corvus-signature'], undefined)
})

test('a server that fails may be asked again, and one that refuses may not', async () => {
  const { id } = await makeEntity()
  for (const [code, isPassing] of [
    [500, true],
    [429, true],
    [400, false],
    [302, false],
  ] as const) {
    corvus.source.answers('/faulty', status(code))
    const { prepared = {} } = await act(webhook, { url: url('faulty') }, entity(id))
    await assert.rejects(call(webhook, { url: url('faulty') }, entity(id), prepared), { name: 'StepError', isPassing })
  }
  const { prepared = {} } = await act(webhook, { url: 'http://10.0.0.1/' }, entity(id))
  await assert.rejects(call(webhook, { url: 'http://10.0.0.1/' }, entity(id), prepared), /could not be reached/)
})

test('objects above the colour and invisible ones are not sent, and a dry run makes no call', async () => {
  const wanted = { url: url('silent') }
  const { id } = await makeEntity({}, { meta: { tlp_color: 'AMBER' } })
  assert.equal((await act(webhook, wanted, entity(id))).outcome, 'out_of_scope')
  assert.ok((await act(webhook, { ...wanted, max_tlp: null }, entity(id))).prepared)
  assert.equal((await act(webhook, wanted, entity(await hiddenEntity()))).outcome, 'out_of_scope')
  const dry = await act(webhook, { ...wanted, max_tlp: 'AMBER' }, entity(id), { isDryRun: true })
  assert.equal(dry.outcome, 'delivered')
  assert.equal(corvus.source.callsTo('/silent').length, 0)
})

test('secrets of steps are sealed, kept by the token, and given to no other server', () => {
  const { vault } = corvus.server
  const step = (more: object): AnyStep => ({ id: 'tell', kind: 'webhook', url: 'https://siem.example/a', ...more })
  const made = separateSecrets(vault, [step({ secret: SECRET }), { id: 'end', kind: 'stop' }], null)
  const token = '<PASS_THROUGH_TOKEN>'
  assert.deepEqual([made.steps[0]?.secret, made.faults], [token, []])
  assert.ok(made.sealed !== null && !made.sealed.includes(SECRET))
  const kept = separateSecrets(vault, [step({ secret: token, url: 'https://siem.example/b' })], made.sealed)
  assert.deepEqual(kept.faults, [])
  assert.equal(withSecret(vault, step({ secret: token }), kept.sealed).secret, SECRET)
  const moved = step({ secret: token, url: 'https://other.example/' })
  assert.deepEqual(separateSecrets(vault, [moved], made.sealed).faults, [
    'steps[0].secret: must be given again, because it would go to another server',
  ])
  assert.equal(withSecret(vault, moved, made.sealed).secret, null)
  const dropped = separateSecrets(vault, [step({ secret: null })], made.sealed)
  assert.deepEqual([dropped.steps[0]?.secret, dropped.sealed], [null, null])
  assert.equal(separateSecrets(vault, [step({ secret: token })], null).steps[0]?.secret, null)
})
