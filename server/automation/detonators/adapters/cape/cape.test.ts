import assert from 'node:assert/strict'
import { test } from 'node:test'
import { adapterTests } from '../../../../../test/detonators/adapter-tests.ts'
import { sampleOf } from '../../../../../test/detonators/call.ts'
import { DetonatorError } from '../../adapter.ts'
import { cape } from './cape.ts'

const { vendors, call, calls, options } = await adapterTests(cape)

test('options become fields of the form, and only tasks that ran with them are found', async () => {
  const sample = sampleOf()
  const given = {
    ...options,
    timeout: 90,
    machine: 'win10-1',
    route: 'tor',
    enforce_timeout: true,
    options: 'free=yes',
  }
  await cape.submit(call, sample, given)
  const [{ fields } = { fields: {} }] = vendors.received({ what: 'submit' })
  assert.deepEqual(
    { ...fields },
    { timeout: '90', machine: 'win10-1', route: 'tor', enforce_timeout: '1', options: 'free=yes' },
  )
  vendors.knows(sample.sha256)
  assert.equal(await cape.find(call, sample, given), undefined)
  assert.ok(await cape.find(call, sample, { ...given, route: 'internet' }))
})

test('errors that CAPE reports with the status 200 have the right fault', async () => {
  const faults = await Promise.all(
    ['File Create API is Disabled', 'Rate limit exceeded for this API', 'Machine x does not exist', ''].map((said) => {
      const body = Buffer.from(JSON.stringify({ error: true, error_value: said }))
      return cape.submit({ ...call, send: async () => ({ status: 200, headers: {}, body }) }, sampleOf(), options).then(
        () => 'none',
        (error: unknown) => (error instanceof DetonatorError ? error.fault : String(error)),
      )
    }),
  )
  assert.deepEqual(faults, ['refused', 'limited', 'rejected', 'rejected'])
})

test('the lite report and servers without tokens are used if the parameters say so', async () => {
  const lite = calls.callOf(cape, { report: 'litereport' })
  vendors.knows(sampleOf().sha256, 'cape')
  const known = await cape.find(lite, sampleOf(), options)
  assert.ok(known)
  await cape.report(lite, known)
  assert.match(vendors.received({ what: 'report' })[0]?.path ?? '', /\/litereport\/$/)
  await assert.rejects(cape.check(calls.callOf(cape, { api_key: null })), /Check the API key/)
  assert.equal(vendors.received({ what: 'check' })[0]?.headers.authorization, undefined)
})
