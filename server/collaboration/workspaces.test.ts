import assert from 'node:assert/strict'
import { test } from 'node:test'
import { corvus, guest, guestId, hidden, owner } from '../../test/set-up/two-people.ts'

const names = async (token: string): Promise<string[]> =>
  (await corvus.call('GET', 'workspaces?sort=name', undefined, token)).body.data.map(
    ({ name }: { name: string }) => name,
  )

test('the default workspace is number 1, public, and cannot be deleted', async () => {
  const { body } = await corvus.call('GET', 'workspaces/1', undefined, guest)
  assert.deepEqual([body.data.name, body.data.is_public], ['Default', true])
  assert.equal((await corvus.call('DELETE', 'workspaces/1')).status, 409)
  assert.equal((await corvus.call('DELETE', 'workspaces', [1])).status, 409)
})

test('an invisible workspace appears in no list, count, path, filter, reference or key', async () => {
  assert.deepEqual(await names(owner), ['Default', 'hidden'])
  assert.deepEqual(await names(guest), ['Default'])
  assert.equal((await corvus.call('GET', 'workspaces?data=false', undefined, guest)).body.total_count, 1)
  for (const [method, path, body] of [
    ['GET', `workspaces/${hidden}`],
    ['PATCH', `workspaces/${hidden}`, { description: 'x' }],
    ['DELETE', `workspaces/${hidden}`],
    ['GET', `workspaces/${hidden}/tickets`],
    ['PUT', `workspaces/${hidden}/collaborators/${guestId}`],
  ] as const) {
    assert.equal((await corvus.call(method, path, body, guest)).status, 404, `${method} ${path}`)
  }
  assert.equal((await corvus.call('PUT', 'workspaces', [{ name: 'hidden', description: 'x' }], guest)).status, 409)
  assert.equal((await corvus.call('POST', 'tickets', { name: 'to hidden', workspaces: [hidden] }, guest)).status, 400)
  const ticket = await corvus.call('POST', 'tickets', { name: 'in hidden', workspaces: [1, hidden] }, owner)
  assert.equal(ticket.body.data.workspaces.length, 2)
  const seen = await corvus.call('GET', `tickets/${ticket.body.data.id}`, undefined, guest)
  assert.equal(seen.body.data.workspaces.length, 1)
  const filtered = await corvus.call('GET', `tickets?filter[workspaces]=${hidden}`, undefined, guest)
  assert.equal(filtered.body.total_count, 0)
  assert.equal(
    (await corvus.call('GET', `tickets/${ticket.body.data.id}/workspaces/${hidden}`, undefined, guest)).status,
    404,
  )
})

test('replacing links keeps those that the caller cannot see', async () => {
  const item = { name: 'in hidden', workspaces: [1, hidden], stakeholders: [guestId] }
  const { body } = await corvus.call('PUT', 'tickets', item, owner)
  await corvus.call('PATCH', `tickets/${body.data.id}`, { workspaces: [] }, guest)
  const after = await corvus.call('GET', `tickets/${body.data.id}`, undefined, owner)
  assert.deepEqual(after.body.data.workspaces, [`http://corvus.test/api/v2/workspaces/${hidden}`])
})

test('collaborators and members of its groups see a workspace', async () => {
  await corvus.call('PUT', `workspaces/${hidden}/collaborators/${guestId}`, undefined, owner)
  assert.deepEqual(await names(guest), ['Default', 'hidden'])
  await corvus.call('DELETE', `workspaces/${hidden}/collaborators/${guestId}`, undefined, owner)
  assert.deepEqual(await names(guest), ['Default'])
  await corvus.call('PUT', `workspaces/${hidden}/groups/1`, undefined, owner)
  assert.deepEqual(await names(guest), ['Default', 'hidden'])
})
