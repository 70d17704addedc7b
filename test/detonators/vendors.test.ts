import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { test } from 'node:test'
import { adapters } from '../../server/automation/detonators/adapters/adapters.ts'
import { root } from '../../server/config.ts'
import { until } from '../until.ts'
import { openCalls, sampleOf } from './call.ts'
import { connectVendors, startVendors, VENDORS } from './vendors.ts'

const adapterOf = (name: string) => {
  const adapter = adapters.find((each) => each.name === name)
  assert.ok(adapter)
  return adapter
}

test('each vendor has an adapter, and adapters have different names and terms', () => {
  assert.deepEqual(
    adapters.map(({ name }) => name),
    VENDORS,
  )
  assert.equal(new Set(adapters.flatMap(({ terms }) => terms.map(({ id }) => id))).size, adapters.length)
})

test('vendors in another process count submissions and play faults', async () => {
  const child = spawn(process.execPath, [join(root, 'test/detonators/vendors.ts')], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  try {
    const lines = createInterface({ input: child.stdout })
    const { value: url } = await lines[Symbol.asyncIterator]().next()
    const vendors = connectVendors(url ?? '')
    const calls = openCalls(vendors)
    const cape = adapterOf('cape')
    const call = calls.callOf(cape)
    const options = cape.options.parse({})
    await vendors.knows(sampleOf().sha256, 'cape')
    assert.ok(await cape.find(call, sampleOf(), options))
    await vendors.play('limited', { vendor: 'cape', what: 'submit', times: 1 })
    await assert.rejects(cape.submit(call, sampleOf(), options), { fault: 'limited', retryAfterSeconds: 7 })
    await cape.submit(call, sampleOf(), options)
    assert.equal((await vendors.received({ what: 'submit' })).length, 2)
    await calls.close()
  } finally {
    child.kill()
  }
})

test('a held call has taken effect, is seen, and is answered when the fault ends', async () => {
  const vendors = await startVendors()
  const calls = openCalls(vendors)
  const triage = adapterOf('triage')
  const call = calls.callOf(triage)
  vendors.play('held', { what: 'submit' })
  const submitting = triage.submit(call, sampleOf(), triage.options.parse({}))
  await until(() => vendors.received({ what: 'submit' }).length === 1, 'the call is not received')
  vendors.finishesAfter(0)
  vendors.play(null)
  assert.equal((await triage.poll(call, await submitting)).state, 'finished')
  await calls.close()
  await vendors.stop()
})
