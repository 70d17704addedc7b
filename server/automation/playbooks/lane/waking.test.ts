import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { pino } from 'pino'
import { base64, startDetonators } from '../../../../test/set-up/detonators.ts'
import { until } from '../../../../test/until.ts'
import { startPlaybookLane } from './lane.ts'

let corvus: Awaited<ReturnType<typeof startDetonators>>
let lane: ReturnType<typeof startPlaybookLane>
before(async () => {
  corvus = await startDetonators()
  lane = startPlaybookLane({ server: corvus.server, log: pino({ level: 'silent' }) })
  corvus.startLane()
})
after(async () => {
  await lane.stop()
  await corvus.stop()
})

let counter = 0

/** A run that waits for sandboxes which do not answer, and that is looked at in an hour by itself. */
async function waitingRun(sandboxes: number) {
  corvus.vendor.plan.poll = () => ({ state: 'running' })
  const detonators = []
  for (let i = 0; i < sandboxes; i++) detonators.push((await corvus.detonator({ name: `waking_${++counter}` })).id)
  const name = `waking-${++counter}.exe`
  const file = await corvus.ask('POST', 'files', { name, data: base64(name), process: false, workspaces: [1] })
  const playbook = await corvus.ask('POST', 'playbooks', {
    name,
    is_active: true,
    trigger: { type: 'manual', collection: 'files' },
    steps: [{ id: 'run', kind: 'detonate', detonators }],
  })
  const { runs } = await corvus.ask('POST', `playbooks/${playbook.id}/runs`, { files: [file.id] })
  const id = String(runs[0]).split('/').at(-1) ?? ''
  await until(async () => {
    const { rowCount } = await corvus.pool.query(
      `update playbook_runs set due_at = now() + interval '1 hour' where id = $1 and state = 'WAITING' and claim is null`,
      [id],
    )
    return rowCount
  }, 'the run does not wait')
  const { rows } = await corvus.pool.query(
    `select w.id from playbook_run_steps as s cross join jsonb_array_elements_text(s.waits_for -> 'detonations') as w(id)
     where s.run = $1 order by w.id`,
    [id],
  )
  const run = () => corvus.ask('GET', `playbooks/${playbook.id}/runs/${id}`)
  return { id, run, detonations: rows.map((row) => row.id as string) }
}

const over = ({ run }: Awaited<ReturnType<typeof waitingRun>>) =>
  until(async () => {
    const now = await run()
    return ['PENDING', 'STARTED', 'WAITING'].includes(now.state) ? undefined : now
  }, 'the run does not go on')

const isDueLater = async (id: string): Promise<boolean> =>
  (
    await corvus.pool.query(
      `select due_at > now() + interval '30 minutes' as is_later from playbook_runs where id = $1`,
      [id],
    )
  ).rows[0].is_later

test('a run goes on when its detonation has ended, without its pause', async () => {
  const waiting = await waitingRun(1)
  corvus.vendor.plan.poll = () => ({ state: 'finished' })
  await corvus.inState(waiting.detonations[0] ?? '', ['FINISHED'])
  const { state, steps } = await over(waiting)
  assert.deepEqual([state, steps[0].outcome], ['SUCCESS', 'malicious'])
})

test('a run of several sandboxes goes on when the last of them has ended', async () => {
  const waiting = await waitingRun(2)
  const [first = '', last = ''] = waiting.detonations
  await corvus.ask('POST', `detonations/${first}/cancel`)
  assert.equal((await waiting.run()).state, 'WAITING')
  assert.ok(await isDueLater(waiting.id))
  corvus.vendor.plan.poll = () => ({ state: 'finished' })
  await corvus.inState(last, ['FINISHED'])
  const { state, steps } = await over(waiting)
  assert.deepEqual([state, steps[0].outcome], ['WARNING', 'malicious'])
})

test('a run goes on when its owner cancels the detonation for which it waits', async () => {
  const waiting = await waitingRun(1)
  await corvus.ask('POST', `detonations/${waiting.detonations[0]}/cancel`)
  assert.equal((await over(waiting)).state, 'FAILURE')
})

test('a run goes on after a detonation whose report took long to store', async () => {
  const waiting = await waitingRun(1)
  // The end bears the time at which its transaction began, when the run had not looked yet.
  await corvus.pool.query(
    `update detonations as t
     set state = 'FINISHED', verdict = 'clean', claim = null, finished_at = now() - interval '1 minute',
       expires_at = now() + interval '1 day', vis = 8 * s.number
     from detonators as d join sources as s on s.id = d.source
     where t.id = $1 and d.id = t.detonator`,
    [waiting.detonations[0]],
  )
  assert.equal((await over(waiting)).state, 'SUCCESS')
})
