import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startApp } from '../../../test/app.ts'

let corvus: Awaited<ReturnType<typeof startApp>>
before(async () => {
  corvus = await startApp()
})
after(() => corvus.stop())

test('an entity that the caller does not see cannot be overwritten by its STIX id', async () => {
  const { source } = await corvus.blindGroup('Hidden')
  const data = { type: 'malware', title: 'Hidden', id: 'malware--7d3f4b7e-2222-4333-8444-555555555555' }
  const made = await corvus.call('POST', 'entities', { data, sources: [source] })
  assert.equal(made.status, 201, JSON.stringify(made.body))
  const changed = { data: { ...data, title: 'Changed' } }
  assert.equal((await corvus.call('PUT', 'entities', [changed])).status, 409)
  assert.equal((await corvus.call('POST', 'entities', changed)).status, 409)
  const { rows } = await corvus.pool.query("select data ->> 'title' as title from entities where stix_id = $1", [
    data.id,
  ])
  assert.deepEqual(rows, [{ title: 'Hidden' }])
})
