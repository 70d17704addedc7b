import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ANALYST, base64 } from '../../../../test/set-up/detonators.ts'
import { corvus } from '../../../../test/set-up/scripted-sandbox.ts'
import { until } from '../../../../test/until.ts'
import { makeId } from '../../../engine/ids.ts'
import { DetonatorError } from '../adapter.ts'
import { advance } from './advance.ts'
import { claimDue } from './claim.ts'

let counter = 0
const file = () => ({ data: base64(`An interrupted program ${++counter}.`), filename: 'x.exe' })
const ask = (detonator: number, more: Record<string, unknown> = {}, token = corvus.admin) =>
  corvus.ask('POST', 'detonations', { detonator, ...file(), ...more }, token)

/** Leaves a detonation as a process does that died in a state. */
const abandon = (id: string, state: string, isExpired = true) =>
  corvus.pool.query(
    `update detonations set state = $2, claim = gen_random_uuid(), attempts = 1, due_at = now(),
      claimed_until = now() + make_interval(mins => $3), vendor_id = 'analysis-1', deadline_at = now() + interval '1 hour' where id = $1`,
    [id, state, isExpired ? -1 : 1],
  )

for (const [state, calls] of [
  ['WAITING', ['find', 'submit', 'poll', 'report']],
  ['CHECKING', ['find', 'submit', 'poll', 'report']],
  ['SUBMITTING', ['find', 'submit', 'poll', 'report']],
  ['RUNNING', ['poll', 'report']],
  ['REPORTING', ['report']],
] as const) {
  test(`a detonation whose process died in ${state} goes on once its claim has ended`, async () => {
    const detonator = await corvus.detonator()
    const made = await ask(detonator.id)
    await abandon(made.id, state, false)
    corvus.startLane()
    await corvus.hurry()
    assert.equal((await claimDue(corvus.db, makeId(), 5, ['scripted'])).length, 0, 'a claim holds until it ends')
    await abandon(made.id, state)
    const ended = await corvus.inState(made.id, ['FINISHED', 'FAILED'])
    assert.equal(ended.state, 'FINISHED', ended.state_reason)
    assert.deepEqual(
      corvus.vendor.received().map(({ what }) => what),
      calls,
    )
  })
}

test('a submission that the vendor did not confirm is not repeated if the vendor knows the sample, and else takes a place of its own', async () => {
  const detonator = await corvus.detonator({ detonation_per_day_limit: 2 })
  const found = await ask(detonator.id)
  await abandon(found.id, 'SUBMITTING')
  await corvus.pool.query(
    `update detonators set counted = 1, counted_on = (now() at time zone 'UTC')::date where id = $1`,
    [detonator.id],
  )
  corvus.vendor.plan.find = () => ({ id: 'analysis-1', url: null })
  corvus.startLane()
  await corvus.inState(found.id, ['FINISHED'])
  assert.equal(corvus.vendor.received('submit').length, 0)
  await corvus.stopLanes()
  corvus.vendor.reset()
  const lost = await ask(detonator.id)
  await abandon(lost.id, 'SUBMITTING')
  corvus.startLane()
  await corvus.inState(lost.id, ['FINISHED'])
  assert.equal(corvus.vendor.received('submit').length, 1)
  assert.equal((await corvus.ask('GET', `detonators/${detonator.id}`)).today_detonation_count, 2)
})

test('a process whose claim was taken over stores nothing', async () => {
  const detonator = await corvus.detonator()
  const made = await ask(detonator.id)
  const [claimed] = await claimDue(corvus.db, makeId(), 5, ['scripted'])
  assert.ok(claimed)
  corvus.vendor.plan.find = () => ({ id: 'analysis-1', url: null })
  corvus.vendor.plan.report = () => {
    throw new Error('must not be reached')
  }
  corvus.vendor.plan.before = async (what) => {
    if (what === 'poll')
      await corvus.pool.query('update detonations set claim = gen_random_uuid() where id = $1', [made.id])
  }
  const log = { warn: () => {}, error: () => {} } as never
  await advance({ server: corvus.server, log, signal: AbortSignal.timeout(30_000) }, claimed)
  assert.equal((await corvus.read(made.id)).state, 'RUNNING')
})

test('the report of a process whose claim was taken over is not stored', async () => {
  const detonator = await corvus.detonator()
  const made = await ask(detonator.id)
  const [claimed] = await claimDue(corvus.db, makeId(), 5, ['scripted'])
  assert.ok(claimed)
  corvus.vendor.plan.find = () => ({ id: 'analysis-1', url: null })
  corvus.vendor.plan.before = async (what) => {
    if (what === 'report')
      await corvus.pool.query('update detonations set claim = gen_random_uuid() where id = $1', [made.id])
  }
  const log = { warn: () => {}, error: () => {} } as never
  await advance({ server: corvus.server, log, signal: AbortSignal.timeout(30_000) }, claimed)
  assert.partialDeepStrictEqual(await corvus.read(made.id), { state: 'REPORTING', verdict: null, entity: null })
})

test('what was allowed when it was asked for is checked again before every call', async () => {
  const changes: [
    what: string,
    (detonator: number, user: { id: number; token: string }) => Promise<unknown>,
    RegExp,
  ][] = [
    [
      'consent',
      (id, { token }) => corvus.call('DELETE', `detonators/${id}/consent`, undefined, token),
      /has not accepted/,
    ],
    ['ceiling', (id) => corvus.ask('PATCH', `detonators/${id}`, { max_tlp: 'WHITE' }), /It is TLP GREEN/],
    ['permission', (_, { id }) => corvus.ask('PATCH', `users/${id}`, { roles: [] }), /may no longer submit/],
    ['account', (_, { id }) => corvus.ask('PATCH', `users/${id}`, { is_active: false }), /may no longer submit/],
  ]
  for (const [what, change, reason] of changes) {
    const detonator = await corvus.detonator()
    const user = await corvus.personIn(`Person ${what}`, ANALYST, [`${detonator.source}?allowed_tlp=RED`])
    await corvus.consent(detonator.id, user.token)
    const made = await ask(detonator.id, { tlp_color: 'GREEN' }, user.token)
    await change(detonator.id, user)
    corvus.startLane()
    const { rows } = await until(async () => {
      await corvus.hurry()
      const found = await corvus.pool.query(
        `select state_reason from detonations where id = $1 and state = 'REFUSED'`,
        [made.id],
      )
      return found.rows.length > 0 ? found : undefined
    }, `${what}: it is not refused`)
    assert.match(rows[0].state_reason, reason, what)
    assert.equal(corvus.vendor.received().length, 0, `${what}: something left the platform`)
    await corvus.stopLanes()
  }
})

test('consent that is withdrawn while the vendor works ends the detonation without another call', async () => {
  const detonator = await corvus.detonator()
  const made = await ask(detonator.id)
  corvus.vendor.plan.poll = () => ({ state: 'running' })
  corvus.startLane()
  await corvus.inState(made.id, ['RUNNING'])
  await corvus.call('DELETE', `detonators/${detonator.id}/consent`)
  await corvus.inState(made.id, ['REFUSED'])
  const count = corvus.vendor.received().length
  await corvus.hurry()
  assert.equal(corvus.vendor.received().length, count)
})

test('a sample that is deleted or recoloured before its turn is not submitted', async () => {
  const detonator = await corvus.detonator()
  const [gone, red] = [
    await corvus.ask('POST', 'files', { name: 'gone.bin', data: file().data, process: false }),
    await corvus.ask('POST', 'files', { name: 'red.bin', data: file().data, process: false }),
  ]
  const first = await corvus.ask('POST', 'detonations', { detonator: detonator.id, file: gone.id })
  const second = await corvus.ask('POST', 'detonations', { detonator: detonator.id, file: red.id })
  await corvus.call('DELETE', `files/${gone.id}`)
  await corvus.ask('PATCH', `files/${red.id}`, { tlp_color: 'RED' })
  corvus.startLane()
  assert.match((await corvus.inState(first.id, ['REFUSED'])).state_reason, /no longer sees the sample/)
  assert.match((await corvus.inState(second.id, ['REFUSED'])).state_reason, /TLP RED/)
  assert.equal(corvus.vendor.received().length, 0)
})

test('a report is not less restricted than its sample', async () => {
  const detonator = await corvus.detonator()
  const made = await ask(detonator.id, { tlp_color: 'GREEN' })
  corvus.startLane()
  const { entity } = await corvus.inState(made.id, ['FINISHED'])
  const { meta } = await corvus.ask('GET', `entities/${String(entity).split('/').at(-1)}`)
  assert.equal(meta.tlp_color, 'GREEN')
})

test('addresses of detonators cannot reach networks that the operator does not allow', async () => {
  const made = await corvus.ask('POST', 'detonators', {
    adapter: 'scripted',
    parameters: { url: 'http://169.254.169.254', api_key: 'key' },
  })
  const tested = await corvus.ask('POST', `detonators/${made.id}/test`)
  assert.equal(tested.state, 'FAILED')
  assert.match(tested.reason, /could not be reached/)
})

test('a test of a detonator makes one harmless call, and never shows a secret', async () => {
  const detonator = await corvus.detonator()
  assert.partialDeepStrictEqual(await corvus.ask('POST', `detonators/${detonator.id}/test`), {
    state: 'OK',
    reason: null,
  })
  assert.deepEqual(
    corvus.vendor.received().map(({ what }) => what),
    ['check'],
  )
  corvus.vendor.plan.before = () => {
    throw new DetonatorError('refused', 'The key key-of-the-vendor is wrong.')
  }
  const failed = await corvus.ask('POST', `detonators/${detonator.id}/test`)
  assert.deepEqual([failed.state, failed.reason], ['FAILED', 'The key *** is wrong.'])
  const shown = JSON.stringify(await corvus.ask('GET', 'detonators'))
  assert.ok(!shown.includes('key-of-the-vendor'))
})

test('requesters are notified once of an end, and those who set up detonators of a suspension', async () => {
  const detonator = await corvus.detonator()
  await corvus.pool.query(
    `update users set email = 'admin@corvus.example' where id = (select user_id from tokens limit 1)`,
  )
  const made = await ask(detonator.id)
  corvus.startLane()
  await corvus.inState(made.id, ['FINISHED'])
  const told = await until(async () => {
    const { rows } = await corvus.pool.query('select is_told from detonation_requesters where detonation = $1', [
      made.id,
    ])
    return rows[0]?.is_told
  }, 'the requester is not notified')
  assert.ok(told)
  corvus.vendor.plan.before = () => {
    throw new DetonatorError('refused', 'The key is wrong.')
  }
  await ask(detonator.id)
  await until(async () => {
    await corvus.hurry()
    const { rows } = await corvus.pool.query(
      'select is_suspension_told from detonators where id = $1 and suspended_at is not null',
      [detonator.id],
    )
    return rows[0]?.is_suspension_told
  }, 'no user is notified of the suspension')
})
