import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startApp } from '../../../test/app.ts'

let corvus: Awaited<ReturnType<typeof startApp>>
before(async () => {
  corvus = await startApp()
})
after(() => corvus.stop())

test('versions from a time when the caller could not see the entity are not shown', async () => {
  const made = await corvus.call('POST', 'entities', {
    data: { type: 'malware', title: 'Secret' },
    meta: { tlp_color: 'RED' },
  })
  const { id, sources } = made.body.data
  const change = async (title: string, tlp_color: string) =>
    (await corvus.call('PATCH', `entities/${id}`, { data: { data: { title }, meta: { tlp_color } } })).status
  assert.deepEqual([await change('Open', 'GREEN'), await change('Known', 'GREEN')], [200, 200])
  const reader = await corvus.tokenFor(['read entities'])
  const { rows } = await corvus.pool.query('select max(id) as id from users')
  await corvus.pool.query('delete from group_users where target = $1', [rows[0].id])
  await corvus.call('POST', 'groups', {
    name: 'Green',
    users: [rows[0].id],
    sources: [`${sources[0]}?allowed_tlp=GREEN`],
  })
  const titles = async (token?: string) => {
    const { body } = await corvus.call('GET', `entities/${id}/versions`, undefined, token)
    return [body.total_count, body.data.map(({ data }: { data: { title: string } }) => data.title)]
  }
  assert.deepEqual(await titles(), [2, ['Open', 'Secret']])
  assert.deepEqual(await titles(reader), [1, ['Open']])
})
