import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Answered, BASE, startApp } from '../../../../test/app.ts'
import { groupOf, HIGHEST, unify } from '../../../../test/set-up/unified.ts'
import { until } from '../../../../test/until.ts'

let corvus: Awaited<ReturnType<typeof startApp>>
before(async () => {
  corvus = await startApp()
})
after(() => corvus.stop())

async function write(title: string, more: { data?: object; meta?: object; observables?: object[] } = {}) {
  const { data, ...rest } = more
  const item = { data: { type: 'malware', title, ...data }, ...rest }
  return String((await corvus.call('POST', 'entities', { data: item })).body.data.id)
}

const contributionsOf = async (id: string, token = corvus.admin): Promise<Answered> =>
  corvus.call('GET', `entities/${id}/contributions`, undefined, token)

const url = (id: string) => `${BASE}/api/v2/entities/${id}`
const NONE = { unified: null, policy: null, source: null, contributors: [], fields: [] }

test('a unified entity and its contributors say what it is composed of, and why', async () => {
  const reliable = await write('Emotet', {
    data: { description: 'A loader.', confidence: 'high' },
    meta: { source_reliability: 'A', tags: ['a'], tlp_color: 'GREEN', half_life: 10 },
    observables: [{ type: 'domain', value: 'a.example' }],
  })
  const other = await write('Heodo', {
    data: { description: 'A bot.' },
    meta: { tags: ['b'], tlp_color: 'WHITE', half_life: 20 },
  })
  const secret = await write('Secret', { data: { description: 'Hush.' }, meta: { tlp_color: 'RED', alias: 'Ours' } })
  const { rows: sources } = await corvus.pool.query(
    'select number, name from sources where number = (select vis >> 3 from entities where id = $1)',
    [reliable],
  )
  const choices = { ...HIGHEST, tlp_choice: 'preferred_source', preferred_source: sources[0].number } as const
  // The first of the preferred source decides on the colour.
  const group = await groupOf(corvus, [other, secret, reliable], { choices })
  await unify(corvus, [group])
  await until(async () => (await corvus.call('GET', `entities/${group.unified}`)).status === 200, 'not visible')
  const { body } = await contributionsOf(group.unified)
  for (const id of [reliable, other, secret]) assert.deepEqual((await contributionsOf(id)).body, body)
  assert.equal(body.data.unified, url(group.unified))
  assert.equal(body.data.policy, null)
  const [first, , last] = body.data.contributors
  assert.partialDeepStrictEqual(first, {
    entity: url(reliable),
    title: 'Emotet',
    type: 'malware',
    source_name: sources[0].name,
    source_reliability: 'A',
    tlp_color: 'GREEN',
    confidence: 'high',
    is_assigned: false,
    reason: null,
    contributes: true,
    why_not: null,
  })
  assert.equal(body.data.source, first.source)
  assert.partialDeepStrictEqual(last, {
    title: 'Ours',
    contributes: false,
    why_not: 'Its colour, RED, is more restrictive than that of the unified entity, GREEN.',
  })
  const fields = new Map(body.data.fields.map((each: { field: string }) => [each.field, each]))
  assert.deepEqual(fields.get('data.description'), {
    field: 'data.description',
    value: 'A loader.',
    from: url(reliable),
    rule: 'Its source is the most reliable.',
    others: [{ entity: url(other), value: 'A bot.' }],
  })
  assert.partialDeepStrictEqual(fields.get('meta.tags'), { value: ['a', 'b'], others: [] })
  assert.deepEqual(new Set((fields.get('meta.tags') as { from: string[] }).from), new Set([reliable, other].map(url)))
  assert.partialDeepStrictEqual(fields.get('meta.tlp_color'), {
    value: 'GREEN',
    rule: 'It comes from the preferred source.',
    others: [
      { entity: url(other), value: 'WHITE' },
      { entity: url(secret), value: 'RED' },
    ],
  })
  assert.partialDeepStrictEqual(fields.get('meta.half_life'), { value: 20, from: url(other), others: [{ value: 10 }] })
  assert.partialDeepStrictEqual(fields.get('observables'), {
    value: (await corvus.call('GET', `entities/${reliable}`)).body.data.observables,
  })
})

test('an ordinary entity has no contributions, and neither has a contributor for those who do not see its unified entity', async () => {
  const [low, high] = [
    await write('Low', { meta: { tlp_color: 'GREEN' } }),
    await write('High', { meta: { tlp_color: 'RED' } }),
  ]
  const ordinary = await write('Ordinary', { meta: { tlp_color: 'GREEN' } })
  const group = await groupOf(corvus, [low, high])
  await unify(corvus, [group])
  await until(async () => (await contributionsOf(low)).body.data.unified !== null, 'not visible')
  assert.deepEqual((await contributionsOf(ordinary)).body.data, NONE)
  const token = await corvus.tokenFor(['read entities'])
  const user = (await corvus.call('GET', 'users/self', undefined, token)).body.data
  const [{ source }] = (await corvus.call('GET', 'groups?filter[name]=Default')).body.data
  const green = { name: 'Green', users: [user.id], sources: [`${source}?allowed_tlp=GREEN`] }
  const made = (await corvus.call('POST', 'groups', { data: green })).body.data
  await corvus.call('PATCH', `users/${user.id}`, { data: { groups: [made.id] } })
  await until(async () => (await contributionsOf(high, token)).status === 404, 'the groups are not known')
  assert.deepEqual((await contributionsOf(low, token)).body, (await contributionsOf(ordinary, token)).body)
  assert.equal((await contributionsOf(group.unified, token)).status, 404)
  assert.equal((await contributionsOf('00000000-0000-4000-8000-000000000000')).status, 404)
  assert.equal((await contributionsOf(low, await corvus.tokenFor([]))).status, 403)
})
