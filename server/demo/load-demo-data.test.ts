import assert from 'node:assert/strict'
import { test } from 'node:test'
import { corvus, done } from '../../test/set-up/by-query.ts'
import { DEMO_PERMISSIONS } from '../domain/demo-data.ts'

const total = async (path: string): Promise<number> => (await corvus.call('GET', path)).body.total_count

test('demo data is loaded by a run with relationships and observables, has its own tag, and is deleted by it', async () => {
  const run = await done('demo-data', { count: 40 })
  assert.deepEqual([run.state, run.progress, run.result.entities], ['SUCCESS', 1, 40])
  assert.equal(await total('entities?query=tags:corvus-demo'), 40)
  assert.ok((await total('relationships?data=false')) > 20)
  assert.ok((await total('observables?data=false')) > 40)
  assert.equal((await done('demo-data', { count: 40 })).state, 'SUCCESS')
  assert.equal(await total('entities?query=tags:corvus-demo'), 40)
  const gone = await done('entities/by-query/delete', { entities_query: 'tags:corvus-demo' })
  assert.equal(gone.result.changed, 40)
  assert.deepEqual([await total('entities?data=false'), await total('relationships?data=false')], [0, 0])
})

test('demo data has a limit, and requires all permissions for its objects', async () => {
  assert.equal((await corvus.call('POST', 'demo-data', { data: { count: 5001 } })).status, 400)
  const token = await corvus.tokenFor(['modify entities'])
  const { status, body } = await corvus.call('POST', 'demo-data', { data: {} }, token)
  assert.equal(status, 403)
  assert.match(body[0].detail, new RegExp(DEMO_PERMISSIONS.slice(1).join('|')))
})
