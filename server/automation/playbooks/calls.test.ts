import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startReceiver } from '../../../test/receiver.ts'
import { type Playbooks, startPlaybooks } from '../../../test/set-up/playbooks.ts'

let corvus: Playbooks
let receiver: Awaited<ReturnType<typeof startReceiver>>
before(async () => {
  corvus = await startPlaybooks()
  receiver = await startReceiver()
})
after(async () => {
  await receiver.stop()
  await corvus.stop()
})

type Run = {
  id: string
  state: string
  reason: string | null
  steps: { state: string; attempts: number; error: string }[]
}

const hook = (path: string) => [{ id: 'hook', kind: 'webhook', url: `${receiver.url}/${path}` }]
const latest = async (playbook: { id: number }): Promise<Run> => (await corvus.runsOf(playbook)).at(-1)
const keysAt = (path: string) => receiver.callsTo(path).map(({ headers }) => headers['idempotency-key'])

test('a call that fails for a while is repeated with pauses, under the same key', async () => {
  const playbook = await corvus.playbook({ trigger: { type: 'manual' }, steps: hook('flaky') })
  const entity = await corvus.entity('Flaky')
  let failures = 2
  receiver.answers((response) => {
    response.statusCode = failures-- > 0 ? 503 : 200
    response.end()
  })
  await corvus.ask('POST', `playbooks/${playbook.id}/runs`, { entities: [entity.id] })
  await corvus.work()
  const waiting = await latest(playbook)
  assert.deepEqual([waiting.state, waiting.steps[0]?.state], ['WAITING', 'STARTED'])
  assert.match(waiting.steps[0]?.error ?? '', /503/)
  for (const _ of [1, 2]) {
    await corvus.hurry()
    await corvus.work()
  }
  const done = await latest(playbook)
  assert.deepEqual([done.state, done.steps[0]?.attempts], ['SUCCESS', 3])
  assert.deepEqual(keysAt('/flaky'), Array(3).fill(`${done.id}-0`))
})

test('a call that keeps failing ends the run after five attempts', async () => {
  const playbook = await corvus.playbook({ trigger: { type: 'manual' }, steps: hook('down') })
  const entity = await corvus.entity('Down')
  receiver.answers((response) => {
    response.statusCode = 500
    response.end()
  })
  await corvus.ask('POST', `playbooks/${playbook.id}/runs`, { entities: [entity.id] })
  for (let n = 0; n < 7; n++) {
    await corvus.hurry()
    await corvus.work()
  }
  const run = await latest(playbook)
  assert.deepEqual([run.state, run.steps[0]?.attempts], ['FAILURE', 5])
  assert.equal(receiver.callsTo('/down').length, 5)
})

test('a webhook whose receiver writes back ends after five runs, with a warning', async () => {
  const playbook = await corvus.playbook({
    trigger: { type: 'change', kinds: ['update'], query: 'echoing', repeat: 'each_change' },
    steps: hook('echo'),
  })
  const entity = await corvus.entity('Echoing')
  let writes = 0
  const write = () => corvus.ask('PATCH', `entities/${entity.id}`, { data: { title: `Echoing ${++writes}` } })
  receiver.answers(async (response) => {
    await write()
    response.end()
  })
  await write()
  await corvus.settle()
  const states = (await corvus.runsOf(playbook)).map(({ state }: Run) => state)
  assert.deepEqual(states, ['SUCCESS', 'SUCCESS', 'SUCCESS', 'SUCCESS', 'SUCCESS', 'WARNING'])
  assert.equal(receiver.callsTo('/echo').length, 5)
})
