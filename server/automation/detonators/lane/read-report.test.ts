import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, afterEach, before, test } from 'node:test'
import { pollToTheEnd } from '../../../../test/detonators/adapter-tests.ts'
import { openCalls, sampleOf } from '../../../../test/detonators/call.ts'
import { startVendors, VENDORS, type Vendor } from '../../../../test/detonators/vendors.ts'
import { base64, startDetonators } from '../../../../test/set-up/detonators.ts'
import { type Adapter, type Call, DetonatorError, type VendorRequest } from '../adapter.ts'
import { adapters } from '../adapters/adapters.ts'
import { readReport } from './read-report.ts'

let vendors: Awaited<ReturnType<typeof startVendors>>
let calls: ReturnType<typeof openCalls>
before(async () => {
  vendors = await startVendors()
  calls = openCalls(vendors)
})
afterEach(() => vendors.reset())
after(async () => {
  await calls.close()
  await vendors.stop()
})

const SECRET = 'sandbox-key-0815'
const SPACES = Buffer.alloc(600_000, ' ')

/** A call whose answers are too large for the main thread: spaces after a document mean nothing. */
const padded = (call: Call): Call => ({
  ...call,
  send: async (request) => {
    const answer = await call.send(request)
    return { ...answer, body: Buffer.concat([answer.body, SPACES]) }
  },
})

async function finished(vendor: Vendor) {
  const adapter = adapters.find(({ name }) => name === vendor) as Adapter
  const call = calls.callOf(adapter)
  const { analysis } = await pollToTheEnd(
    adapter,
    call,
    await adapter.submit(call, sampleOf(), adapter.options.parse({})),
  )
  return { adapter, call, analysis }
}

for (const vendor of VENDORS) {
  test(`a large report of ${vendor} means the same as a small one, and is asked for once`, async () => {
    const { adapter, call, analysis } = await finished(vendor)
    const count = () => vendors.received().length
    const [first, small] = [count(), await readReport(adapter, call, analysis, [])]
    const [second, large] = [count(), await readReport(adapter, padded(call), analysis, [])]
    assert.equal(count() - second, second - first)
    assert.ok(large.raw.content.length > small.raw.content.length)
    assert.ok(Buffer.isBuffer(large.raw.content))
    assert.deepEqual({ ...large, raw: null }, JSON.parse(JSON.stringify({ ...small, raw: null })))
  })

  test(`a large answer of ${vendor} that is no report is unreadable`, async () => {
    const { adapter, call, analysis } = await finished(vendor)
    const send = async () => ({ status: 200, headers: {}, body: Buffer.concat([Buffer.from('{"a": 1'), SPACES]) })
    await assert.rejects(readReport(adapter, { ...call, send }, analysis, []), { fault: 'unreadable' })
  })
}

test('what happens to a later request of a large report is what happens to the report', async () => {
  const { adapter, call, analysis } = await finished('triage')
  const failing = (error: Error): Call => {
    const send = padded(call).send
    return {
      ...call,
      send: (request: VendorRequest) => (request.url.includes('report_triage') ? Promise.reject(error) : send(request)),
    }
  }
  const limited = new DetonatorError('limited', 'Too many calls.', 9)
  await assert.rejects(readReport(adapter, failing(limited), analysis, []), { fault: 'limited', retryAfterSeconds: 9 })
  const other = new Error('Another process has it now.')
  await assert.rejects(readReport(adapter, failing(other), analysis, []), (error) => error === other)
  const missing = new DetonatorError('rejected', 'There is none.')
  const { warnings } = await readReport(adapter, failing(missing), analysis, [])
  assert.match(warnings.join(' '), /behavioral1 could not be read/)
})

test('reading a large report ends when the process stops', async () => {
  const { adapter, call, analysis } = await finished('triage')
  const stopping = new AbortController()
  const send = padded(call).send
  const stopped: Call = {
    ...call,
    signal: stopping.signal,
    send: (request) => {
      if (!request.url.includes('report_triage')) return send(request)
      stopping.abort(new Error('Stopping.'))
      return new Promise(() => {})
    },
  }
  await assert.rejects(readReport(adapter, stopped, analysis, []), /Stopping/)
})

/** A CAPE server that answers every sample with the same report. */
async function startCape(report: Buffer) {
  const answers: [part: string, answer: unknown][] = [
    ['/search/', { error: false, data: [] }],
    ['/create/', { error: false, data: { task_ids: [1] } }],
    ['/status/', { error: false, data: 'reported' }],
  ]
  const server = createServer((request, response) => {
    request.resume()
    const [, known] = answers.find(([part]) => request.url?.includes(part)) ?? []
    if (known) response.end(JSON.stringify(known))
    else if (request.url?.includes('/report/')) response.end(report)
    else response.writeHead(404).end()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

const BYTES = 37 * 2 ** 20

function reportOf(open: string, item: string, close: string): Buffer {
  const head = `{"info": {"id": 1, "version": "2.4"}, "malscore": 10, ${open}`
  return Buffer.from(`${head}${`${item},`.repeat(BYTES / (item.length + 1))}${item}${close}}`)
}

/** Detonates a sample in a sandbox with a report, and counts the requests that are answered until it ends. */
async function detonate(report: Buffer) {
  const corvus = await startDetonators({ isScripted: false })
  const cape = await startCape(report)
  try {
    const [shipped] = await corvus.ask('GET', 'detonators?filter[name]=cape')
    const saved = { is_active: true, parameters: { url: cape.url, api_key: SECRET } }
    const { terms } = await corvus.ask('PATCH', `detonators/${shipped.id}`, saved)
    await corvus.ask('POST', `detonators/${shipped.id}/consent`, { terms: terms.map(({ id }: { id: string }) => id) })
    const sample = { detonator: shipped.id, data: base64('A program.'), filename: 'sample.exe' }
    const made = await corvus.ask('POST', 'detonations', sample)
    corvus.startLane()
    await corvus.inState(made.id, ['REPORTING', 'FINISHED', 'FAILED'])
    let answered = 0
    for (;;) {
      const now = await corvus.read(made.id)
      if (['FINISHED', 'FAILED'].includes(now.state)) return { ended: now, answered }
      answered++
    }
  } finally {
    await corvus.stop()
    cape.server.closeAllConnections()
    cape.server.close()
  }
}

test('a report of 37 MB is read while requests are answered, and its secrets are masked', async () => {
  const process = `{"process_id": 7, "process_name": "run.exe", "environ": {"CommandLine": "run --key ${SECRET}"}}`
  const { ended, answered } = await detonate(reportOf('"behavior": {"processes": [', process, ']}'))
  assert.equal(ended.state, 'FINISHED', ended.state_reason)
  assert.deepEqual(
    ended.processes.map((each: { command_line: string }) => each.command_line),
    ['run --key ***'],
  )
  assert.ok(answered > 10, `${answered} requests`)
})

test('a report with more values than memory can hold fails with the limit', async () => {
  const { ended, answered } = await detonate(reportOf('"strings": [', '{}', ']'))
  assert.equal(ended.state, 'FAILED')
  assert.match(ended.state_reason, /more than 4000000 values, which is the limit\. The analysis is at http/)
  assert.ok(answered > 0)
})
