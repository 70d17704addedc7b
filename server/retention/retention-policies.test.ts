import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startApp } from '../../test/app.ts'

let corvus: Awaited<ReturnType<typeof startApp>>
before(async () => {
  corvus = await startApp()
})
after(() => corvus.stop())

test('every installation starts with policies for data that grows on its own', async () => {
  const { body } = await corvus.call('GET', 'retention-policies')
  assert.deepEqual(
    body.data.map(({ what, keep_days, is_active }: Record<string, unknown>) => [what, keep_days, is_active]),
    [
      ['audit-trail', 365, true],
      ['history-events', 730, true],
      ['task-runs', 90, true],
      ['export-blocks', 30, true],
      ['content-blocks', 30, true],
      ['incoming-blobs', 90, true],
    ],
  )
})

test('a preview counts what a policy would delete, and deletes nothing', async () => {
  const { body } = await corvus.call('POST', 'retention-policies', {
    name: 'Entities',
    what: 'inactive-entities',
    keep_days: 30,
    is_active: false,
  })
  const preview = () => corvus.call('GET', `retention-policies/${body.data.id}/preview`)
  assert.deepEqual((await preview()).body, { data: { count: 0 } })
  await corvus.pool.query(`
    insert into entities (id, stix_id, type, vis, half_life, threat_end, last_updated_at, data, meta, search)
    select gen_random_uuid(), n::text, 'indicator', 8, 1, now() - interval '31 days', now() - interval '31 days', '{}', '{}', ''
    from generate_series(1, 7) as n`)
  assert.deepEqual((await preview()).body, { data: { count: 7 } })
  assert.deepEqual((await preview()).body, { data: { count: 7 } })
  await corvus.pool.query("update entities set vis = 800 where stix_id in ('1', '2')")
  assert.deepEqual((await preview()).body, { data: { count: 5 } }, 'the preview counts visible intelligence only')
})

test('a preview requires an existing policy and permission to read it', async () => {
  assert.equal((await corvus.call('GET', 'retention-policies/99999/preview')).status, 404)
  assert.equal((await corvus.call('GET', 'retention-policies/x/preview')).status, 404)
  const token = await corvus.tokenFor(['modify retention-policies'])
  assert.equal((await corvus.call('GET', 'retention-policies/1/preview', undefined, token)).status, 403)
})

test('every invalid field is reported', async () => {
  const { status, body } = await corvus.call('POST', 'retention-policies', {
    data: { name: '', what: 'everything', keep_days: 0, is_active: 'x' },
  })
  assert.equal(status, 400)
  const paths = body.map(({ detail }: { detail: string }) => detail.split(':')[0])
  assert.deepEqual(paths, ['data.name', 'data.what', 'data.keep_days', 'data.is_active'])
})
