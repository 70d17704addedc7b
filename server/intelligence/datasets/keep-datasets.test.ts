import assert from 'node:assert/strict'
import { test } from 'node:test'
import { corvus, makeDataset, makeWorkspace, url } from '../../../test/set-up/datasets.ts'

test('no request can remove the last workspace of a dataset', async () => {
  const workspace = await makeWorkspace()
  const { id, name } = await makeDataset({ workspaces: [workspace.id] })
  for (const [method, path, body] of [
    ['DELETE', `workspaces/${workspace.id}/datasets/${id}`],
    ['PATCH', `workspaces/${workspace.id}`, { datasets: [] }],
    ['PATCH', `workspaces/${workspace.id}`, { datasets: null }],
    ['PUT', 'workspaces', [{ name: workspace.name, datasets: [] }]],
    ['DELETE', `workspaces/${workspace.id}`],
    ['DELETE', 'workspaces', [workspace.id]],
  ] as const) {
    const answer = await corvus.call(method, path, body)
    assert.equal(answer.status, 409, `${method} ${path}`)
    assert.equal(answer.body[0].detail, `A dataset needs a workspace; '${name}' would have none.`)
  }
  assert.equal((await corvus.call('GET', `datasets/${id}`)).body.data.workspaces.length, 1)
  assert.equal((await corvus.call('PUT', `workspaces/1/datasets/${id}`)).status, 200)
  assert.equal((await corvus.call('DELETE', `workspaces/${workspace.id}/datasets/${id}`)).status, 204)
  assert.equal((await corvus.call('DELETE', `workspaces/${workspace.id}`)).status, 204)
  assert.deepEqual((await corvus.call('GET', `datasets/${id}`)).body.data.workspaces, [url('workspaces', 1)])
})

test('of two requests that remove the last two workspaces at once, one is refused', async () => {
  for (let round = 0; round < 5; round++) {
    const [first, second] = [await makeWorkspace(), await makeWorkspace()]
    const { id } = await makeDataset({ workspaces: [first.id, second.id] })
    const answers = await Promise.all([
      corvus.call('DELETE', `workspaces/${first.id}/datasets/${id}`),
      corvus.call('DELETE', `workspaces/${second.id}`),
    ])
    assert.deepEqual(answers.map(({ status }) => status).sort(), [204, 409])
  }
})
