import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startApp } from '../../../test/app.ts'
import { OWN_MEMBERS } from './stored-step.ts'

let corvus: Awaited<ReturnType<typeof startApp>>
before(async () => {
  corvus = await startApp()
})
after(() => corvus.stop())

type Item = Record<string, unknown>

const TAG = { id: 'tag', kind: 'tag', added: ['seen'] }

const playbook = (name: string, given: Item = {}): Item => ({
  name,
  trigger: { type: 'change' },
  steps: [TAG],
  ...given,
})

const create = async (given: Item, token?: string) => corvus.call('POST', 'playbooks', { data: given }, token)

const detailsOf = ({ body }: { body: { detail: string }[] }) => body.map(({ detail }) => detail).sort()

test('a playbook is stored with the defaults of its trigger and its steps', async () => {
  const { status, body } = await create(playbook('With defaults'))
  assert.equal(status, 201, JSON.stringify(body))
  assert.partialDeepStrictEqual(body.data, {
    name: 'With defaults',
    description: null,
    is_active: false,
    trigger: {
      type: 'change',
      collection: 'entities',
      kinds: ['create', 'update'],
      query: null,
      relational_query: null,
      changed_fields: [],
      repeat: 'once',
    },
    steps: [{ id: 'tag', kind: 'tag', name: null, only_if: [], on_failure: 'stop', added: ['seen'] }],
    template: null,
    version: 1,
    state: 'INACTIVE',
    paused_reason: null,
    status: null,
    problem: null,
    run_counts: {},
    last_run_at: null,
    task: null,
  })
})

test('every invalid field of the trigger and the steps is named with its path', async () => {
  const { status, body } = await create({
    name: 'Wrong',
    trigger: { type: 'change', collection: 'observables', query: 'title:(', changed_fields: ['meta.tags'] },
    steps: [
      { id: 'first', kind: 'tag', tags: ['a'] },
      { id: 'first', kind: 'tag', added: [7] },
      { id: 'Third', kind: 'dance' },
      { id: 'fourth', kind: 'stop', only_if: [{ step: 'fifth', outcome: ['changed'] }], reason: '{nothing}' },
      { id: 'fifth', kind: 'stop', only_if: [{ step: 'first', outcome: ['found'] }], reason: '{steps.sixth.count}' },
      { id: 'sixth', kind: 'condition', outcomes: [{ step: 'seventh', outcome: ['x'] }] },
      { id: 'seventh', kind: 'stop', only_if: [{ query: 'title:(' }, {}] },
    ],
  })
  assert.equal(status, 400)
  const paths = (body as { detail: string }[]).map(({ detail }) => detail.split(':')[0])
  assert.ok(paths.includes('data.trigger.query'), JSON.stringify(body))
  assert.ok(paths.includes('data.steps[2].kind'), JSON.stringify(body))
})

test('faults of steps that are well formed are named with their path', async () => {
  const answer = await create({
    name: 'Wrong',
    trigger: { type: 'manual' },
    steps: [
      { id: 'first', kind: 'tag', tags: ['a'] },
      { id: 'first', kind: 'tag', added: [7] },
      { id: 'fourth', kind: 'stop', only_if: [{ step: 'fifth', outcome: ['changed'] }], reason: '{nothing}' },
      { id: 'fifth', kind: 'stop', only_if: [{ step: 'first', outcome: ['found'] }], reason: '{steps.sixth.count}' },
      { id: 'sixth', kind: 'condition', outcomes: [{ step: 'seventh', outcome: ['x'] }] },
    ],
  })
  assert.equal(answer.status, 400)
  assert.deepEqual(detailsOf(answer), [
    'data.steps[0].added: is required, unless tags are removed',
    'data.steps[0].tags: is no parameter of tag. It has added, removed',
    'data.steps[1].added[0]: must be of type string, not 7',
    "data.steps[1].id: 'first' is the id of another step",
    "data.steps[2].only_if[0].step: must name an earlier step, and 'fifth' is none",
    'data.steps[2].reason: {nothing} is no placeholder. There are {title}, {type}, {id}, {url}, {source}, {tlp}, {playbook} and {steps.<id>.<output>}',
    'data.steps[3].only_if[0].outcome[0]: must be one of changed, unchanged, out_of_scope',
    "data.steps[3].reason: {steps.sixth.count} must name an earlier step, and 'sixth' is none",
    "data.steps[4].outcomes[0].step: must name an earlier step, and 'seventh' is none",
  ])
})

test('a step that cannot work on the objects of the trigger is refused', async () => {
  const answer = await create(playbook('Files', { trigger: { type: 'manual', collection: 'files' } }))
  assert.equal(answer.status, 400)
  assert.deepEqual(detailsOf(answer), ['steps[0].kind: tag works on entities, and the trigger is about files'])
})

test('a user who lacks a permission that a step needs cannot save the playbook', async () => {
  const token = await corvus.tokenFor(['read playbooks', 'modify playbooks', 'read entities'])
  const answer = await create(playbook('Not mine'), token)
  assert.equal(answer.status, 403)
  assert.deepEqual(detailsOf(answer), ['Missing permissions: [modify entities]'])
  assert.equal((await create(playbook('Mine', { steps: [{ id: 'end', kind: 'stop' }] }), token)).status, 201)
})

test('the version grows when the trigger or the steps change, and at no other time', async () => {
  const { id } = (await create(playbook('Versions'))).body.data
  const versionAfter = async (patch: Item) =>
    (await corvus.call('PATCH', `playbooks/${id}`, { data: patch })).body.data.version
  assert.equal(await versionAfter({ description: 'Other words', is_active: true }), 1)
  assert.equal(await versionAfter({ trigger: { query: 'phishing' } }), 2)
  assert.equal(await versionAfter({ trigger: { query: 'phishing' } }), 2)
  assert.equal(await versionAfter({ steps: [{ ...TAG, added: ['other'] }] }), 3)
  assert.equal(await versionAfter({ trigger: { type: 'manual' } }), 4)
  const { trigger } = (await corvus.call('GET', `playbooks/${id}`)).body.data
  assert.deepEqual(trigger, { type: 'manual', collection: 'entities' })
})

test('a playbook that was read can be written again, under its name or another', async () => {
  const made = (await create(playbook('Exported', { description: 'Some words' }))).body.data
  const { name, description, trigger, steps } = made
  const same = await corvus.call('PUT', 'playbooks', { data: [{ name, description, trigger, steps }] })
  assert.equal(same.status, 200)
  assert.deepEqual([same.body.data[0].id, same.body.data[0].version], [made.id, 1])
  const copy = await corvus.call('PUT', 'playbooks', { data: [{ name: 'Copy', description, trigger, steps }] })
  assert.equal(copy.status, 201)
  assert.deepEqual(copy.body.data[0].steps, steps)
})

test('the kinds of steps are listed with their outcomes and parameters', async () => {
  const { status, body } = await corvus.call('GET', 'playbooks/step-kinds')
  assert.equal(status, 200)
  const tag = body.data.find(({ kind }: { kind: string }) => kind === 'tag')
  assert.deepEqual(Object.keys(tag.outcomes), ['changed', 'unchanged', 'out_of_scope'])
  assert.deepEqual(Object.keys(tag.parameters.properties), ['added', 'removed'])
})

test('no parameter of a kind is called like a member that all steps have', async () => {
  const { body } = await corvus.call('GET', 'playbooks/step-kinds')
  for (const { kind, parameters } of body.data)
    assert.deepEqual(
      Object.keys(parameters.properties ?? {}).filter((name) => OWN_MEMBERS.includes(name)),
      [],
      kind,
    )
})

test('a reference can be a name, and must lead to something that the user sees', async () => {
  const dataset = (await corvus.call('POST', 'datasets', { data: { name: 'Blocked domains', workspaces: [1] } })).body
    .data
  const adding = (datasets: unknown[]) =>
    playbook(`Adds to ${JSON.stringify(datasets)}`, { steps: [{ id: 'add', kind: 'add_to', datasets }] })
  const { status, body } = await create(adding([{ name: 'Blocked domains' }]))
  assert.equal(status, 201, JSON.stringify(body))
  assert.match(body.data.steps[0].datasets[0], new RegExp(`/datasets/${dataset.id}$`))
  const answer = await create(adding([dataset.id, 999_999, { name: 'Nothing' }]))
  assert.deepEqual(detailsOf(answer), [
    "steps[0].datasets[1]: there is no '999999' in datasets.",
    "steps[0].datasets[2]: there is no 'Nothing' in datasets.",
  ])
})
