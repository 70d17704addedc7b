import assert from 'node:assert/strict'
import { test } from 'node:test'
import { adapterTests } from '../../../../../test/detonators/adapter-tests.ts'
import { sampleOf } from '../../../../../test/detonators/call.ts'
import { hybridAnalysis } from './hybrid-analysis.ts'

const { vendors, call, options } = await adapterTests(hybridAnalysis)

test('samples are shared only if the options say so', async () => {
  await hybridAnalysis.submit(call, sampleOf(), options)
  await hybridAnalysis.submit(call, sampleOf(), {
    ...options,
    share_with_community: true,
    share_with_third_parties: true,
  })
  const [usual, shared] = vendors.received({ what: 'submit' }).map(({ fields }) => ({ ...fields }))
  assert.deepEqual(usual, { environment_id: '160', allow_community_access: 'false', no_share_third_party: 'true' })
  assert.deepEqual(shared, { environment_id: '160', allow_community_access: 'true', no_share_third_party: 'false' })
})

test('an analysis is found only in the chosen environment, also in the list of older servers', async () => {
  const sample = sampleOf()
  vendors.knows(sample.sha256, 'hybrid_analysis')
  assert.ok(await hybridAnalysis.find(call, sample, options))
  assert.equal(await hybridAnalysis.find(call, sample, { ...options, environment: '120' }), undefined)
  const body = Buffer.from(JSON.stringify([{ job_id: '65be0c1a2b3c4d5e6f708192', environment_id: 160 }]))
  const known = await hybridAnalysis.find(
    { ...call, send: async () => ({ status: 200, headers: {}, body }) },
    sample,
    options,
  )
  assert.equal(known?.id, '65be0c1a2b3c4d5e6f708192')
})
