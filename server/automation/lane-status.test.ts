import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startDetonators } from '../../test/set-up/detonators.ts'
import { readDetonatorLanes } from './detonators/lane/lane-status.ts'
import { readLaneStatus } from './enrichers/lanes/lane-status.ts'
import type { LaneStatus } from './lane-status.ts'
import { readPlaybookLanes } from './playbooks/lane/lane-status.ts'

let corvus: Awaited<ReturnType<typeof startDetonators>>
before(async () => {
  corvus = await startDetonators()
})
after(() => corvus.stop())

/** Makes the rows of a queue, from the oldest: one that is held, one whose claim has expired, one that is due, and one that waits. */
const arrange = async (table: string, requestedAt: string) => {
  const { rows } = await corvus.pool.query(
    `with rows as (select ctid, row_number() over (order by ctid) as n from ${table})
    update ${table} as t
    set ${requestedAt} = now() - make_interval(hours => 10 - rows.n::integer),
      due_at = now() + case when rows.n = 4 then interval '1 hour' else make_interval(mins => -(5 - rows.n::integer)) end,
      claim = case when rows.n <= 2 then gen_random_uuid() end,
      claimed_until = case rows.n when 1 then now() + interval '1 hour' when 2 then now() - interval '1 minute' end
    from rows where rows.ctid = t.ctid returning t.ctid`,
  )
  assert.equal(rows.length, 4)
}

function assertMeasured(status: LaneStatus | undefined, state: string): void {
  assert.partialDeepStrictEqual(status, { state, waiting: 3, due: 2, running: 1 })
  const { oldest_seconds, oldest_due_seconds } = status as LaneStatus
  // The first is not due while a process holds it.
  assert.ok(oldest_seconds >= 9 * 3600 && oldest_seconds < 10 * 3600, String(oldest_seconds))
  assert.ok(oldest_due_seconds >= 3 * 60 && oldest_due_seconds < 4 * 60, String(oldest_due_seconds))
}

const NOTHING = { waiting: 0, due: 0, running: 0, oldest_seconds: 0, oldest_due_seconds: 0 }

test('the queue of a detonator tells what is due, what waits and what is held', async () => {
  const { id } = await corvus.detonator()
  const idle = await corvus.detonator({ name: 'Idle' })
  for (let i = 0; i < 4; i++)
    await corvus.ask('POST', 'detonations', { detonator: id, url: `https://sample-${i}.example/` })
  await arrange('detonations', 'created_at')
  const lanes = await readDetonatorLanes(corvus.server)
  assertMeasured(
    lanes.find(({ detonator }) => detonator === id),
    'ACTIVE',
  )
  assert.deepEqual(
    lanes.find(({ detonator }) => detonator === idle.id),
    { detonator: idle.id, name: 'Idle', state: 'ACTIVE', ...NOTHING },
  )
  await corvus.pool.query(`update detonations set state = 'CANCELLED'`)
  assert.partialDeepStrictEqual(
    (await readDetonatorLanes(corvus.server)).find(({ detonator }) => detonator === id),
    NOTHING,
  )
})

test('the queue of a playbook tells what is due, what waits and what is held', async () => {
  const playbook = await corvus.ask('POST', 'playbooks', {
    name: 'Queued',
    is_active: true,
    trigger: { type: 'manual', collection: 'entities' },
    steps: [{ id: 'tag', kind: 'tag', added: ['queued'] }],
  })
  await corvus.pool.query(
    `insert into playbook_runs (id, playbook, version, collection, object, occurrence, cause)
    select gen_random_uuid(), $1, 1, 'entities', gen_random_uuid()::text, i::text, 'manual' from generate_series(1, 4) as i`,
    [playbook.id],
  )
  await arrange('playbook_runs', 'created_at')
  const status = async () => (await readPlaybookLanes(corvus.db)).find((lane) => lane.playbook === playbook.id)
  assertMeasured(await status(), 'ACTIVE')
  await corvus.pool.query('update playbook_runs set ended_at = now()')
  assert.deepEqual(await status(), { playbook: playbook.id, name: 'Queued', state: 'ACTIVE', ...NOTHING })
})

test('the queue of an enricher tells what is due, what waits and what is held', async () => {
  const enricher = await corvus.ask('POST', 'enrichers', {
    name: 'Queued',
    enricher: 'builtin:dns',
    is_active: true,
    supported_observable_types: ['domain'],
  })
  for (let i = 0; i < 4; i++) {
    const observable = await corvus.ask('POST', 'observables', { type: 'domain', value: `queued-${i}.example` })
    await corvus.pool.query('insert into enrichment_requests (enricher, observable) values ($1, $2)', [
      enricher.id,
      observable.id,
    ])
  }
  await arrange('enrichment_requests', 'requested_at')
  const status = async () => (await readLaneStatus(corvus.db)).find((lane) => lane.enricher === enricher.id)
  assertMeasured(await status(), 'ACTIVE')
  await corvus.pool.query('delete from enrichment_requests')
  assert.deepEqual(await status(), { enricher: enricher.id, name: 'Queued', state: 'ACTIVE', ...NOTHING })
})
