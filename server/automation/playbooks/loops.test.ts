import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
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

const NARROW = 'Narrow the trigger, so that it does not follow what its own runs lead to.'
const DEEP = `Not run: 3 automations caused each other before, which looks like a loop. ${NARROW}`
const OFTEN = `Not run: it ran 5 times on this object within 10 minutes, which looks like a loop. ${NARROW}`
const DONE = ['SUCCESS', null]
const ENDING = [DONE, DONE, DONE, ['WARNING', DEEP]]

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
    ENDING,
  )
  await corvus.ask('DELETE', `playbooks/${playbook.id}`)
})

const REMOVING = { actions: ['remove_tags'], remove_tags: ['quarrel'], content_criteria: 'tags:quarrel' }
const ADDING = { actions: ['add_tags'], add_tags: ['kept'], content_criteria: 'quarrelling' }

for (const [what, given, changed_fields, expected] of [
  ['removes the tag that it adds', REMOVING, [], ENDING],
  // It acts in the write of the user already.
  ['adds the tag that it removes', ADDING, [], ENDING.slice(1)],
  // The rule acts within the write of the step, which then changes no tag.
  ['keeps the tags as they are', REMOVING, ['meta.tags'], [DONE]],
] as const) {
  test(`a playbook and an entity rule that ${what} end as well`, async () => {
    const rule = await corvus.ask('POST', 'entities/rules', { name: `It ${what}`, is_active: true, ...given })
    const playbook = await corvus.playbook({
      trigger: { ...each('quarrelling'), changed_fields },
      steps: [{ id: 'quarrel', kind: 'tag', added: ['quarrel'], removed: ['kept'] }],
    })
    const entity = await corvus.entity('Quarrelling')
    await corvus.ask('PATCH', `entities/${entity.id}`, { meta: { tags: ['new'] } })
    await corvus.settle()
    assert.deepEqual(
      (await runsOf(playbook)).map(({ state, reason }) => [state, reason]),
      expected,
    )
    await corvus.ask('DELETE', `playbooks/${playbook.id}`)
    await corvus.ask('DELETE', `entities/rules/${rule.id}`)
  })
}

test('a webhook whose receiver writes back as a user ends after five runs, with one warning', async () => {
  const entity = await corvus.entity('Boomerang')
  const token = await corvus.tokenFor(['read entities', 'modify entities'])
  let calls = 0
  const receiver = createServer(async (request, response) => {
    await buffer(request)
    const data = { data: { title: `Boomerang ${++calls}` } }
    const { status } = await corvus.call('PATCH', `entities/${entity.id}`, { data }, token)
    response.writeHead(status === 200 ? 204 : 500).end()
  })
  receiver.listen(0, '127.0.0.1')
  await once(receiver, 'listening')
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`
  try {
    const playbook = await corvus.playbook({
      trigger: each('boomerang'),
      steps: [{ id: 'tell', kind: 'webhook', url, max_tlp: null }],
    })
    await corvus.ask('PATCH', `entities/${entity.id}`, { data: { title: 'Boomerang, thrown' } })
    await corvus.settle()
    const runs = await runsOf(playbook)
    assert.deepEqual(
      runs.map(({ state, reason }) => [state, reason]),
      [DONE, DONE, DONE, DONE, DONE, ['WARNING', OFTEN]],
    )
    assert.equal(calls, 5)
    await corvus.ask('DELETE', `playbooks/${playbook.id}`)
  } finally {
    receiver.close()
  }
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
