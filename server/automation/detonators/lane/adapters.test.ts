import assert from 'node:assert/strict'
import { after, afterEach, before, test } from 'node:test'
import { startVendors, VENDORS, type Vendor } from '../../../../test/detonators/vendors.ts'
import { base64, startDetonators } from '../../../../test/set-up/detonators.ts'
import { until } from '../../../../test/until.ts'

let corvus: Awaited<ReturnType<typeof startDetonators>>
let vendors: Awaited<ReturnType<typeof startVendors>>
before(async () => {
  corvus = await startDetonators({ isScripted: false })
  vendors = await startVendors()
})
afterEach(async () => {
  await corvus.stopLanes()
  vendors.reset()
})
after(async () => {
  await vendors.stop()
  await corvus.stop()
})

let counter = 0
const content = () => base64(`A program for real adapters ${++counter}.`)

/** The detonator that the installation came with, switched on. */
async function detonatorOf(vendor: Vendor) {
  const [shipped] = await corvus.ask('GET', `detonators?filter[name]=${vendor}`)
  assert.equal(shipped.is_active || shipped.is_installed, true)
  const saved = await corvus.ask('PATCH', `detonators/${shipped.id}`, {
    is_active: true,
    parameters: vendors.parameters[vendor],
  })
  await corvus.ask('POST', `detonators/${saved.id}/consent`, { terms: saved.terms.map(({ id }: { id: string }) => id) })
  return saved
}

for (const vendor of VENDORS) {
  test(`a file and an address are detonated with ${vendor}, and the report is stored`, async () => {
    const { id } = await detonatorOf(vendor)
    vendors.finishesAfter(1)
    corvus.startLane()
    const made = [
      await corvus.ask('POST', 'detonations', { detonator: id, data: content(), filename: 'sample.exe' }),
      await corvus.ask('POST', 'detonations', { detonator: id, url: `https://page-${++counter}.example/` }),
    ]
    for (const each of made) {
      const ended = await corvus.inState(each.id, ['FINISHED', 'FAILED'])
      assert.equal(ended.state, 'FINISHED', `${each.kind}: ${ended.state_reason}`)
      assert.ok(ended.entity && ended.verdict && ended.report_url, each.kind)
      assert.ok(ended.extracts.length > 0, each.kind)
    }
    assert.equal(vendors.received({ vendor, what: 'submit' }).length, 2)
  })

  test(`a report of ${vendor} with 200 MB is refused while it arrives, and memory does not grow with it`, async () => {
    const { id } = await detonatorOf(vendor)
    vendors.finishesAfter(0)
    vendors.play('huge', { vendor, what: 'report' })
    corvus.startLane()
    const before = process.memoryUsage().rss
    let most = 0
    const made = await corvus.ask('POST', 'detonations', { detonator: id, data: content(), filename: 'sample.exe' })
    const ended = await until(async () => {
      most = Math.max(most, process.memoryUsage().rss)
      await corvus.hurry()
      const found = await corvus.read(made.id)
      return ['FINISHED', 'FAILED'].includes(found.state) ? found : undefined
    }, 'it does not end')
    assert.equal(ended.state, 'FAILED')
    assert.match(ended.state_reason, /larger than 50 MiB, which is the limit/)
    if (ended.vendor_url) assert.ok(ended.state_reason.includes(ended.vendor_url))
    // The vendor runs in this process as well.
    assert.ok(most - before < 180 * 2 ** 20, `${Math.round((most - before) / 2 ** 20)} MiB more`)
  })
}
