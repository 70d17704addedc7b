import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { startCounting } from '../../../test/set-up/counting.ts'
import { corvus, make, makeEntity, makeWorkspace, nextName, url } from '../../../test/set-up/datasets.ts'

const PERMISSIONS = ['tickets', 'workspaces', 'entities'].flatMap((name) => [`read ${name}`, `modify ${name}`])

interface Change {
  readonly id: number
  readonly field: string
  readonly before: unknown
  readonly after: unknown
  readonly created_at: string
  readonly created_by: string | null
}

let editor: string
let editorId: number
before(async () => {
  editor = await corvus.tokenFor(PERMISSIONS)
  editorId = (await corvus.call('GET', 'users/self', undefined, editor)).body.data.id
})

const makeTicket = (item: Record<string, unknown> = {}) => make('tickets', { name: nextName('Ticket'), ...item })

async function historyOf(id: number, query = '', token?: string): Promise<Change[]> {
  const { status, body } = await corvus.call('GET', `tickets/${id}/history${query}`, undefined, token)
  assert.equal(status, 200, JSON.stringify(body))
  return body.data
}

const changesIn = (changes: readonly Change[]) => changes.map(({ field, before, after }) => [field, before, after])

async function change(method: 'PATCH' | 'PUT' | 'POST' | 'DELETE', path: string, body?: unknown, token = editor) {
  const answer = await corvus.call(method, path, body, token)
  assert.ok(answer.status < 300, `${method} ${path}: ${JSON.stringify(answer.body)}`)
}

test('every changed field is withHistory with its old and new value, time and user', async () => {
  const { id, name } = await makeTicket()
  const changed = {
    name: `${name} renamed`,
    description: 'now with words',
    status: 'IN_PROGRESS',
    priority: 'HIGH',
    due_at: '2026-05-01T10:00:00Z',
    assignee: editorId,
  }
  await change('PATCH', `tickets/${id}`, changed)
  const history = await historyOf(id)
  assert.deepEqual(changesIn(history).toSorted(), [
    ['assignee', null, url('users', editorId)],
    ['description', '', 'now with words'],
    ['due_at', null, '2026-05-01T10:00:00.000000+00:00'],
    ['name', name, changed.name],
    ['priority', null, 'HIGH'],
    ['status', 'OPEN', 'IN_PROGRESS'],
  ])
  const { last_updated_at } = (await corvus.call('GET', `tickets/${id}`)).body.data
  for (const { created_at, created_by } of history)
    assert.deepEqual([created_at, created_by], [last_updated_at, url('users', editorId)])
  assert.deepEqual(Object.keys(history[0] ?? {}), ['id', 'field', 'before', 'after', 'created_at', 'created_by'])
  await change('PATCH', `tickets/${id}`, { priority: null, assignee: null, due_at: null })
  assert.deepEqual(changesIn((await historyOf(id)).slice(0, 3)).toSorted(), [
    ['assignee', url('users', editorId), null],
    ['due_at', '2026-05-01T10:00:00.000000+00:00', null],
    ['priority', 'HIGH', null],
  ])
})

test('a new ticket has no history, and a write without changes adds none', async () => {
  const item = { priority: 'LOW', due_at: '2026-01-01T00:00:00Z', workspaces: [1], stakeholders: [editorId] }
  const { id, name } = await makeTicket(item)
  await change('PATCH', `tickets/${id}`, item)
  await change('PUT', 'tickets', [{ name, ...item }])
  await change('PATCH', `tickets/${id}`, {})
  await change('PUT', `tickets/${id}/stakeholders/${editorId}`)
  assert.deepEqual(await historyOf(id), [])
})

test('added and removed links are withHistory individually, however they are written', async () => {
  const { id, name } = await makeTicket({ workspaces: [1] })
  const [entity, other] = [await makeEntity(), await makeEntity()]
  const { id: workspace } = await makeWorkspace({ is_public: true })
  await change('PATCH', `tickets/${id}`, { stakeholders: [editorId], entities: [entity] })
  await change('PUT', 'tickets', [{ name, entities: [other] }])
  await change('POST', `tickets/${id}/entities`, [entity])
  await change('PUT', `tickets/${id}/workspaces/${workspace}`)
  await change('DELETE', `tickets/${id}/workspaces/1`)
  await change('DELETE', `tickets/${id}/stakeholders/${editorId}`)
  assert.deepEqual(changesIn(await historyOf(id)), [
    ['stakeholders', url('users', editorId), null],
    ['workspaces', url('workspaces', 1), null],
    ['workspaces', null, url('workspaces', workspace)],
    ['entities', null, url('entities', entity)],
    ['entities', null, url('entities', other)],
    ['entities', url('entities', entity), null],
    ['entities', null, url('entities', entity)],
    ['stakeholders', null, url('users', editorId)],
  ])
})

test('changes to the tickets of a workspace are withHistory for the tickets', async () => {
  const { id, name } = await makeWorkspace({ is_public: true })
  const [first, second] = [await makeTicket(), await makeTicket()]
  await change('PUT', `workspaces/${id}/tickets/${first.id}`)
  await change('PATCH', `workspaces/${id}`, { tickets: [second.id] })
  await change('PUT', 'workspaces', [{ name, tickets: [first.id] }])
  await change('DELETE', `workspaces/${id}/tickets/${first.id}`)
  const here = url('workspaces', id)
  assert.deepEqual(changesIn(await historyOf(first.id)), [
    ['workspaces', here, null],
    ['workspaces', null, here],
    ['workspaces', here, null],
    ['workspaces', null, here],
  ])
  assert.deepEqual(changesIn(await historyOf(second.id)), [
    ['workspaces', here, null],
    ['workspaces', null, here],
  ])
})

test('a link is shown only to callers who can see its target', async () => {
  const { id } = await makeTicket()
  const { id: hidden } = await makeWorkspace()
  const group = await make('groups', { name: nextName('Group') })
  const { source } = (await corvus.call('GET', `groups/${group.id}`)).body.data
  const adminId = (await corvus.call('GET', 'users/self')).body.data.id
  await change('PUT', `groups/${group.id}/users/${adminId}`, undefined, corvus.admin)
  const secret = await makeEntity({ sources: [source] })
  const patch = { status: 'PENDING', entities: [secret], workspaces: [hidden, 1] }
  await change('PATCH', `tickets/${id}`, patch, corvus.admin)
  assert.equal((await historyOf(id)).length, 4)
  const { body } = await corvus.call('GET', `tickets/${id}/history`, undefined, editor)
  assert.deepEqual(changesIn(body.data), [
    ['workspaces', null, url('workspaces', 1)],
    ['status', 'OPEN', 'PENDING'],
  ])
  assert.equal(body.total_count, 2)
})

test('deleted objects appear as null in a history', async () => {
  const leaver = await corvus.tokenFor(PERMISSIONS)
  const leaverId = (await corvus.call('GET', 'users/self', undefined, leaver)).body.data.id
  const { id } = await makeTicket()
  const entity = await makeEntity()
  await change('PATCH', `tickets/${id}`, { assignee: leaverId, stakeholders: [leaverId], entities: [entity] }, leaver)
  assert.equal((await historyOf(id)).length, 3)
  await change('DELETE', `users/${leaverId}`, undefined, corvus.admin)
  await change('DELETE', `entities/${entity}`)
  const [left, ...none] = await historyOf(id)
  assert.deepEqual([left?.field, left?.before, left?.after, left?.created_by, none], ['assignee', null, null, null, []])
})

test('a history is listed newest first, in pages, and can be filtered', async () => {
  const { id } = await makeTicket()
  for (const status of ['IN_PROGRESS', 'PENDING', 'CLOSED']) await change('PATCH', `tickets/${id}`, { status })
  await change('PATCH', `tickets/${id}`, { priority: 'LOW' })
  const path = `tickets/${id}/history`
  const first = (await corvus.call('GET', `${path}?limit=3`)).body
  assert.deepEqual([first.count, first.limit, first.offset, first.total_count], [3, 3, 0, 4])
  assert.deepEqual(
    first.data.map(({ after }: Change) => after),
    ['LOW', 'CLOSED', 'PENDING'],
  )
  const next = (await corvus.call('GET', `${path}?limit=3&page[cursor]=${first.cursor}`)).body
  assert.deepEqual([changesIn(next.data), next.cursor], [[['status', 'OPEN', 'IN_PROGRESS']], null])
  assert.equal((await historyOf(id, '?filter[field]=status')).length, 3)
  assert.deepEqual((await historyOf(id, '?sort=id'))[0]?.after, 'IN_PROGRESS')
  assert.deepEqual(await historyOf(id, '?attributes=after&limit=1'), [{ after: 'LOW' }])
  assert.deepEqual((await corvus.call('GET', `${path}?data=false`)).body, { total_count: 4 })
  for (const wrong of ['filter[no_such]=1', 'limit=0', 'limit=2001', 'sort=before'])
    assert.equal((await corvus.call('GET', `${path}?${wrong}`)).status, 400, wrong)
  assert.equal((await corvus.call('GET', `tickets/${(await makeTicket()).id}/history`)).body.total_count, 0)
})

test('a failed change leaves no history', async () => {
  const { id, name } = await makeTicket()
  const other = await makeTicket()
  for (const [method, path, body] of [
    ['PATCH', `tickets/${id}`, { status: 'CLOSED', name: other.name }],
    ['PUT', 'tickets', [{ name, status: 'CLOSED', workspaces: [999_999] }]],
  ] as const) {
    assert.ok((await corvus.call(method, path, body)).status >= 400)
  }
  assert.deepEqual(await historyOf(id), [])
})

test('a history requires read tickets, is read-only, and is deleted with its ticket', async () => {
  const { id } = await makeTicket()
  await change('PATCH', `tickets/${id}`, { status: 'CLOSED' })
  const token = await corvus.tokenFor(['modify tickets', 'read history-events'])
  const refused = await corvus.call('GET', `tickets/${id}/history`, undefined, token)
  assert.deepEqual([refused.status, refused.body[0].detail], [403, 'Missing permissions: [read tickets]'])
  assert.equal((await corvus.call('POST', `tickets/${id}/history`, {})).status, 405)
  for (const unknown of ['999999', 'x'])
    assert.equal((await corvus.call('GET', `tickets/${unknown}/history`)).status, 404)
  await change('DELETE', `tickets/${id}`)
  const { rows } = await corvus.pool.query('select from ticket_history where owner = $1', [id])
  assert.equal(rows.length, 0)
})

test('a bulk write takes the same number of statements for 2 tickets and for 50', async () => {
  const counting = await startCounting()
  try {
    const items = (count: number, status: string) =>
      Array.from({ length: count }, (_, i) => ({
        name: `${count} ${i}`,
        status,
        workspaces: status === 'OPEN' ? [] : [1],
      }))
    const counts: number[] = []
    for (const count of [2, 50]) {
      await counting.call('PUT', 'tickets', items(count, 'OPEN'))
      counts.push(await counting.statementsOf(() => counting.call('PUT', 'tickets', items(count, 'CLOSED'))))
    }
    assert.equal(counts[0], counts[1])
    const { rows } = await counting.pool.query('select count(*) from ticket_history')
    assert.equal(Number(rows[0].count), 2 * 52)
  } finally {
    await counting.stop()
  }
})
