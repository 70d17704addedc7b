import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { AMBIGUOUS, attack19 } from '../../../test/set-up/attack-19.ts'
import { bundleOf } from '../../../test/set-up/attack-bundle.ts'
import {
  classified,
  classify,
  corvus,
  found,
  frameworkTables,
  loadBundle,
  nodesOf,
  openReviews,
  undo,
} from '../../../test/set-up/frameworks.ts'

type Named = { readonly id: string }

const { rows: places } = await sql<Named>`
  select id from attack_nodes where matrix = 'enterprise-attack' and state = 'live' order by id`.execute(corvus.db)
const every = places.map(({ id }) => id)
const entityOf = new Map<string, string>()
for (let from = 0; from < every.length; from += 200) {
  const some = every.slice(from, from + 200)
  const { status, body } = await corvus.call('PUT', 'entities', {
    data: some.map((id) => ({ data: { type: 'report', title: `Uses ${id}` }, meta: { attacks: [id] } })),
  })
  assert.equal(status, 201)
  for (const [i, id] of some.entries()) entityOf.set(id, body.data[i].id)
}
const entity = (node: string) => entityOf.get(node) ?? ''
const all = await classify('Uses everything', every)
const tables = await frameworkTables()
const entities = await classified()
const loaded = await loadBundle(bundleOf(await attack19()))

const filter = async (node: string) =>
  (await corvus.call('GET', `entities?filter[meta.attacks]=${node}`)).body.data.map(({ id }: Named) => id)

test('what has one successor is re-mapped, also into another tactic, and the queue holds exactly the rest', async () => {
  const { body } = await corvus.call('GET', `attacks/frameworks/loads/${loaded.id}`)
  const { report } = body.data
  assert.deepEqual(
    report.renamed.filter(({ id }: Named) => id.startsWith('TA0005') && id.length === 6),
    [{ id: 'TA0005', before: 'Defense Evasion', after: 'Stealth' }],
  )
  const reviews = await openReviews()
  assert.deepEqual(
    reviews.map(({ node, entities }: { node: Named; entities: number }) => [node.id, entities]),
    AMBIGUOUS.map((id) => [id, 2]),
  )
  for (const [before, after] of [
    ['TA0005:T1562.001', 'TA0112:T1685.001'],
    ['TA0005:T1070.001', 'TA0112:T1685.005'],
    ['TA0005:T1656', 'TA0005:T1684.001'],
    ['TA0005:T1600', 'TA0112:T1600'],
    ['TA0005:T1600.001', 'TA0112:T1600.001'],
    ['TA0005', 'TA0005'],
    ['TA0005:T1055', 'TA0005:T1055'],
  ] as const)
    assert.deepEqual(await nodesOf(entity(before)), [after])
  const { rows } = await sql<{ dead: string[] }>`
    select array_agg(distinct n.id order by n.id) as dead
    from entities as t cross join unnest(t.attacks) as u(node) left join attack_nodes as n on n.id = u.node
    where n.id is null or n.state <> 'live'`.execute(corvus.db)
  assert.deepEqual(rows[0]?.dead, AMBIGUOUS, 'nothing else has a dead node')
})

test('old queries, filters, paths and heat find what was re-mapped', async () => {
  const moved = entity('TA0005:T1562.001')
  for (const query of [
    'meta.attacks:"TA0005:T1562.001"',
    'meta.attacks:TA0005\\:T1562.001',
    'meta.attacks:ta0005\\:t1562.001',
    'meta.attacks:TA0005\\:T1562.00* AND data.title:uses',
    'meta.attacks:/ta0005:t1562\\.00[1-3]/',
  ])
    assert.ok((await found(query)).includes(moved), query)
  assert.ok(!(await found('NOT meta.attacks:"TA0005:T1562.001"')).includes(moved))
  assert.deepEqual(await found('meta.attacks:"TA0005:T1562.003"'), [entity('TA0005:T1562.003'), all])
  assert.ok((await filter('TA0005:T1562.001')).includes(moved))
  const path = await corvus.call('GET', `entities/${moved}/attacks/TA0005:T1562.001`)
  assert.deepEqual([path.status, path.body.data.split('/').at(-1)], [200, 'TA0112:T1685.001'])
  const other = await corvus.call('GET', `entities/${moved}/attacks/TA0005:T1562.004`)
  assert.equal(other.status, 404)
  const heat = await corvus.call('GET', 'attacks/heat?filter[meta.attacks]=TA0005:T1562.003')
  assert.equal(heat.body.total_count, 2)
  assert.ok(!(await found('meta.attacks:TA0005*')).includes(entity('TA0005:T1562.001')), 'it names live nodes')
})

test('a choice re-maps, also to several nodes, and undoing the load takes everything back', async () => {
  const [first, second] = await openReviews()
  const choose = (id: number, successors: readonly string[]) =>
    corvus.call('POST', `attacks/frameworks/reviews/${id}/choose`, { data: { successors } })
  const wrong = await choose(first.id, ['TA0112:T1685', 'TA0005:T1055'])
  assert.equal(wrong.status, 400)
  assert.match(wrong.body[0].detail, /^data\.successors\[1\]: 'TA0005:T1055' is not one of TA0112:T1685/)
  const chosen = await choose(first.id, ['TA0112:T1689', 'TA0112:T1685'])
  assert.deepEqual([chosen.status, chosen.body.data.state, chosen.body.data.entities], [200, 'chosen', 0])
  assert.deepEqual(await nodesOf(entity('TA0005:T1562')), ['TA0112:T1685', 'TA0112:T1689'])
  assert.equal((await choose(first.id, [])).status, 409)
  const kept = await choose(second.id, [])
  assert.deepEqual([kept.body.data.state, kept.body.data.chosen], ['kept', []])
  assert.deepEqual(await nodesOf(entity('TA0005:T1562.012')), ['TA0005:T1562.012'])
  assert.deepEqual(await openReviews(), [])

  assert.equal((await undo(loaded.id)).status, 200)
  assert.deepEqual(await frameworkTables(), tables)
  assert.equal(await classified(), entities)
  assert.equal((await choose(second.id, [])).status, 409)
})
