import assert from 'node:assert/strict'
import { test } from 'node:test'
import { BASE, type Method } from '../../test/app.ts'
import { corvus, guest, guestId, hidden, owner } from '../../test/set-up/two-people.ts'

const shared: number = (await corvus.call('POST', 'workspaces', { name: 'shared', collaborators: [guestId] }, owner))
  .body.data.id

let counter = 0

async function make(item: Record<string, unknown> = {}, token = owner) {
  const { status, body } = await corvus.call('POST', 'tickets', { data: { name: `T${++counter}`, ...item } }, token)
  assert.equal(status, 201, JSON.stringify(body))
  return body.data
}

const statusOf = async (method: Method, path: string, body: unknown, token: string): Promise<number> =>
  (await corvus.call(method, path, body, token)).status

test('a ticket outside workspaces is visible to all, others through one of their workspaces', async () => {
  for (const [item, forGuest] of [
    [{}, 200],
    [{ workspaces: [1] }, 200],
    [{ workspaces: [hidden] }, 404],
    [{ workspaces: [hidden, shared] }, 200],
  ] as const) {
    const { id } = await make(item)
    assert.equal(await statusOf('GET', `tickets/${id}`, undefined, guest), forGuest, JSON.stringify(item))
    assert.equal(await statusOf('GET', `tickets/${id}`, undefined, owner), 200)
  }
})

test('creator, assignee and stakeholders always see a ticket', async () => {
  const mine = await make({ workspaces: [shared] }, guest)
  await corvus.call('PATCH', `tickets/${mine.id}`, { workspaces: [hidden] }, owner)
  for (const { id } of [
    mine,
    await make({ workspaces: [hidden], assignee: guestId }),
    await make({ workspaces: [hidden], stakeholders: [guestId] }),
  ]) {
    const { status, body } = await corvus.call('GET', `tickets/${id}`, undefined, guest)
    assert.deepEqual([status, body.data.workspaces], [200, []])
  }
})

test('an invisible ticket appears in no list, count, path, filter, reference or key', async () => {
  const { id, name } = await make({ workspaces: [hidden] })
  for (const [method, path, body] of [
    ['PATCH', `tickets/${id}`, { status: 'CLOSED' }],
    ['DELETE', `tickets/${id}`],
    ['DELETE', 'tickets', [id]],
    ['GET', `tickets/${id}/workspaces`],
    ['PUT', `tickets/${id}/stakeholders/${guestId}`],
    ['GET', `tickets/${id}/history`],
  ] as const) {
    assert.equal(await statusOf(method, path, body, guest), 404, `${method} ${path}`)
  }
  const listed = await corvus.call('GET', `tickets?filter[name]=${name}`, undefined, guest)
  assert.deepEqual([listed.body.data, listed.body.total_count], [[], 0])
  assert.equal(await statusOf('PUT', 'tickets', [{ name, status: 'CLOSED' }], guest), 409)
  assert.equal(await statusOf('PUT', `workspaces/${shared}/tickets/${id}`, undefined, guest), 400)
  const refused = await corvus.call('PATCH', `workspaces/${shared}`, { tickets: [id] }, guest)
  assert.deepEqual([refused.status, refused.body[0].detail], [400, `tickets: there is no '${id}' in tickets.`])
  assert.equal((await corvus.call('GET', `tickets/${id}`, undefined, owner)).body.data.status, 'OPEN')
})

test('a workspace can release its tickets, including those that become invisible', async () => {
  const [open, secret] = [await make({ workspaces: [shared] }), await make({ workspaces: [shared, hidden] })]
  assert.equal(await statusOf('PATCH', `workspaces/${shared}`, { tickets: [] }, guest), 200)
  assert.equal(await statusOf('GET', `tickets/${open.id}`, undefined, guest), 200)
  assert.equal(await statusOf('GET', `tickets/${secret.id}`, undefined, guest), 404)
  assert.deepEqual((await corvus.call('GET', `tickets/${secret.id}`, undefined, owner)).body.data.workspaces, [
    `${BASE}/api/v2/workspaces/${hidden}`,
  ])
})

test('a caller cannot change a ticket so that they could no longer see it', async () => {
  const { id, name } = await make({ workspaces: [hidden, shared] })
  for (const [method, path, body] of [
    ['PATCH', `tickets/${id}`, { workspaces: [] }],
    ['PUT', 'tickets', [{ name, workspaces: [] }]],
    ['DELETE', `tickets/${id}/workspaces/${shared}`],
  ] as const) {
    const answer = await corvus.call(method, path, body, guest)
    assert.equal(answer.status, 409, `${method} ${path}`)
    assert.match(answer.body[0].detail, /^You would no longer see the ticket/)
  }
  const kept = await corvus.call('GET', `tickets/${id}`, undefined, owner)
  assert.deepEqual(
    kept.body.data.workspaces,
    [hidden, shared].map((workspace) => `${BASE}/api/v2/workspaces/${workspace}`),
  )
  await corvus.call('PUT', `tickets/${id}/stakeholders/${guestId}`, undefined, guest)
  assert.equal(await statusOf('PATCH', `tickets/${id}`, { workspaces: [] }, guest), 200)
  assert.equal(await statusOf('DELETE', `tickets/${id}/stakeholders/${guestId}`, undefined, guest), 409)
})

test('tickets are sorted and compared by urgency', async () => {
  const priorities = ['MEDIUM', 'CRITICAL', 'LOW', 'HIGH']
  const data = priorities.map((priority) => ({ name: `Urgent ${priority}`, priority }))
  await corvus.call('PUT', 'tickets', { data })
  const shown = async (query: string) =>
    (
      await corvus.call(
        'GET',
        `tickets?${query}&filter[name]=Urgent LOW&filter[name]=Urgent MEDIUM&filter[name]=Urgent HIGH&filter[name]=Urgent CRITICAL`,
      )
    ).body.data.map(({ priority }: { priority: string }) => priority)
  assert.deepEqual(await shown('sort=priority'), ['LOW', 'MEDIUM', 'HIGH', 'CRITICAL'])
  assert.deepEqual(await shown('sort=priority&filter[>=priority]=HIGH'), ['HIGH', 'CRITICAL'])
})
