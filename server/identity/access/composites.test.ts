import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startApp } from '../../../test/app.ts'
import { until } from '../../../test/until.ts'

let corvus: Awaited<ReturnType<typeof startApp>>
before(async () => {
  corvus = await startApp()
})
after(() => corvus.stop())

interface Group {
  readonly id: number
  readonly source: string
}

const makeGroup = async (name: string): Promise<Group> => {
  const { id: self } = (await corvus.call('GET', 'users/self')).body.data
  return (await corvus.call('POST', 'groups', { name, users: [self] })).body.data
}

/** A reader whose only group is allowed these sources at these colours. */
async function readerOf(name: string, allowed: readonly (readonly [Group, string])[]) {
  const token = await corvus.tokenFor(['read entities'])
  const { id } = (await corvus.call('GET', 'users/self', undefined, token)).body.data
  const group = (await corvus.call('POST', 'groups', { name, users: [id] })).body.data
  const allow = (list: readonly (readonly [Group, string])[]) =>
    corvus.call('PATCH', `groups/${group.id}`, {
      data: { sources: list.map(([{ source }, colour]) => `${source}?allowed_tlp=${colour}`) },
    })
  assert.equal((await allow(allowed)).status, 200)
  await corvus.pool.query('delete from group_users where target = $1 and source <> $2', [id, group.id])
  const statusOf = async (entity: string) => (await corvus.call('GET', `entities/${entity}`, undefined, token)).status
  return { allow, statusOf, token }
}

const makeEntity = async ({ source }: Group, title: string, tlp_color: string): Promise<string> => {
  const body = { data: { type: 'malware', title }, meta: { tlp_color }, sources: [source] }
  return (await corvus.call('POST', 'entities', { data: body })).body.data.id
}

/** Makes an entity the unified entity of others. */
async function unify(unified: string, contributors: readonly string[]): Promise<number> {
  await corvus.pool.query('insert into contributors (entity, unified) select unnest($1::uuid[]), $2', [
    contributors,
    unified,
  ])
  const { rows } = await corvus.pool.query(
    `update entities as t set is_unified = true, vis = composite_of(t.vis >> 3, t.vis & 7, array(
       select e.vis from contributors as m join entities as e on e.id = m.entity where m.unified = t.id))
     where t.id = $1 returning vis`,
    [unified],
  )
  return rows[0].vis
}

test('a unified entity is seen by those who are allowed its source and every contributor, and by no others', async () => {
  const [home, north, south] = [await makeGroup('Home'), await makeGroup('North'), await makeGroup('South')]
  const unified = await makeEntity(home, 'Both', 'GREEN')
  await unify(unified, [await makeEntity(north, 'One', 'AMBER'), await makeEntity(south, 'Two', 'GREEN')])
  const cases = [
    ['all', 200, [home, 'GREEN'], [north, 'AMBER'], [south, 'GREEN']],
    ['more than all', 200, [home, 'RED'], [north, 'RED'], [south, 'RED']],
    ['no home', 404, [north, 'RED'], [south, 'RED']],
    ['home at a lower colour', 404, [home, 'WHITE'], [north, 'RED'], [south, 'RED']],
    ['one contributor', 404, [home, 'RED'], [north, 'RED']],
    ['a contributor at a lower colour', 404, [home, 'RED'], [north, 'GREEN'], [south, 'RED']],
  ] as const
  for (const [name, status, ...allowed] of cases) {
    const { statusOf, token } = await readerOf(name, allowed)
    assert.equal(await statusOf(unified), status, name)
    const { total_count } = (await corvus.call('GET', 'entities?data=false', undefined, token)).body
    const seen = allowed.filter(([group, colour]) => group !== home && !(group === north && colour === 'GREEN')).length
    assert.equal(total_count, seen + (status === 200 ? 1 : 0), name)
  }
})

test('its source is that of the merge group', async () => {
  const [home, north] = [await makeGroup('Home of another'), await makeGroup('North of another')]
  const unified = await makeEntity(home, 'Another', 'GREEN')
  await unify(unified, [await makeEntity(north, 'Contributor of another', 'GREEN')])
  const { body } = await corvus.call('GET', `entities/${unified}`)
  assert.deepEqual(body.data.sources, [home.source])
  const found = await corvus.call('GET', `entities?filter[sources]=${encodeURIComponent(home.source)}`)
  assert.deepEqual(
    found.body.data.map(({ id }: { id: string }) => id),
    [unified],
  )
  const { status, body: refusal } = await corvus.call('DELETE', `groups/${home.id}`)
  assert.equal(status, 409, JSON.stringify(refusal))
})

test('a contributor that becomes more restricted restricts its unified entity in the same transaction', async () => {
  const [home, north] = [await makeGroup('Home of a third'), await makeGroup('North of a third')]
  const unified = await makeEntity(home, 'Third', 'GREEN')
  const contributor = await makeEntity(north, 'Contributor of a third', 'GREEN')
  await unify(unified, [contributor])
  const reader = await readerOf('up to green', [
    [home, 'GREEN'],
    [north, 'GREEN'],
  ])
  assert.equal(await reader.statusOf(unified), 200)
  const client = await corvus.pool.connect()
  try {
    await client.query('begin')
    await client.query('update entities set vis = vis + 2 where id = $1', [contributor])
    const { rows } = await client.query(
      `select c.keys = array[e.vis] as is_restricted from entities as u
       join composites as c on c.number = u.vis >> 3, entities as e where u.id = $1 and e.id = $2`,
      [unified, contributor],
    )
    assert.deepEqual(rows, [{ is_restricted: true }])
    await client.query('commit')
  } finally {
    client.release()
  }
  assert.equal(await reader.statusOf(unified), 404)
  assert.equal(await reader.statusOf(contributor), 404)
  await reader.allow([
    [home, 'GREEN'],
    [north, 'RED'],
  ])
  await until(async () => (await reader.statusOf(unified)) === 200, 'the unified entity stayed hidden')
})

test('the same keys in any order and number are the same composite, of each source only the most restricted', async () => {
  const [home, north] = [await makeGroup('Home of a fourth'), await makeGroup('North of a fourth')]
  const keys = async (values: string) => {
    const { rows } = await corvus.pool.query(
      `select composite_of(h.number, 2, array(select (n.number << 3) + r from unnest($3::integer[]) as r)) as vis
       from sources as h, sources as n where h.id = $1 and n.id = $2`,
      [home, north].map(({ source }) => source.split('/').at(-1)).concat(values),
    )
    return rows[0].vis
  }
  assert.equal(await keys('{1,3}'), await keys('{3,0,3}'))
  assert.notEqual(await keys('{1}'), await keys('{3}'))
})
