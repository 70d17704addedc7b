import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Playbooks, startPlaybooks } from '../../../test/set-up/playbooks.ts'

let corvus: Playbooks
before(async () => {
  corvus = await startPlaybooks()
})
after(() => corvus.stop())

const MANUAL = { type: 'manual' }

async function runOn(playbook: { id: number }, entity: { id: string }) {
  const { runs } = await corvus.ask('POST', `playbooks/${playbook.id}/runs`, { entities: [entity.id] })
  await corvus.work()
  return corvus.ask('GET', `playbooks/${playbook.id}/runs/${String(runs[0]).split('/').at(-1)}`)
}

test('who does not see an object sees no run on it, nor is it counted', async () => {
  const reader = await corvus.tokenFor(['read playbooks', 'read entities'])
  const readerId = (await corvus.ask('GET', 'users/self', undefined, reader)).id
  const playbook = await corvus.playbook({ trigger: MANUAL, steps: [{ id: 'tag', kind: 'tag', added: ['secret'] }] })
  const run = await runOn(playbook, await corvus.entity('Restricted'))
  const path = `playbooks/${playbook.id}/runs/${run.id}`
  assert.equal((await corvus.call('GET', path, undefined, reader)).status, 200)
  await corvus.pool.query(`delete from group_users where target = $1`, [readerId])
  await corvus.ask('PATCH', `users/${readerId}`, { firstname: 'Other' })
  assert.equal((await corvus.call('GET', path, undefined, reader)).status, 404)
  assert.deepEqual(await corvus.runsOf(playbook, reader), [])
  const shown = await corvus.ask('GET', `playbooks/${playbook.id}`, undefined, reader)
  assert.partialDeepStrictEqual(shown, { status: null, run_counts: {}, last_run_at: null })
  const noEntities = await corvus.tokenFor(['read playbooks'])
  assert.equal((await corvus.call('POST', `${path}/stop`, undefined, noEntities)).status, 403)
})

test('a run names no objects that the reader does not see, and none to who may not read its object', async () => {
  const reader = await corvus.tokenFor(['read playbooks', 'read entities', 'read tickets'])
  const { id } = await corvus.ask('GET', 'users/self', undefined, reader)
  const [home] = await corvus.ask('GET', 'groups?filter[name]=Default')
  await corvus.pool.query('delete from group_users where target = $1', [id])
  await corvus.ask('POST', 'groups', { name: 'Readers', users: [id], sources: [`${home.source}?allowed_tlp=GREEN`] })
  const workspace = await corvus.ask('POST', 'workspaces', { name: 'For the owner' })
  const playbook = await corvus.playbook({
    trigger: MANUAL,
    steps: [
      { id: 'open', kind: 'ticket', title: 'Look at {title}', workspaces: [workspace.id] },
      { id: 'make', kind: 'create_entity', type: 'incident', title: 'Incident', tlp_color: 'RED' },
    ],
  })
  const run = await runOn(playbook, await corvus.entity('Shared'))
  const path = `playbooks/${playbook.id}/runs/${run.id}`
  const outputs = async (token?: string) =>
    (await corvus.ask('GET', path, undefined, token)).steps.map(({ output }: { output: object }) => output)
  const [{ ticket }, { entity }] = await outputs()
  assert.ok(ticket > 0 && entity.length > 0)
  assert.deepEqual(await outputs(reader), [{ ticket: null }, { entity: null }])
  assert.equal((await corvus.call('GET', path, undefined, await corvus.tokenFor(['read playbooks']))).status, 404)
})
