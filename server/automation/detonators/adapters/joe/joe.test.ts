import assert from 'node:assert/strict'
import { test } from 'node:test'
import { adapterTests } from '../../../../../test/detonators/adapter-tests.ts'
import { sampleOf } from '../../../../../test/detonators/call.ts'
import { DetonatorError } from '../../adapter.ts'
import { joe } from './joe.ts'

const { vendors, call, options } = await adapterTests(joe)

test('options are sent with the sample, and its URLs are not passed on', async () => {
  await joe.submit(call, sampleOf(), { ...options, system: 'w10x64', internet: 'simulation', delete_after_days: 7 })
  const [
    {
      fields: { apikey, ...fields },
    } = { fields: {} as Record<string, string> },
  ] = vendors.received({ what: 'submit' })
  assert.ok(apikey)
  assert.deepEqual(fields, {
    'accept-tac': '1',
    'url-reputation': '0',
    'systems[]': 'w10x64',
    'internet-access': '0',
    'internet-simulation': '1',
    'delete-after-days': '7',
  })
})

test('an analysis is found only on the chosen system, and none with a chosen route to the internet', async () => {
  const sample = sampleOf()
  vendors.knows(sample.sha256, 'joe')
  assert.ok(await joe.find(call, sample, { ...options, system: 'w10x64' }))
  assert.equal(await joe.find(call, sample, { ...options, system: 'w7' }), undefined)
  assert.equal(await joe.find(call, sample, { ...options, internet: 'none' }), undefined)
})

test('the numbers of errors say more than their status', async () => {
  const faults = await Promise.all(
    [3, 4, 5, 7, 99].map((code) => {
      const body = Buffer.from(JSON.stringify({ errors: [{ code, message: 'What is wrong' }] }))
      return joe.submit({ ...call, send: async () => ({ status: 400, headers: {}, body }) }, sampleOf(), options).then(
        () => 'none',
        (error: unknown) => (error instanceof DetonatorError ? error.fault : String(error)),
      )
    }),
  )
  assert.deepEqual(faults, ['rejected', 'refused', 'unavailable', 'refused', 'rejected'])
})
