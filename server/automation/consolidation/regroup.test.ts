import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { startApp } from '../../../test/app.ts'
import { consolidating } from '../../../test/set-up/consolidation.ts'
import { assignTogether, separate } from './manual.ts'

let corvus: Awaited<ReturnType<typeof startApp>>
let tools: ReturnType<typeof consolidating>
let user: number
const sources: string[] = []
before(async () => {
  corvus = await startApp()
  tools = consolidating(corvus)
  user = (await corvus.call('GET', 'users/self')).body.data.id
  for (const name of ['One', 'Two', 'Three']) sources.push(await tools.source(name))
  await tools.policy(['threat-actor', 'malware'])
})
after(() => corvus.stop())

const actor = (n: number, source: number, title: string, more: object = {}) => ({
  data: {
    type: 'threat-actor',
    id: `threat-actor--00000000-0000-4000-8000-${String(n).padStart(12, '0')}`,
    title,
    ...more,
  },
  sources: [sources[source]],
})
const named = (...numbers: number[]) => numbers.map((n) => actor(n, 0, '').data.id)
const partition = async () => (await tools.unified()).map(({ contributors }) => contributors)

test('entities with equal titles contribute to one unified entity, which goes when one of them goes', async () => {
  const [a = '', b = ''] = await tools.put([
    actor(1, 0, 'Grey Heron'),
    actor(2, 1, 'grey  heron'),
    actor(3, 0, 'Bittern'),
  ])
  await tools.follow()
  assert.deepEqual(await partition(), [named(1, 2)])
  const [{ id, stix_id } = { id: '', stix_id: '' }] = await tools.unified()
  const { body } = await corvus.call('GET', `entities/${a}`)
  assert.equal(body.data.meta.is_contributor_to, stix_id)
  assert.equal((await corvus.call('DELETE', `entities/${b}`)).status, 204)
  await tools.follow()
  assert.deepEqual(await partition(), [])
  assert.equal((await corvus.call('GET', `entities/${a}`)).body.data.meta.is_contributor_to, null)
  assert.equal((await corvus.call('GET', `entities/${id}`)).status, 404)
  const { rows } = await sql`
    select method, undone_reason from consolidation_events order by entity`.execute(corvus.db)
  assert.deepEqual(rows, [
    { method: 'rule-based', undone_reason: 'Nothing joins it with the others any more.' },
    { method: 'rule-based', undone_reason: 'The entity was deleted.' },
  ])
})

test('what a person joins stays joined, and what a person separates stays apart', async () => {
  const ids = await tools.put([actor(11, 0, 'Dunlin'), actor(12, 1, 'Knot'), actor(13, 2, 'Dunlin')])
  await tools.follow()
  assert.deepEqual(await partition(), [named(11, 13)])
  await tools.inside((ctx) => assignTogether(ctx, ids.slice(0, 2)), user)
  assert.deepEqual(await partition(), [named(11, 12, 13)])
  await tools.inside((ctx) => separate(ctx, [ids[0] ?? '']), user)
  assert.deepEqual(await partition(), [])
  await tools.regroupAll()
  assert.deepEqual(await partition(), [])
  assert.equal((await corvus.call('GET', `entities/${ids[0]}`)).body.data.meta.is_exempt_from_consolidation, true)
  await tools.inside((ctx) => assignTogether(ctx, ids.slice(0, 2)), user)
  assert.deepEqual(await partition(), [named(11, 12, 13)])
  await tools.inside((ctx) => separate(ctx, ids), user)
  assert.deepEqual(await partition(), [])
})
