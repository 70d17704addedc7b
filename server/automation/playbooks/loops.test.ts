import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Playbooks, startPlaybooks } from '../../../test/set-up/playbooks.ts'

let corvus: Playbooks
before(async () => {
  corvus = await startPlaybooks()
})
after(() => corvus.stop())

type Run = { state: string; reason: string | null; cause: string }

const each = (query: string) => ({ type: 'change', kinds: ['update'], query, repeat: 'each_change' })
const runsOf = (playbook: { id: number }): Promise<Run[]> => corvus.runsOf(playbook)

/** Adds its tag if it is not there, and removes it otherwise, so that it changes the entity each time. */
const toggling = (name: string) => [
  { id: 'add', kind: 'tag', added: [name] },
  { id: 'drop', kind: 'tag', removed: [name], only_if: [{ step: 'add', outcome: ['unchanged'] }] },
]

const DEEP = 'Not run: 3 automations caused each other before, which looks like a loop.'
const OFTEN = 'Not run: it ran 5 times on this object within 10 minutes, which looks like a loop.'

test('two playbooks that trigger each other end at a depth, with a warning', async () => {
  const [ping, pong] = [
    await corvus.playbook({ trigger: each('volley'), steps: toggling('ping') }),
    await corvus.playbook({ trigger: each('volley'), steps: toggling('pong') }),
  ]
  const entity = await corvus.entity('Volley')
  await corvus.ask('PATCH', `entities/${entity.id}`, { data: { title: 'Volley again' } })
  await corvus.settle()
  for (const playbook of [ping, pong]) {
    const runs = await runsOf(playbook)
    const blocked = runs.filter(({ state }) => state === 'WARNING')
    assert.equal(blocked.length, 1, JSON.stringify(runs))
    assert.ok([DEEP, OFTEN].includes(blocked[0]?.reason ?? ''))
    assert.ok(runs.length <= 6, `${runs.length} runs`)
    assert.ok(runs.every(({ state }) => ['SUCCESS', 'WARNING'].includes(state)))
    await corvus.ask('DELETE', `playbooks/${playbook.id}`)
  }
})

test('a playbook that changes what triggers it ends at a depth', async () => {
  const playbook = await corvus.playbook({ trigger: each('echo'), steps: toggling('echo') })
  const entity = await corvus.entity('Echo')
  await corvus.ask('PATCH', `entities/${entity.id}`, { data: { title: 'Echo echo' } })
  await corvus.settle()
  const runs = await runsOf(playbook)
  assert.deepEqual(
    runs.map(({ state, reason }) => [state, reason]),
    [
      ['SUCCESS', null],
      ['SUCCESS', null],
      ['SUCCESS', null],
      ['WARNING', DEEP],
    ],
  )
  await corvus.ask('DELETE', `playbooks/${playbook.id}`)
})

test('a playbook and an entity rule that undo each other end as well', async () => {
  const rule = await corvus.ask('POST', 'entities/rules', {
    name: 'Removes the tag',
    is_active: true,
    content_criteria: 'tags:quarrel',
    actions: ['remove_tags'],
    remove_tags: ['quarrel'],
  })
  const playbook = await corvus.playbook({
    trigger: each('quarrelling'),
    steps: [{ id: 'add', kind: 'tag', added: ['quarrel'] }],
  })
  const entity = await corvus.entity('Quarrelling')
  await corvus.ask('PATCH', `entities/${entity.id}`, { data: { title: 'Quarrelling again' } })
  await corvus.settle()
  const runs = await runsOf(playbook)
  assert.ok(runs.length > 0 && runs.length <= 4, `${runs.length} runs`)
  await corvus.ask('DELETE', `playbooks/${playbook.id}`)
  await corvus.ask('DELETE', `entities/rules/${rule.id}`)
})

test('a loop through a client outside ends after five runs, with one warning', async () => {
  const playbook = await corvus.playbook({ trigger: each('outside'), steps: [{ id: 'end', kind: 'stop' }] })
  const entity = await corvus.entity('Outside')
  // What a receiver of a webhook does that writes back as a user.
  for (let n = 0; n < 9; n++) {
    await corvus.ask('PATCH', `entities/${entity.id}`, { data: { title: `Outside ${n}` } })
    await corvus.settle()
  }
  const runs = await runsOf(playbook)
  assert.deepEqual(
    runs.map(({ state }) => state),
    ['SUCCESS', 'SUCCESS', 'SUCCESS', 'SUCCESS', 'SUCCESS', 'WARNING'],
  )
  assert.equal(runs.at(-1)?.reason, OFTEN)
  await corvus.ask('DELETE', `playbooks/${playbook.id}`)
})
