import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, afterEach, test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import {
  type Adapter,
  type Analysis,
  type Call,
  DetonatorError,
  type Report,
  type Sample,
} from '../../server/automation/detonators/adapter.ts'
import { root } from '../../server/config.ts'
import { OBSERVABLE_TYPES } from '../../server/domain/observables/types.ts'
import { effort } from '../effort.ts'
import { corruptionsOf } from '../set-up/corruptions.ts'
import { openCalls, sampleOf } from './call.ts'
import { type Fault, startVendors, type Vendor, type What } from './vendors.ts'

interface Recorded {
  /** Where the vendor documents this answer. */
  readonly documentation: string
  readonly body: unknown
  /** The report that it becomes, without the raw report and requests. */
  readonly expected: unknown
  /** The number of screenshots that are asked for. */
  readonly screenshots: number
}

const URL_SAMPLE: Sample = { kind: 'url', url: 'https://phishing.invented.example/login?user=a&next=b' }

const FAULTS: [Fault, DetonatorError['fault']][] = [
  ['unauthorised', 'refused'],
  ['unpaid', 'refused'],
  ['forbidden', 'refused'],
  ['limited', 'limited'],
  ['limited-at-once', 'limited'],
  ['broken', 'unavailable'],
  ['deaf', 'unavailable'],
  ['lost', 'unavailable'],
  ['too-large', 'rejected'],
  ['rejected', 'rejected'],
  ['redirect', 'unreadable'],
  ['html', 'unreadable'],
  ['broken-json', 'unreadable'],
  ['empty', 'unreadable'],
]

/** Tests that hold for every adapter, against a vendor that speaks its dialect over the real outbound port. */
export async function adapterTests(adapter: Adapter, parameters: Record<string, unknown> = {}) {
  const vendor = adapter.name as Vendor
  const vendors = await startVendors()
  const calls = openCalls(vendors)
  const call = calls.callOf(adapter, parameters)
  after(async () => {
    await calls.close()
    await vendors.stop()
  })
  afterEach(() => vendors.reset())
  const options = adapter.options.parse({})

  test('the form shows each parameter and option once, and its defaults are valid', () => {
    for (const [group, schema] of [
      ['parameters', adapter.parameters],
      ['options', adapter.options],
    ] as const) {
      const fields = adapter.form.filter((each) => each.group === group)
      assert.deepEqual(fields.map(({ name }) => name).sort(), Object.keys(schema.shape).sort())
      for (const { name, title, description } of fields) assert.ok(title !== name && description !== '', name)
    }
    assert.deepEqual(
      adapter.form.filter(({ type }) => type === 'secret').map(({ name }) => name),
      adapter.secrets,
    )
    assert.ok(adapter.terms.length > 0 && adapter.terms.every(({ text }) => text.length > 100))
    for (const type of adapter.extractTypes) assert.ok(OBSERVABLE_TYPES.includes(type as never), type)
  })

  test('a check succeeds with the right credentials only', async () => {
    await adapter.check(call)
    const wrong = calls.callOf(adapter, { ...parameters, api_key: 'another-key-0000' })
    await rejects(adapter.check(wrong), 'refused')
    assert.equal(vendors.received().length, 2)
  })

  for (const sample of [sampleOf('inv\u00f6ice "1".exe'), URL_SAMPLE]) {
    test(`a ${sample.kind} is submitted, polled until it is finished, and reported`, async () => {
      const submitted = await adapter.submit(call, sample, options)
      const received = vendors.received({ what: 'submit' })
      assert.equal(received.length, 1)
      assert.equal(received[0]?.url ?? null, sample.kind === 'url' ? sample.url : null)
      assert.equal(received[0]?.sha256 ?? null, sample.kind === 'file' ? sample.sha256 : null)
      const { analysis, polls } = await pollToTheEnd(adapter, call, submitted)
      assert.equal(polls, 3)
      const report = await adapter.report(call, analysis)
      assert.equal(report.verdict, 'malicious')
      assert.ok(report.extracts.every(({ kind }) => adapter.extractTypes.includes(kind)))
      for (const { request } of report.screenshots) {
        const { status, headers } = await call.send(request)
        assert.deepEqual([status, headers['content-type']], [200, 'image/png'])
      }
    })
  }

  test('only finished analyses of the same content are found', async () => {
    const sample = sampleOf()
    assert.equal(await adapter.find(call, sample, options), undefined)
    const submitted = await adapter.submit(call, sample, options)
    assert.equal(await adapter.find(call, sample, options), undefined)
    const { analysis } = await pollToTheEnd(adapter, call, submitted)
    assert.deepEqual(await adapter.find(call, sample, options), analysis)
    const other = sampleOf('other.exe', 'Another program.')
    vendors.knows(other.sha256)
    const known = await adapter.find(call, other, options)
    assert.ok(known && known.id !== analysis.id)
    assert.equal((await adapter.poll(call, known)).state, 'finished')
    assert.equal((await adapter.report(call, known)).verdict, 'malicious')
    assert.equal(await adapter.find(call, URL_SAMPLE, options), undefined)
    assert.equal(vendors.received({ what: 'submit' }).length, 1)
  })

  test('an analysis that fails, and one that the vendor has lost, fail with a reason', async () => {
    const submitted = await adapter.submit(call, sampleOf(), options)
    vendors.play('failed')
    const failed = await adapter.poll(call, submitted)
    assert.ok(failed.state === 'failed' && failed.reason.length > 20)
    vendors.reset()
    const lost = await adapter.poll(call, submitted)
    assert.equal(lost.state, 'failed')
  })

  test('an analysis that does not end keeps running', async () => {
    const submitted = await adapter.submit(call, sampleOf(), options)
    vendors.play('pending')
    for (let i = 0; i < 10; i++) assert.equal((await adapter.poll(call, submitted)).state, 'running')
  })

  /** Each call of the adapter, with an analysis that is finished. */
  const each = async (): Promise<[What, () => Promise<unknown>][]> => {
    const submitted = await adapter.submit(call, sampleOf(), options)
    const { analysis } = await pollToTheEnd(adapter, call, submitted)
    return [
      ['check', () => adapter.check(call)],
      ['find', () => adapter.find(call, sampleOf(), options)],
      ['submit', () => adapter.submit(call, sampleOf(), options)],
      ['poll', () => adapter.poll(call, submitted)],
      ['report', () => adapter.report(call, analysis)],
    ]
  }

  test('what goes wrong at the vendor has the right fault in every call', async () => {
    const operations = await each()
    for (const [fault, expected] of FAULTS) {
      for (const [what, run] of operations) {
        vendors.play(fault, { vendor, what })
        const error = await rejects(run(), expected, `${fault} ${what}`)
        assert.equal(error.retryAfterSeconds, fault === 'limited' ? 7 : undefined)
        assert.equal(error.message.includes(vendors.parameters[vendor].api_key), false)
        if (fault === 'rejected') assert.match(error.message, /The vendor plays rejected/)
      }
    }
    assert.ok(vendors.received().every(({ path }) => path !== '/elsewhere'))
  })

  test('values of wrong types are left out with a warning, or make an answer unreadable', async () => {
    for (const [what, run] of await each()) {
      vendors.play('wrong-types', { vendor, what })
      await reportOrFault(run, what)
    }
  })

  test('a report of 200 MB is refused while it arrives', async () => {
    const { analysis } = await pollToTheEnd(adapter, call, await adapter.submit(call, sampleOf(), options))
    vendors.play('huge')
    await rejects(adapter.report(call, analysis), 'unreadable')
  })

  test('an id that is no id of this vendor is never part of a request', async () => {
    for (const id of ['../1', '1/2', '1?a=b', '', ' 1', '1\n', '%2e%2e', '\u0661', 'a'.repeat(1000)]) {
      await rejects(adapter.poll(call, { id, url: null }), 'unreadable')
      await rejects(adapter.report(call, { id, url: null }), 'unreadable')
    }
    assert.deepEqual(vendors.received(), [])
  })

  for (const [name, { documentation, expected, screenshots: count }] of recordedReports(vendor)) {
    test(`the recorded ${name} has the expected meaning`, async () => {
      assert.match(documentation, /https:\/\//)
      const sample = sampleOf(name.includes('clean') ? 'clean.exe' : 'sample.exe')
      const { analysis } = await pollToTheEnd(adapter, call, await adapter.submit(call, sample, options))
      const { raw, screenshots, ...report } = await adapter.report(call, analysis)
      assert.deepEqual(JSON.parse(JSON.stringify(report)), expected)
      assert.ok(raw.content.length > 0 && raw.filename.startsWith(vendor.replace('_', '-')))
      assert.equal(screenshots.length, count)
    })
  }

  test('corrupted reports become reports with warnings, or are unreadable', async () => {
    for (const [name, { body }] of recordedReports(vendor)) {
      for (let i = 0; i < effort(200, 25); i++) {
        const corrupted = corruptionsOf(Buffer.from(JSON.stringify(body)), i).body
        const send = async () => ({ status: 200, headers: {}, body: corrupted })
        const report = await reportOrFault(() => adapter.report({ ...call, send }, anAnalysis(vendor)), `${name} ${i}`)
        if (report) assert.ok(JSON.stringify(withoutRaw(report)).isWellFormed())
        await setImmediate()
      }
    }
  })

  return { vendors, calls, call, options }
}

const anAnalysis = (vendor: Vendor): Analysis => ({ id: IDS[vendor], url: null })

const IDS: Record<Vendor, string> = {
  cape: '1',
  triage: '260203-abcdefghij',
  joe: 'analysis-100001',
  hybrid_analysis: '65be0c1a2b3c4d5e6f708192',
}

const withoutRaw = ({ raw: _, ...report }: Report) => report

/** The recorded answers that are reports, in the order of their names. */
export const recordedReports = (vendor: Vendor): [name: string, recorded: Recorded][] => {
  const folder = join(root, 'test/detonators/answers', vendor)
  return readdirSync(folder)
    .sort()
    .filter((file) => file.endsWith('report.json'))
    .map((file) => [file.replace('.json', ''), JSON.parse(readFileSync(join(folder, file), 'utf8'))])
}

/** Polls an analysis until it is finished. */
export async function pollToTheEnd(adapter: Adapter, call: Call, submitted: Analysis) {
  for (let polls = 1; polls < 20; polls++) {
    const progress = await adapter.poll(call, submitted)
    if (progress.state === 'finished') return { analysis: progress.analysis ?? submitted, polls }
    assert.equal(progress.state, 'running')
  }
  throw new Error('The analysis does not end.')
}

async function rejects(promise: Promise<unknown>, fault: DetonatorError['fault'], what = ''): Promise<DetonatorError> {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  assert.ok(error instanceof DetonatorError, `${what}: ${String(error)}`)
  assert.equal(error.fault, fault, `${what}: ${error.message}`)
  assert.ok(error.message.length < 500)
  return error
}

/** A report that was read, or nothing after a fault of the vendor. Any other error is thrown. */
async function reportOrFault(run: () => Promise<unknown>, what: string): Promise<Report | undefined> {
  try {
    const result = (await run()) as Report | undefined
    return result && 'raw' in result ? result : undefined
  } catch (error) {
    assert.ok(error instanceof DetonatorError, `${what}: ${error instanceof Error ? error.stack : String(error)}`)
    return undefined
  }
}
