import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { catchUp, untilReadable } from '../../../test/followers.ts'
import { isCounted } from '../../../test/set-up/counting.ts'
import { type Playbooks, startPlaybooks } from '../../../test/set-up/playbooks.ts'
import { makeId } from '../../engine/ids.ts'
import { followChanges } from './follow-changes.ts'
import { scheduledPlaybook } from './scheduled-playbook.ts'

let corvus: Playbooks
const statements: string[] = []
before(async () => {
  corvus = await startPlaybooks((statement) => void statements.push(statement.trim().slice(0, 60)))
})
after(() => corvus.stop())

type Run = { state: string; reason: string | null; cause: string; entity: string | null; steps: { outcome: string }[] }

const tag = (...added: string[]) => [{ id: 'tag', kind: 'tag', added }]
const remove = (playbook: { id: number }) => corvus.ask('DELETE', `playbooks/${playbook.id}`)
const statesOf = async (playbook: { id: number }): Promise<string[]> =>
  (await corvus.runsOf(playbook)).map(({ state }: Run) => state)

test('a new entity that matches starts a run, which does the steps for the owner', async () => {
  const playbook = await corvus.playbook({
    trigger: { type: 'change', kinds: ['create'], query: 'data.title:phishing' },
    steps: tag('seen'),
  })
  const [wanted, other] = [await corvus.entity('Phishing wave'), await corvus.entity('Botnet')]
  await corvus.settle()
  assert.deepEqual(await corvus.tagsOf(wanted), ['seen'])
  assert.deepEqual(await corvus.tagsOf(other), [])
  const [run] = await corvus.runsOf(playbook)
  assert.partialDeepStrictEqual(run, {
    state: 'SUCCESS',
    reason: null,
    cause: 'change',
    collection: 'entities',
    object_title: 'Phishing wave',
    version: 1,
    created_by: null,
    steps: [
      {
        id: 'tag',
        kind: 'tag',
        state: 'SUCCESS',
        outcome: 'changed',
        input: { added: ['seen'] },
        output: { added: ['seen'], removed: [] },
        error: null,
        attempts: 1,
      },
    ],
  })
  assert.ok(run.entity.endsWith(`/entities/${wanted.id}`))
  const shown = await corvus.ask('GET', `playbooks/${playbook.id}`)
  assert.partialDeepStrictEqual(shown, {
    state: 'ACTIVE',
    status: 'SUCCESS',
    run_counts: { SUCCESS: 1 },
    problem: null,
  })
  const { rows } = await corvus.pool.query(
    `select cause_kind, cause_id, cause_depth, user_id is not null as has_user from changes where resource = 'entities' and kind = 'update' and $1 = any(ids)`,
    [wanted.id],
  )
  assert.deepEqual(rows, [{ cause_kind: 'playbook', cause_id: String(playbook.id), cause_depth: 1, has_user: true }])
  await remove(playbook)
})

test('a playbook that runs once does so for each version and object; one that repeats does so at each change', async () => {
  const trigger = { type: 'change', kinds: ['update'], query: 'data.title:repeated' }
  const once = await corvus.playbook({ trigger, steps: tag('once') })
  const each = await corvus.playbook({ trigger: { ...trigger, repeat: 'each_change' }, steps: tag('each') })
  const entity = await corvus.entity('A repeated thing')
  await corvus.settle()
  assert.deepEqual([await statesOf(once), await statesOf(each)], [[], []])
  const change = (title: string) => corvus.ask('PATCH', `entities/${entity.id}`, { data: { title } })
  await change('A repeated thing, changed')
  await corvus.settle()
  assert.deepEqual(await statesOf(once), ['SUCCESS'])
  const before = (await statesOf(each)).length
  await change('A repeated thing, changed again')
  await corvus.settle()
  assert.deepEqual(await statesOf(once), ['SUCCESS'])
  assert.ok((await statesOf(each)).length > before)
  await corvus.ask('PATCH', `playbooks/${once.id}`, { steps: tag('once', 'more') })
  await change('A repeated thing, changed for the last time')
  await corvus.settle()
  assert.deepEqual(await statesOf(once), ['SUCCESS', 'SUCCESS'])
  await remove(once)
  await remove(each)
})

test('only changes of the given fields start a run, and of a new entity all fields are', async () => {
  const playbook = await corvus.playbook({
    trigger: {
      type: 'change',
      changed_fields: ['meta.tlp_color', 'data.title'],
      query: 'fields',
      repeat: 'each_change',
    },
    steps: [{ id: 'end', kind: 'stop' }],
  })
  const entity = await corvus.entity('Some fields')
  await corvus.settle()
  assert.equal((await statesOf(playbook)).length, 1)
  const after = async (patch: object) => {
    await corvus.ask('PATCH', `entities/${entity.id}`, patch)
    await corvus.settle()
    return (await statesOf(playbook)).length
  }
  assert.equal(await after({ meta: { tags: ['other'] } }), 1)
  assert.equal(await after({ meta: { tlp_color: 'GREEN' } }), 2)
  assert.equal(await after({ data: { description: 'With fields' } }), 2)
  assert.equal(await after({ data: { title: 'Other fields' } }), 3)
  await remove(playbook)
})

test('observables and files start runs as well', async () => {
  const stop = [{ id: 'end', kind: 'stop' }]
  const ofObservables = await corvus.playbook({
    trigger: { type: 'change', collection: 'observables', query: 'value:bad.example' },
    steps: stop,
  })
  const ofFiles = await corvus.playbook({
    trigger: { type: 'change', collection: 'files', query: 'name:sample' },
    steps: stop,
  })
  const [observable] = await corvus.ask('PUT', 'observables', [{ type: 'domain', value: 'bad.example' }])
  await corvus.ask('PUT', 'observables', [{ type: 'domain', value: 'good.example' }])
  const file = await corvus.ask('POST', 'files', { name: 'sample.bin', data: 'AAAA', process: false })
  await corvus.settle()
  const [[first, ...more], [second]] = [await corvus.runsOf(ofObservables), await corvus.runsOf(ofFiles)]
  assert.deepEqual(more, [])
  assert.ok(first.observable.endsWith(`/observables/${observable.id}`))
  assert.ok(second.file.endsWith(`/files/${file.id}`))
  assert.deepEqual([first.state, second.state], ['SUCCESS', 'SUCCESS'])
  await remove(ofObservables)
  await remove(ofFiles)
})

test('an entity must be reached by the relations of the trigger', async () => {
  const playbook = await corvus.playbook({
    trigger: {
      type: 'change',
      relational_query: { start: { query: 'data.title:hub' }, hops: [{ via: 'observables' }] },
    },
    steps: tag('related'),
  })
  const observables = [{ type: 'domain', value: 'shared.example' }]
  await corvus.entity('The hub', { observables })
  const [near, far] = [await corvus.entity('Near', { observables }), await corvus.entity('Far')]
  await corvus.settle()
  assert.deepEqual(await corvus.tagsOf(near), ['related'])
  assert.deepEqual(await corvus.tagsOf(far), [])
  await remove(playbook)
})

test('inactive playbooks start nothing, and deactivating one stops what it began', async () => {
  const playbook = await corvus.playbook({ trigger: { type: 'change', query: 'inactive' }, steps: tag('never') })
  const entity = await corvus.entity('An inactive thing')
  await corvus.follow()
  assert.deepEqual(await statesOf(playbook), ['PENDING'])
  await corvus.ask('PATCH', `playbooks/${playbook.id}`, { is_active: false })
  await corvus.entity('Another inactive thing')
  await corvus.settle()
  assert.deepEqual(await statesOf(playbook), ['REVOKED'])
  assert.deepEqual(await corvus.tagsOf(entity), [])
  await remove(playbook)
})

test('a schedule starts runs on what matches, and goes on with the rest the next time', async () => {
  for (const n of [1, 2, 3]) await corvus.entity(`Scheduled ${n}`)
  const playbook = await corvus.playbook({
    trigger: { type: 'schedule', execution_schedule: { interval: 3600 }, query: 'data.title:scheduled', most: 2 },
    steps: tag('scheduled'),
  })
  const { rows } = await corvus.pool.query(`select is_active, next_run_at from tasks where id = $1`, [
    String(playbook.task).split('/').at(-1),
  ])
  assert.equal(rows[0].is_active, true)
  assert.ok(rows[0].next_run_at)
  const run = () =>
    scheduledPlaybook.run({
      ...corvus.server,
      id: makeId(),
      attempt: 1,
      parameters: { playbook: playbook.id },
      callerId: null,
      signal: new AbortController().signal,
      progress: () => {},
      log: () => {},
    })
  assert.deepEqual(await run(), { result: { started: 2 } })
  assert.deepEqual(await run(), { result: { started: 1 } })
  assert.deepEqual(await run(), { result: { started: 0 } })
  await corvus.work()
  assert.deepEqual(await statesOf(playbook), ['SUCCESS', 'SUCCESS', 'SUCCESS'])
  await remove(playbook)
})

test('a user runs a playbook on chosen objects or a query; the same key does so once', async () => {
  const playbook = await corvus.playbook({ is_active: false, trigger: { type: 'manual' }, steps: tag('by hand') })
  const [one, two] = [await corvus.entity('Chosen one'), await corvus.entity('Chosen two')]
  const run = (data: object) => corvus.ask('POST', `playbooks/${playbook.id}/runs`, data)
  assert.equal((await run({ entities: [one.id], key: 'first' })).count, 1)
  assert.equal((await run({ entities: [one.id], key: 'first' })).count, 0)
  assert.equal((await run({ entities_query: 'data.title:chosen' })).count, 2)
  await corvus.work()
  assert.deepEqual([await corvus.tagsOf(one), await corvus.tagsOf(two)], [['by hand'], ['by hand']])
  const [first] = await corvus.runsOf(playbook)
  assert.equal(first.cause, 'manual')
  assert.ok(first.created_by)
  for (const [data, detail] of [
    [{}, 'data.entities: is required, unless there is a query'],
    [{ files: [1] }, 'data.files: must be empty, because the playbook is about entities'],
    [{ entities: [makeId()] }, /there is no/],
  ] as const) {
    const { status, body } = await corvus.call('POST', `playbooks/${playbook.id}/runs`, { data })
    assert.equal(status, 400)
    if (typeof detail === 'string') assert.equal(body[0].detail, detail)
    else assert.match(body[0].detail, detail)
  }
  await remove(playbook)
})

test('changes that are read again start nothing again', async () => {
  const playbook = await corvus.playbook({
    trigger: { type: 'change', query: 'replayed', repeat: 'each_change' },
    steps: [{ id: 'end', kind: 'stop' }],
  })
  const { rows } = await corvus.pool.query(`select change, item from followers where name = 'playbooks'`)
  await corvus.entity('Replayed')
  await corvus.settle()
  await corvus.pool.query(`update followers set change = $1, item = $2 where name = 'playbooks'`, [
    rows[0].change,
    rows[0].item,
  ])
  await corvus.settle()
  assert.deepEqual(await statesOf(playbook), ['SUCCESS'])
  await remove(playbook)
})

test('a trigger that cannot be evaluated says so on its playbook, and the others run', async () => {
  const trigger = { type: 'change', query: 'data.title:/((a{1,200}){1,200}){1,200}/' }
  const broken = await corvus.playbook({ trigger, steps: tag('never') })
  const sound = await corvus.playbook({ trigger: { type: 'change', query: 'healthy' }, steps: tag('fine') })
  const entity = await corvus.entity('Healthy')
  await corvus.settle()
  assert.deepEqual(await corvus.tagsOf(entity), ['fine'])
  assert.match((await corvus.ask('GET', `playbooks/${broken.id}`)).problem, /cannot be evaluated/)
  assert.equal((await corvus.ask('GET', `playbooks/${sound.id}`)).problem, null)
  await remove(broken)
  await remove(sound)
})

test('the number of statements of the follower depends neither on the playbooks nor on the changes', async () => {
  const triggers = (n: number) => [
    { type: 'change', query: `data.title:many AND NOT data.title:x${n}*` },
    { type: 'change', changed_fields: ['meta.tags'], repeat: 'each_change', query: 'data.title:many' },
    { type: 'change', relational_query: { start: { query: `hub${n}` }, hops: [{ via: 'both' }] } },
  ]
  const made: { id: number }[] = []
  const add = async (n: number) => {
    for (const trigger of triggers(n))
      made.push(await corvus.playbook({ trigger, steps: [{ id: 'end', kind: 'stop' }] }))
  }
  const counted = async (count: number, name: string) => {
    const items = Array.from({ length: count }, (_, i) => ({ data: { type: 'report', title: `Many ${name} ${i}` } }))
    const written = await corvus.ask('PUT', 'entities', items)
    const tagged = written.map(({ id }: { id: string }, i: number) => ({ ...items[i], id, meta: { tags: [name] } }))
    await corvus.ask('PUT', 'entities', tagged)
    await untilReadable(corvus.db)
    statements.length = 0
    await catchUp(corvus.server, followChanges)
    // The audit trail of earlier requests is written meanwhile.
    return statements.filter(isCounted)
  }
  await add(0)
  await counted(1, 'warm')
  const few = await counted(1, 'few')
  for (let n = 1; n < 6; n++) await add(n)
  const many = await counted(30, 'lots')
  assert.deepEqual(many, few)
  for (const playbook of made) await remove(playbook)
})
