import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { FORM, formOf } from '../../../test/form.ts'
import { ask, bundle, corvus, type Item, makePushFeed, pushed } from '../../../test/set-up/incoming-feeds.ts'
import { until } from '../../../test/until.ts'

const malware = (name: string) => ({
  type: 'malware',
  spec_version: '2.1',
  id: `malware--${randomUUID()}`,
  created: '2024-01-01T00:00:00.000Z',
  modified: '2024-01-01T00:00:00.000Z',
  name,
  is_family: false,
})

const titlesOf = async ({ name }: Item): Promise<string[]> =>
  (await ask('GET', 'discovery-rules/hits'))
    .filter((hit: Item) => hit.name === name)
    .flatMap(({ entities }: { entities: Item[] }) => entities.map(({ title }) => title))

test('an entity is a hit whether a feed, a file or the API brings it', async () => {
  const rule = await ask('POST', 'discovery-rules', { name: 'Ways in', is_active: true, keywords: ['phalarope'] })
  const titles = ['Phalarope of a feed', 'Phalarope of a file', 'Phalarope of the API']
  await pushed(await makePushFeed(), bundle(malware('Phalarope of a feed')))
  const payload = formOf([
    { name: 'file', filename: 'x.json', value: Buffer.from(bundle(malware('Phalarope of a file'))) },
  ])
  const headers = { ...FORM, authorization: `Bearer ${corvus.admin}` }
  const uploaded = await corvus.app.inject({ method: 'POST', url: '/api/v2/files', headers, payload })
  assert.equal(uploaded.statusCode, 201, uploaded.body)
  await ask('POST', 'entities', { data: { type: 'report', title: 'Phalarope of the API' } })
  await until(async () => (await titlesOf(rule)).length >= 3, 'not everything was found')
  assert.deepEqual((await titlesOf(rule)).sort(), titles)
})

test('rescans and the follower agree about entities that are written while they compare', async () => {
  const rule = await ask('POST', 'discovery-rules', { name: 'Race', is_active: true, keywords: ['curlew'] })
  const named = (n: number, bird: string) => ({
    data: {
      id: `{https://x.test/}report-00000000-0000-4000-8000-${String(n).padStart(12, '0')}`,
      type: 'report',
      title: `${bird} ${n}`,
    },
  })
  const birds = ['Curlew', 'Snipe']
  for (let round = 0; round < 15; round++) {
    const data = [...Array(40).keys()].map((n) => named(n, birds[(n + round) % 2] ?? ''))
    await Promise.all([
      ask('PUT', 'entities', { data }),
      ask('PATCH', `discovery-rules/${rule.id}`, { data: { keywords: [birds[round % 2]?.toLowerCase()] } }),
      ask('PUT', 'entities', { data: data.slice(0, 5).map((_, n) => named(n, birds[(n + 1) % 2] ?? '')) }),
    ])
  }
  const expected = (await ask('GET', 'entities?query=data.title:curlew&limit=100')).map(({ id }: Item) => id).sort()
  const found = async () =>
    (await ask('GET', `entities?filter[discovery_rules]=${rule.id}&limit=100`)).map(({ id }: Item) => id).sort()
  const isQuiet = async () => {
    const { rows } = await corvus.pool.query('select from task_runs where ended_at is null')
    const { followers } = await ask('GET', 'system/status')
    const { pending_changes } = followers.find(({ name }: Item) => name === 'discovery-rules')
    return rows.length + pending_changes === 0
  }
  await until(isQuiet, 'the rescans have not ended')
  assert.ok(expected.length > 0)
  assert.deepEqual(await found(), expected)
})
