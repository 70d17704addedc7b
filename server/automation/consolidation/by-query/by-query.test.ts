import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { corvus, done, type Item, make, PERMISSIONS } from '../../../../test/set-up/by-query.ts'
import { consolidating } from '../../../../test/set-up/consolidation.ts'
import { until } from '../../../../test/until.ts'

const tools = consolidating(corvus)

const actor = (title: string, more: Item = {}) => ({ data: { type: 'threat-actor', title }, ...more })
const CONSOLIDATE = 'entities/by-query/consolidate'
const DECONSOLIDATE = 'entities/by-query/deconsolidate'

const unifiedOf = async (id: string, token = corvus.admin) =>
  (await corvus.call('GET', `entities/${id}`, undefined, token)).body.data.meta.is_contributor_to
/** Consolidates, and waits until this user sees that an entity contributes: what callers may see is remembered for a moment. */
async function consolidate(body: Item, entity: string, token = corvus.admin) {
  const run = await done(CONSOLIDATE, body, token)
  await until(async () => (await unifiedOf(entity, token)) !== null, 'the unified entity stayed hidden')
  return run
}

const plan = async (path: string, body: Item, token = corvus.admin) =>
  (await corvus.call('POST', path, { data: { ...body, dry_run: true } }, token)).body.data

test('selected entities are joined and taken apart, after a dry run that says the same', async () => {
  const ids = await tools.put([
    actor('Sandpiper'),
    actor('Common sandpiper'),
    { data: { type: 'malware', title: 'sandpiper' } },
    { data: { type: 'report', title: 'On the sandpiper' } },
  ])
  const query = { entities_query: 'data.title:sandpiper' }
  const expected = {
    count: 2,
    groups: [{ type: 'threat-actor', contributors: 2 }],
    refused: [
      { reason: 'Entities of the type report cannot be consolidated.', count: 1 },
      { reason: 'Only one entity of the type malware is selected.', count: 1 },
    ],
  }
  assert.deepEqual(await plan(CONSOLIDATE, query), expected)
  assert.deepEqual(await tools.unified(), [])
  const run = await consolidate(query, ids[0] ?? '')
  assert.deepEqual([run.state, run.result], ['WARNING', expected])
  const [unified] = await tools.unified()
  assert.equal(await unifiedOf(ids[0] ?? ''), unified?.stix_id)
  assert.equal(unified?.contributors.length, 2)

  const third = (await tools.put([actor('Stint')]))[0] ?? ''
  const joined = await consolidate({ entities: [unified?.id, third] }, third)
  assert.deepEqual(joined.result, { count: 3, groups: [{ type: 'threat-actor', contributors: 3 }], refused: [] })
  assert.deepEqual(
    (await tools.unified()).map(({ id, contributors }) => [id, contributors.length]),
    [[unified?.id, 3]],
  )

  assert.deepEqual(await plan(DECONSOLIDATE, { entities: [third, ids[2]] }), {
    count: 1,
    groups: [{ type: 'threat-actor', contributors: 1 }],
    refused: [{ reason: 'The entity contributes to no unified entity.', count: 1 }],
  })
  await done(DECONSOLIDATE, { entities: [third] })
  assert.equal(await unifiedOf(third), null)
  assert.equal((await tools.unified())[0]?.contributors.length, 2)
  await done(DECONSOLIDATE, { entities: [unified?.id] })
  assert.deepEqual(await tools.unified(), [])
  const { rows } = await sql<{ entity: string }>`select entity from consolidation_exemptions order by entity`.execute(
    corvus.db,
  )
  assert.deepEqual(
    rows.map(({ entity }) => entity),
    [ids[0], ids[1], third].sort(),
  )
})

test('requests that could do nothing are refused', async () => {
  const [a = '', b = ''] = await tools.put([actor('Ruff'), { data: { type: 'tool', title: 'Ruff' } }])
  const refused = async (path: string, body: Item) => {
    const answer = await corvus.call('POST', path, { data: body })
    return [answer.status, answer.body[0]?.detail]
  }
  assert.deepEqual(await refused(CONSOLIDATE, {}), [
    400,
    'entities_query: is required, unless there is a relational_query or a list of entities',
  ])
  assert.deepEqual(await refused(CONSOLIDATE, { entities: [a, 'x', '00000000-0000-7000-8000-000000000000'] }), [
    400,
    "entities[1]: there is no 'x'",
  ])
  const [status, detail] = await refused(CONSOLIDATE, { entities: [a, b] })
  assert.equal(status, 409)
  assert.match(detail, /^At least two entities of one type are needed\. Only one entity of the type threat-actor/)
  assert.deepEqual(await refused(DECONSOLIDATE, { entities: [a] }), [
    409,
    'None of the selected entities contributes to a unified entity.',
  ])
  await tools.put(Array.from({ length: 101 }, (_, i) => actor(`godwit ${i}`)))
  assert.deepEqual(await refused(CONSOLIDATE, { entities_query: 'data.title:godwit' }), [
    400,
    '101 entities of the type threat-actor are selected; a unified entity has at most 100 contributors',
  ])
})

test('who does not see a unified entity cannot take it apart, and does not learn of it', async () => {
  const loner = await corvus.tokenFor(PERMISSIONS)
  const { id: user } = (await corvus.call('GET', 'users/self', undefined, loner)).body.data
  const group = await make('groups', { name: 'Loners', users: [user] })
  const { source } = (await corvus.call('GET', `groups/${group.id}`)).body.data
  const { status, body } = await corvus.call('PUT', 'entities', [actor('Snipe hidden', { sources: [source] })], loner)
  assert.equal(status, 201)
  const hidden = body.data[0].id
  const [open = '', other = ''] = await tools.put([actor('Snipe open'), actor('Snipe other')])
  await consolidate({ entities: [hidden, open] }, open, loner)
  assert.equal(await unifiedOf(open), null)
  const refused = await corvus.call('POST', DECONSOLIDATE, { data: { entities: [open] } })
  assert.deepEqual(
    [refused.status, refused.body[0].detail],
    [409, 'None of the selected entities contributes to a unified entity.'],
  )
  await done(CONSOLIDATE, { entities: [open, other] })
  const all = { entities: [open, other, hidden] }
  await until(async () => (await plan(DECONSOLIDATE, all, loner))?.count === 3, 'not all three belong together')
  const { meta } = (await corvus.call('GET', `entities/${open}`)).body.data
  assert.deepEqual([meta.is_contributor_to, meta.is_exempt_from_consolidation], [null, false])
})
