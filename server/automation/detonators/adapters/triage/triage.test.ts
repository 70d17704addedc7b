import assert from 'node:assert/strict'
import { test } from 'node:test'
import { adapterTests } from '../../../../../test/detonators/adapter-tests.ts'
import { sampleOf } from '../../../../../test/detonators/call.ts'
import { triage } from './triage.ts'

const { vendors, call, options } = await adapterTests(triage)

test('samples go to the private cloud unless the parameters name another one', () => {
  assert.equal(triage.parameters.parse({ api_key: 'a-key' }).url, 'https://private.tria.ge')
})

test('options are sent with the sample, and a chosen environment is not taken from an earlier analysis', async () => {
  const given = { ...options, timeout: 120, network: 'tor', profile: 'w10', password: 'infected' }
  await triage.submit(call, sampleOf(), given)
  const [{ fields } = { fields: {} }] = vendors.received({ what: 'submit' })
  assert.partialDeepStrictEqual(fields, {
    kind: 'file',
    defaults: '{"timeout":120,"network":"tor"}',
    profiles: '[{"profile":"w10"}]',
    password: 'infected',
  })
  vendors.knows(sampleOf().sha256)
  assert.equal(await triage.find(call, sampleOf(), given), undefined)
  assert.ok(await triage.find(call, sampleOf(), { ...options, timeout: 120 }))
})

test('without the report of a task, its processes are missing, and a warning says so', async () => {
  vendors.knows(sampleOf().sha256, 'triage')
  const known = await triage.find(call, sampleOf(), options)
  assert.ok(known)
  const send: typeof call.send = async (request) =>
    request.url.endsWith('report_triage.json')
      ? { status: 404, headers: {}, body: Buffer.from('{}') }
      : call.send(request)
  const { processes, warnings, families } = await triage.report({ ...call, send }, known)
  assert.deepEqual([processes, families], [[], ['inventedstealer', 'inventedlocker']])
  assert.match(warnings.join(), /task behavioral1 could not be read/)
})
