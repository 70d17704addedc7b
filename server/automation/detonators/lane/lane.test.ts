import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fromBufferPromise } from 'yauzl'
import { base64 } from '../../../../test/set-up/detonators.ts'
import { corvus } from '../../../../test/set-up/scripted-sandbox.ts'
import { until } from '../../../../test/until.ts'
import { DetonatorError } from '../adapter.ts'

let counter = 0
const file = (more: Record<string, unknown> = {}) => ({
  data: base64(`An invented program ${++counter}.`),
  filename: 'invoice.exe',
  ...more,
})

test('a file is asked for by its hash, submitted, waited for, and its report becomes an analysis with observables', async () => {
  const detonator = await corvus.detonator({ tlp_color: 'AMBER', selected_extract_types: ['domain', 'ipv4'] })
  corvus.vendor.plan.report = () => ({
    families: ['Invented'],
    tags: ['stealer'],
    extracts: [
      { kind: 'domain', value: 'C2.bank.example', classification: 'bad', confidence: 'high', link_type: 'contacted' },
      { kind: 'ipv4', value: '198.51.100.7', classification: 'good', confidence: 'low', link_type: null },
      { kind: 'mutex', value: 'not selected', classification: 'bad', confidence: 'low', link_type: null },
      { kind: 'domain', value: 'no domain at all', classification: 'bad', confidence: 'low', link_type: null },
    ],
    attacks: [{ tactic_id: null, technique_id: 'T9999' }],
    processes: [{ pid: 1, parent: null, name: 'invoice.exe', command_line: 'invoice.exe /x' }],
    screenshots: [corvus.vendor.screenshot(1)],
    raw: {
      filename: 'report.json',
      media_type: 'application/json',
      content: Buffer.from('{"key":"key-of-the-vendor","score":95}'),
    },
  })
  corvus.startLane()
  const made = await corvus.ask('POST', 'detonations', { detonator: detonator.id, ...file(), tlp_color: 'GREEN' })
  assert.partialDeepStrictEqual(made, { state: 'WAITING', kind: 'file', filename: 'invoice.exe', verdict: null })
  const ended = await corvus.inState(made.id, ['FINISHED', 'FAILED'])
  assert.partialDeepStrictEqual(ended, {
    state: 'FINISHED',
    state_reason: null,
    verdict: 'malicious',
    score: 95,
    families: ['Invented'],
    tags: ['stealer'],
    vendor_url: 'https://vendor.example/analysis-1',
    environment: 'Windows 10 64-bit',
    was_known: false,
    processes: [{ pid: 1, parent: null, name: 'invoice.exe', command_line: 'invoice.exe /x' }],
  })
  assert.deepEqual(
    ended.extracts.map(({ kind, value }: { kind: string; value: string }) => `${kind} ${value}`).sort(),
    ['domain c2.bank.example', 'ipv4 198.51.100.7', 'mutex not selected'],
  )
  assert.ok(
    ended.warnings.some((each: string) => /1 observables were left out/.test(each)),
    String(ended.warnings),
  )
  assert.ok(
    ended.warnings.some((each: string) => /T9999/.test(each)),
    String(ended.warnings),
  )
  assert.deepEqual(
    corvus.vendor.received().map(({ what }) => what),
    ['find', 'submit', 'poll', 'report', 'screenshot'],
  )
  const [submitted] = corvus.vendor.received('submit')
  assert.match(String(submitted?.body), /filename="invoice.exe"[\s\S]*An invented program/)
  assert.equal(submitted?.headers.authorization, 'Bearer key-of-the-vendor')

  const entity = await corvus.ask('GET', `entities/${String(ended.entity).split('/').at(-1)}`)
  assert.equal(entity.data.type, 'malware-analysis')
  assert.equal(entity.data.title, 'Scripted sandbox analysis of invoice.exe')
  assert.equal(entity.meta.tlp_color, 'AMBER')
  assert.deepEqual(entity.sources, [detonator.source])
  const linked = await corvus.ask('GET', `observables?filter[entities]=${entity.id}&limit=100`)
  const values = new Map(
    linked.map(({ value, meta }: { value: string; meta: { maliciousness: string } }) => [value, meta.maliciousness]),
  )
  assert.equal(values.get('c2.bank.example'), 'high')
  assert.equal(values.get('198.51.100.7'), 'safe')
  assert.equal(values.get(ended.hashes.sha256), 'high')
  assert.equal(values.has('not selected'), false)
  const attached = await corvus.ask('GET', `entities/attachments?filter[entities]=${entity.id}`)
  assert.deepEqual(attached.map(({ filename }: { filename: string }) => filename).sort(), [
    'report.json',
    'screen-1.png',
  ])
  assert.match(ended.screenshots[0].url, /\/entities\/attachments\/.+\/download$/)

  const report = await corvus.call('GET', new URL(ended.report_url).pathname)
  assert.deepEqual(JSON.parse(JSON.stringify(report.body)), '{"key":"***","score":95}')
  assert.equal((await corvus.ask('GET', `detonators/${detonator.id}`)).today_detonation_count, 1)
  const { rows } = await corvus.pool.query(
    `select cause_kind, cause_id, cause_depth as depth from changes where resource = 'entities' and ids @> array[$1::text]`,
    [entity.id],
  )
  assert.deepEqual(rows[0], { cause_kind: 'detonator', cause_id: String(detonator.id), depth: 1 })
})

test('a sample is downloaded as an archive with a password, never as it is', async () => {
  const detonator = await corvus.detonator()
  const made = await corvus.ask('POST', 'detonations', { detonator: detonator.id, ...file({ filename: '../x"y.exe' }) })
  const answer = await corvus.app.inject({
    url: new URL(made.sample_url).pathname,
    headers: { authorization: `Bearer ${corvus.admin}` },
  })
  assert.equal(answer.statusCode, 200)
  assert.equal(answer.headers['content-type'], 'application/zip')
  assert.match(String(answer.headers['content-disposition']), /^attachment; /)
  assert.equal(answer.headers['x-content-type-options'], 'nosniff')
  assert.ok(!answer.rawPayload.includes('An invented program'), 'the sample is not readable')
  const { BlobReader, ZipReader, TextWriter, configure } = await import('@zip.js/zip.js')
  configure({ useWebWorkers: false })
  const reader = new ZipReader(new BlobReader(new Blob([new Uint8Array(answer.rawPayload)])))
  const [entry] = await reader.getEntries()
  assert.ok(entry && !entry.directory && entry.encrypted)
  assert.ok(!/[/"]/.test(entry.filename), entry.filename)
  await assert.rejects(entry.getData(new TextWriter(), { password: 'wrong' }))
  assert.match(await entry.getData(new TextWriter(), { password: 'infected' }), /^An invented program/)
  assert.ok(await fromBufferPromise(answer.rawPayload, { lazyEntries: true }))
})

test('a sample that the vendor knows is not submitted and does not count', async () => {
  const detonator = await corvus.detonator({ detonation_per_day_limit: 0 })
  corvus.vendor.plan.find = () => ({ id: 'old', url: 'https://vendor.example/old' })
  corvus.startLane()
  const made = await corvus.ask('POST', 'detonations', { detonator: detonator.id, ...file() })
  const ended = await corvus.inState(made.id, ['FINISHED', 'FAILED', 'WAITING'].slice(0, 2))
  assert.partialDeepStrictEqual(ended, { state: 'FINISHED', was_known: true, vendor_url: 'https://vendor.example/old' })
  assert.equal(corvus.vendor.received('submit').length, 0)
  assert.equal((await corvus.ask('GET', `detonators/${detonator.id}`)).today_detonation_count, 0)
})

test('the limit of a day holds until midnight UTC, or until it is raised', async () => {
  const detonator = await corvus.detonator({ detonation_per_day_limit: 1 })
  corvus.startLane()
  const [first, second] = [
    await corvus.ask('POST', 'detonations', { detonator: detonator.id, ...file() }),
    await corvus.ask('POST', 'detonations', { detonator: detonator.id, ...file() }),
  ]
  const waits = async () => {
    const states = [await corvus.read(first.id), await corvus.read(second.id)]
    const waiting = states.find(({ state_reason }) => /limit of submissions per day/.test(state_reason ?? ''))
    return waiting && states.some(({ state }) => state === 'FINISHED') ? waiting : undefined
  }
  const waiting = await until(async () => {
    await corvus.pool.query(`update detonations set due_at = now() where state <> 'WAITING'`)
    return waits()
  }, 'nothing waits for the next day')
  assert.equal(waiting.state, 'WAITING')
  const { rows } = await corvus.pool.query(
    `select due_at = (date_trunc('day', now() at time zone 'UTC') + interval '1 day') at time zone 'UTC' as is_midnight from detonations where id = $1`,
    [waiting.id],
  )
  assert.ok(rows[0].is_midnight)
  assert.equal(corvus.vendor.received('submit').length, 1)
  // On the next day.
  await corvus.pool.query('update detonators set counted_on = counted_on - 1 where id = $1', [detonator.id])
  assert.equal((await corvus.ask('GET', `detonators/${detonator.id}`)).today_detonation_count, 0)
  await corvus.inState(waiting.id, ['FINISHED'])
  const third = await corvus.ask('POST', 'detonations', { detonator: detonator.id, ...file() })
  await until(async () => /limit/.test((await corvus.read(third.id)).state_reason ?? ''), 'the third does not wait')
  await corvus.ask('PATCH', `detonators/${detonator.id}`, { detonation_per_day_limit: 5 })
  await corvus.inState(third.id, ['FINISHED'])
})

test('polls back off, and without a result within the deadline a detonation has failed', async () => {
  const detonator = await corvus.detonator()
  corvus.vendor.plan.poll = () => ({ state: 'running', detail: 'It boots.' })
  corvus.startLane()
  const made = await corvus.ask('POST', 'detonations', {
    detonator: detonator.id,
    url: `https://pending-${++counter}.example/`,
  })
  const polled = (count: number) =>
    until(async () => {
      const { rows } = await corvus.pool.query(
        `select extract(epoch from due_at - now())::float8 as pause from detonations
        where id = $1 and claim is null and polls >= $2 and due_at > now() + interval '1 second'`,
        [made.id, count],
      )
      if (rows[0]) return rows[0]
      await corvus.hurry()
      return undefined
    }, `it is not polled ${count} times`)
  const first = await polled(1)
  const later = await polled(8)
  assert.ok(first.pause <= 40 && later.pause > 200 && later.pause <= 300, `${first.pause} ${later.pause}`)
  assert.partialDeepStrictEqual(await corvus.read(made.id), { state: 'RUNNING', state_reason: 'It boots.' })
  await corvus.pool.query(`update detonations set deadline_at = now() - interval '1 second' where id = $1`, [made.id])
  const ended = await corvus.inState(made.id, ['FAILED'])
  assert.match(ended.state_reason, /no result within 60 minutes.*https:\/\/vendor.example\/analysis-1/)
})

const FAULTS: [DetonatorError, Record<string, unknown>, string, RegExp][] = [
  [new DetonatorError('refused', 'The key is wrong.'), { state: 'SUSPENDED' }, 'WAITING', /is suspended/],
  [new DetonatorError('limited', 'Too many.', 600), { state: 'WAITING' }, 'WAITING', /Too many/],
  [new DetonatorError('rejected', 'The file is too large.'), { state: 'ACTIVE' }, 'FAILED', /too large/],
  [new DetonatorError('unreadable', 'No JSON.'), { state: 'ACTIVE' }, 'FAILED', /No JSON/],
]

for (const [error, expected, state, reason] of FAULTS) {
  test(`a submission that is ${error.fault} leaves the detonator ${expected.state} and the detonation ${state}`, async () => {
    const detonator = await corvus.detonator()
    corvus.vendor.plan.submit = () => {
      throw error
    }
    corvus.startLane()
    const made = await corvus.ask('POST', 'detonations', { detonator: detonator.id, ...file() })
    const found = await until(async () => {
      const now = await corvus.ask('GET', `detonators/${detonator.id}`)
      const detonation = await corvus.read(made.id)
      const { rows } = await corvus.pool.query('select claim from detonations where id = $1', [made.id])
      const isSettled = corvus.vendor.received('submit').length > 0 && rows[0].claim === null
      return isSettled && now.state === expected.state && detonation.state === state ? { now, detonation } : undefined
    }, `it does not become ${state}`)
    assert.match(found.detonation.state_reason ?? '', reason)
    assert.equal(corvus.vendor.received('submit').length, 1)
    if (expected.state === 'ACTIVE') return
    assert.match(found.now.state_reason, /key is wrong|Too many/)
    corvus.vendor.reset()
    await corvus.ask('POST', `detonators/${detonator.id}/resume`)
    await corvus.inState(made.id, ['FINISHED'])
  })
}

test('a vendor that cannot be reached opens the circuit, and after five attempts a submission has failed', async () => {
  const detonator = await corvus.detonator()
  corvus.vendor.plan.before = () => {
    throw new DetonatorError('unavailable', 'It is down.')
  }
  corvus.startLane()
  const made = await corvus.ask('POST', 'detonations', { detonator: detonator.id, ...file() })
  await until(async () => {
    await corvus.hurry()
    return (await corvus.ask('GET', `detonators/${detonator.id}`)).state === 'UNREACHABLE'
  }, 'the circuit does not open')
  const ended = await until(async () => {
    await corvus.pool.query('update detonators set open_until = now() where open_until is not null')
    await corvus.hurry()
    const found = await corvus.read(made.id)
    return found.state === 'FAILED' ? found : undefined
  }, 'it does not fail')
  assert.match(ended.state_reason, /It is down/)
})

test('what exceeds the limits is left out, and warnings count it', async () => {
  const detonator = await corvus.detonator()
  const many = <T>(count: number, make: (i: number) => T): T[] => Array.from({ length: count }, (_, i) => make(i))
  corvus.vendor.plan.screenshot = Buffer.from('no image')
  corvus.vendor.plan.report = () => ({
    extracts: many(2100, (i) => ({
      kind: 'domain',
      value: `d${i}.many.example`,
      classification: 'unknown',
      confidence: 'low',
      link_type: null,
    })),
    processes: many(501, (i) => ({ pid: i, parent: null, name: 'x', command_line: 'y'.repeat(i === 0 ? 20_000 : 1) })),
    network: many(2003, () => ({ protocol: 'tcp', host: null, address: '192.0.2.1', port: 1, url: null })),
    screenshots: many(22, (i) => corvus.vendor.screenshot(i)),
    warnings: ['Something of the report.'],
  })
  corvus.startLane()
  const made = await corvus.ask('POST', 'detonations', { detonator: detonator.id, ...file() })
  const ended = await corvus.inState(made.id, ['FINISHED', 'FAILED'])
  assert.equal(ended.state, 'FINISHED', ended.state_reason)
  assert.deepEqual([ended.extracts.length, ended.processes.length, ended.network.length], [2000, 500, 2000])
  const said = ended.warnings.join('\n')
  for (const part of [
    'Something of the report.',
    '100 further observables',
    '1 further processes',
    '3 further network contacts',
    '2 further screenshots',
    '20 screenshots could not be read',
    '1 texts were cut',
  ])
    assert.ok(said.includes(part), `${part} is not in ${said}`)
})
