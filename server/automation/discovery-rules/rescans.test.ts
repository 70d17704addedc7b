import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startApp } from '../../../test/app.ts'
import { catchUp, serverOf, untilReadable } from '../../../test/followers.ts'
import { discoverEntities } from './discover-entities.ts'

type Item = Record<string, unknown>

let corvus: Awaited<ReturnType<typeof startApp>>
before(async () => {
  corvus = await startApp()
})
after(() => corvus.stop())

async function ok(method: 'POST' | 'PUT' | 'PATCH' | 'DELETE', path: string, data?: unknown, token = corvus.admin) {
  const { status, body } = await corvus.call(method, path, data === undefined ? undefined : { data }, token)
  assert.ok(status < 300, JSON.stringify(body))
  return body.data
}

const rule = (name: string, rest: Item = {}, token?: string) =>
  ok('POST', 'discovery-rules', { name, is_active: true, keywords: ['x'], ...rest }, token)

/** How many runs a rule has had; those that are open have ended, as if a worker had been there. */
async function runsOf({ task }: Item): Promise<number> {
  await corvus.pool.query(`update task_runs set state = 'SUCCESS', ended_at = now() where ended_at is null`)
  const id = String(task).split('/').at(-1)
  return (await corvus.call('GET', `tasks/runs?filter[task]=${id}&data=false`)).body.total_count
}

async function follow(): Promise<void> {
  await untilReadable(corvus.db)
  await catchUp(await serverOf(corvus), discoverEntities)
}

test('a rescan starts when a rule matches something else, and at no other time', async () => {
  const made = await rule('Watched')
  const path = `discovery-rules/${made.id}`
  assert.equal(await runsOf(made), 1)
  const { data: source } = (await corvus.call('GET', 'sources?limit=1')).body
  const changes: Item[] = [
    { keywords: ['y'] },
    { match_keywords_in: ['title'] },
    { search_query: 'data.title:z' },
    { entity_types: ['report'] },
    { sources: [source[0].id] },
  ]
  for (const [n, change] of changes.entries()) {
    await ok('PATCH', path, change)
    assert.equal(await runsOf(made), n + 2, JSON.stringify(change))
    await ok('PATCH', path, change)
  }
  for (const change of [{ name: 'Renamed' }, { description: 'x' }, { workspaces: [1] }, { execution_schedule: null }])
    await ok('PATCH', path, change)
  await ok('PUT', 'entities', [{ data: { type: 'report', title: 'y' } }])
  await follow()
  assert.equal(await runsOf(made), 6)
  await ok('PATCH', path, { is_active: false })
  assert.equal(await runsOf(made), 6)
  await ok('PATCH', path, { is_active: true })
  assert.equal(await runsOf(made), 7)
  await ok('PATCH', path, { description: 'Now theirs' }, await corvus.tokenFor('all'))
  assert.equal(await runsOf(made), 8)
})

test('a change of a rule revokes its rescan in progress and starts another', async () => {
  const made = await rule('Busy')
  await ok('PATCH', `discovery-rules/${made.id}`, { keywords: ['y'] })
  const id = String(made.task).split('/').at(-1)
  const { data } = (await corvus.call('GET', `tasks/runs?filter[task]=${id}&sort=created_at`)).body
  assert.deepEqual(
    data.map(({ state }: Item) => state),
    ['REVOKED', 'SENT'],
  )
})

test('a rescan starts when the owner may see something else, and not for other owners', async () => {
  const hidden = await corvus.blindGroup('Hidden')
  const token = await corvus.tokenFor(['read discovery-rules', 'modify discovery-rules', 'read entities'])
  const { id: owner } = (await corvus.call('GET', 'users/self', undefined, token)).body.data
  const [theirs, ours] = [await rule('Theirs', {}, token), await rule('Ours')]
  await follow()
  assert.deepEqual([await runsOf(theirs), await runsOf(ours)], [1, 1])
  await ok('PATCH', `users/${owner}`, { lastname: 'Renamed' })
  await follow()
  assert.deepEqual([await runsOf(theirs), await runsOf(ours)], [1, 1])
  const group = await ok('POST', 'groups', { name: 'Cleared', users: [owner], sources: [] })
  await ok('PATCH', `groups/${group.id}`, { sources: [hidden.source] })
  await follow()
  assert.deepEqual([await runsOf(theirs), await runsOf(ours)], [2, 1])
  const { rows } = await corvus.pool.query(
    `select cause_kind, cause_id, cause_depth from changes where resource = 'task_runs' order by id desc limit 1`,
  )
  assert.deepEqual(rows, [{ cause_kind: 'follower', cause_id: 'discovery-rules', cause_depth: 1 }])
  await ok('DELETE', `groups/${group.id}/users/${owner}`)
  await follow()
  assert.deepEqual([await runsOf(theirs), await runsOf(ours)], [3, 1])
})
