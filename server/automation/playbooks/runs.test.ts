import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { configureMail, mailsTo } from '../../../test/mail.ts'
import { type Playbooks, startPlaybooks } from '../../../test/set-up/playbooks.ts'
import { makeId } from '../../engine/ids.ts'
import { advanceRun } from './lane/advance-run.ts'
import { claimRuns } from './lane/claim.ts'
import { notifyOfFailures } from './notifications.ts'
import { purgeRuns } from './purge-runs.ts'

let corvus: Playbooks
before(async () => {
  corvus = await startPlaybooks()
})
after(() => corvus.stop())

type Step = { id: string; state: string; outcome: string | null; error: string | null }
type Run = { id: string; state: string; reason: string | null; steps: Step[] }

const MANUAL = { type: 'manual' }
const tag = (added: string, more: object = {}) => ({ id: added, kind: 'tag', added: [added], ...more })
const runsOf = (playbook: { id: number }): Promise<Run[]> => corvus.runsOf(playbook)
const statesOf = ({ steps }: Run) => steps.map(({ state }) => state)
const start = (playbook: { id: number }, entities: readonly { id: string }[], token?: string) =>
  corvus.ask('POST', `playbooks/${playbook.id}/runs`, { entities: entities.map(({ id }) => id) }, token)

async function runOn(playbook: { id: number }, entity: { id: string }): Promise<Run> {
  const { runs } = await start(playbook, [entity])
  await corvus.work()
  return corvus.ask('GET', `playbooks/${playbook.id}/runs/${String(runs[0]).split('/').at(-1)}`)
}

/** The administrator's colleague, whose rights can be taken away. */
async function colleague(): Promise<{ token: string; id: number }> {
  const token = await corvus.tokenFor([
    'read playbooks',
    'modify playbooks',
    'read entities',
    'modify entities',
    'read users',
    'read sources',
    'read taxonomies',
  ])
  return { token, id: (await corvus.ask('GET', 'users/self', undefined, token)).id }
}

test('steps are skipped unless their conditions hold, and a condition that is not met ends the run', async () => {
  const playbook = await corvus.playbook({
    trigger: MANUAL,
    steps: [
      tag('first'),
      tag('again', { added: ['first'] }),
      tag('if_changed', { only_if: [{ step: 'again', outcome: ['changed'] }] }),
      tag('if_unchanged', { only_if: [{ step: 'again', outcome: ['unchanged'] }, { query: 'branches' }] }),
      { id: 'only', kind: 'condition', query: 'data.title:nothing' },
      tag('never'),
    ],
  })
  const entity = await corvus.entity('Branches')
  const run = await runOn(playbook, entity)
  assert.equal(run.state, 'SUCCESS', JSON.stringify(run))
  assert.deepEqual(statesOf(run), ['SUCCESS', 'SUCCESS', 'SKIPPED', 'SUCCESS', 'SUCCESS', 'PENDING'])
  assert.deepEqual(
    run.steps.map(({ outcome }) => outcome),
    ['changed', 'unchanged', null, 'changed', 'not_met', null],
  )
  assert.deepEqual((await corvus.tagsOf(entity)).sort(), ['first', 'if_unchanged'])
})

test('a step that fails ends the run, unless it says to go on', async () => {
  // A step of a kind that a later version had.
  const withBroken = async (on_failure: string) => {
    const playbook = await corvus.playbook({ trigger: MANUAL, steps: [tag('x', { on_failure }), tag('after')] })
    await corvus.pool.query(
      `update playbook_versions set steps = jsonb_set(steps, '{0,kind}', '"dance"') where playbook = $1`,
      [playbook.id],
    )
    return playbook
  }
  const [one, two] = [await corvus.entity('Fails'), await corvus.entity('Goes on')]
  const ended = await runOn(await withBroken('stop'), one)
  assert.deepEqual([ended.state, statesOf(ended)], ['FAILURE', ['FAILURE', 'PENDING']])
  assert.equal(ended.reason, "The step 'x' failed: There are no steps of the kind 'dance' in this installation.")
  const passed = await runOn(await withBroken('continue'), two)
  assert.deepEqual([passed.state, statesOf(passed)], ['WARNING', ['FAILURE', 'SUCCESS']])
  assert.deepEqual(await corvus.tagsOf(two), ['after'])
})

test('a step that fails leaves nothing of what it wrote', async () => {
  await corvus.pool.query(`
    create function refuse_effects() returns trigger language plpgsql as 'begin raise exception ''refused''; end';
    create trigger refuse_effects before insert on playbook_effects for each row execute function refuse_effects()`)
  const playbook = await corvus.playbook({
    trigger: MANUAL,
    steps: [{ id: 'open', kind: 'ticket', title: 'Half of a ticket', on_failure: 'continue' }, tag('afterwards')],
  })
  const run = await runOn(playbook, await corvus.entity('Refused'))
  await corvus.pool.query('drop trigger refuse_effects on playbook_effects')
  assert.deepEqual(statesOf(run), ['FAILURE', 'SUCCESS'])
  assert.deepEqual(await corvus.ask('GET', 'tickets?filter[name]=Half of a ticket'), [])
})

test('a run that failed goes on from the failed step once that can succeed', async () => {
  const playbook = await corvus.playbook({ trigger: MANUAL, steps: [tag('one'), tag('two')] })
  const setKind = (kind: string) =>
    corvus.pool.query(
      `update playbook_versions set steps = jsonb_set(steps, '{1,kind}', to_jsonb($2::text)) where playbook = $1`,
      [playbook.id, kind],
    )
  await setKind('dance')
  const entity = await corvus.entity('Retried')
  const failed = await runOn(playbook, entity)
  assert.deepEqual(statesOf(failed), ['SUCCESS', 'FAILURE'])
  await setKind('tag')
  const path = `playbooks/${playbook.id}/runs/${failed.id}`
  assert.equal((await corvus.ask('POST', `${path}/retry`)).state, 'PENDING')
  await corvus.work()
  const done: Run = await corvus.ask('GET', path)
  assert.deepEqual([done.state, statesOf(done)], ['SUCCESS', ['SUCCESS', 'SUCCESS']])
  // Done again, the first step would have changed nothing.
  assert.deepEqual(
    done.steps.map(({ outcome }) => outcome),
    ['changed', 'changed'],
  )
  assert.equal((await corvus.call('POST', `${path}/retry`)).status, 409)
  assert.equal((await corvus.call('POST', `${path}/stop`)).status, 409)
})

test('a run can be stopped, and goes on if it is repeated', async () => {
  const playbook = await corvus.playbook({ trigger: MANUAL, steps: [tag('stopped')] })
  const entity = await corvus.entity('Stopped')
  await start(playbook, [entity])
  const [{ id } = { id: '' }] = await runsOf(playbook)
  const path = `playbooks/${playbook.id}/runs/${id}`
  const stopped = await corvus.ask('POST', `${path}/stop`)
  assert.deepEqual([stopped.state, stopped.reason], ['REVOKED', 'A user stopped the run.'])
  await corvus.work()
  assert.deepEqual(await corvus.tagsOf(entity), [])
  await corvus.ask('POST', `${path}/retry`)
  await corvus.work()
  assert.deepEqual(await corvus.tagsOf(entity), ['stopped'])
})

test('the run of an owner who lost a permission, or was deactivated, fails and says so', async () => {
  const owner = await colleague()
  const playbook = await corvus.playbook({ trigger: MANUAL, steps: [tag('mine')] }, owner.token)
  const entity = await corvus.entity('Owned')
  await corvus.pool.query(
    `delete from role_permissions as l using permissions as p, role_users as u
     where p.id = l.target and p.name = 'modify entities' and u.source = l.source and u.target = $1`,
    [owner.id],
  )
  const lacking = await runOn(playbook, entity)
  assert.deepEqual(
    [lacking.state, lacking.reason],
    ['FAILURE', "The step 'mine' failed: Missing permissions: [modify entities]"],
  )
  await corvus.ask('PATCH', `users/${owner.id}`, { is_active: false })
  const inactive = await runOn(playbook, entity)
  assert.equal(inactive.state, 'FAILURE')
  assert.match(inactive.reason ?? '', /that account does not exist or is inactive/)
  assert.deepEqual(await corvus.tagsOf(entity), [])
})

test('a run whose object was deleted, or is no longer visible to the owner, ends with a warning', async () => {
  const owner = await colleague()
  const playbook = await corvus.playbook({ trigger: MANUAL, steps: [tag('seen')] }, owner.token)
  const [gone, hidden] = [await corvus.entity('Gone'), await corvus.entity('Hidden')]
  await start(playbook, [gone, hidden], owner.token)
  await corvus.ask('DELETE', `entities/${gone.id}`)
  await corvus.pool.query(`delete from group_users where target = $1`, [owner.id])
  await corvus.work()
  const { rows } = await corvus.pool.query(
    `select object, state, reason from playbook_runs where playbook = $1 order by reason`,
    [playbook.id],
  )
  assert.deepEqual(rows, [
    { object: gone.id, state: 'WARNING', reason: 'The object was deleted before the run ended.' },
    {
      object: hidden.id,
      state: 'WARNING',
      reason: 'The user who last saved the playbook no longer sees the object.',
    },
  ])
  // Its owner still sees the run on the deleted object, the administrator also the one on the other.
  const seenBy = async (token?: string) => (await corvus.runsOf(playbook, token)).map(({ id }: Run) => id).length
  assert.equal(await seenBy(owner.token), 1)
  assert.equal(await seenBy(), 1)
})

test('a playbook that fails five times in a row pauses, tells its owner, and goes on when it is resumed', async () => {
  assert.equal((await configureMail(corvus, 25)).status, 200)
  const { id: owner } = await corvus.ask('GET', 'users/self')
  await corvus.ask('PATCH', `users/${owner}`, { email: 'owner@example.org' })
  const playbook = await corvus.playbook({ trigger: { type: 'change', query: 'pausing' }, steps: [tag('paused')] })
  const setKind = (kind: string) =>
    corvus.pool.query(
      `update playbook_versions set steps = jsonb_set(steps, '{0,kind}', to_jsonb($2::text)) where playbook = $1`,
      [playbook.id, kind],
    )
  await setKind('dance')
  for (const n of [1, 2, 3, 4, 5]) await corvus.entity(`Pausing ${n}`)
  await corvus.settle()
  const paused = await corvus.ask('GET', `playbooks/${playbook.id}`)
  assert.partialDeepStrictEqual(paused, { state: 'PAUSED', is_active: true, run_counts: { FAILURE: 5 } })
  assert.match(paused.paused_reason, /^The last 5 runs failed. The latest one: The step 'paused' failed: /)
  await notifyOfFailures(corvus.server)
  const { rows } = await corvus.pool.query(
    `select (select count(*)::integer from playbook_runs where not is_told) as runs,
      (select count(*)::integer from playbooks where not is_pause_told) as playbooks`,
  )
  assert.deepEqual(rows, [{ runs: 0, playbooks: 0 }])
  // One for the failed runs and one for the pause; a second look finds nothing to tell.
  assert.equal((await mailsTo(corvus, owner)).length, 2)
  await notifyOfFailures(corvus.server)
  assert.equal((await mailsTo(corvus, owner)).length, 2)
  await setKind('tag')
  const entity = await corvus.entity('Pausing 6')
  await corvus.settle()
  assert.equal((await runsOf(playbook)).length, 5)
  // What was started before the pause waits for its end.
  await corvus.pool.query(
    `insert into playbook_runs (id, playbook, version, collection, object, occurrence, cause)
    values (gen_random_uuid(), $1, 1, 'entities', $2, 'before', 'change')`,
    [playbook.id, entity.id],
  )
  await corvus.work()
  assert.equal((await runsOf(playbook)).at(-1)?.state, 'PENDING')
  assert.equal((await corvus.ask('POST', `playbooks/${playbook.id}/resume`)).state, 'ACTIVE')
  await corvus.ask('PATCH', `entities/${entity.id}`, { data: { title: 'Pausing 6, changed' } })
  await corvus.settle()
  assert.deepEqual(await corvus.tagsOf(entity), ['paused'])
})

test('a process that lost its claim takes no step, and the next one takes it once', async () => {
  const playbook = await corvus.playbook({ trigger: MANUAL, steps: [tag('fenced')] })
  const entity = await corvus.entity('Fenced')
  await start(playbook, [entity])
  const parts = { server: corvus.server, log: { warn() {}, error() {} } as never, signal: new AbortController().signal }
  const [lost] = await claimRuns(corvus.db, makeId(), 1)
  assert.ok(lost)
  assert.deepEqual(await claimRuns(corvus.db, makeId(), 1), [])
  await corvus.expireLeases()
  const [next] = await claimRuns(corvus.db, makeId(), 1)
  assert.ok(next)
  await advanceRun(parts, lost)
  assert.deepEqual(await corvus.tagsOf(entity), [])
  await advanceRun(parts, next)
  const [run] = await runsOf(playbook)
  assert.equal(run?.state, 'SUCCESS')
  const { rows } = await corvus.pool.query(
    `select count(*)::integer as count from changes where resource = 'entities' and kind = 'update' and $1 = any(ids)`,
    [entity.id],
  )
  assert.deepEqual(rows, [{ count: 1 }])
})

test('a step that breaks off again and again fails', async () => {
  const playbook = await corvus.playbook({ trigger: MANUAL, steps: [tag('poison')] })
  await start(playbook, [await corvus.entity('Poison')])
  for (let n = 0; n < 6; n++) {
    assert.equal((await claimRuns(corvus.db, makeId(), 1)).length, 1)
    await corvus.expireLeases()
  }
  await corvus.work()
  const [run] = await runsOf(playbook)
  assert.equal(run?.reason, "The step 'poison' failed: The step broke off repeatedly.")
})

test('runs are deleted after 30 days, and what runs once does not run again', async () => {
  const trigger = { type: 'change', query: 'purged' }
  const playbook = await corvus.playbook({ trigger, steps: [{ id: 'end', kind: 'stop' }] })
  const entity = await corvus.entity('Purged')
  await corvus.settle()
  assert.equal((await runsOf(playbook)).length, 1)
  await corvus.pool.query(`update playbook_runs set created_at = now() - interval '31 days' where playbook = $1`, [
    playbook.id,
  ])
  assert.equal(await purgeRuns(corvus.db, new AbortController().signal), 1)
  await corvus.ask('PATCH', `entities/${entity.id}`, { data: { title: 'Purged, changed' } })
  await corvus.settle()
  assert.deepEqual(await runsOf(playbook), [])
})
