import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { before, test } from 'node:test'
import { serverOf } from '../../../../test/followers.ts'
import { corvus, done, make, reports } from '../../../../test/set-up/by-query.ts'
import { makeRule, runRule } from '../../../../test/set-up/entity-rules.ts'
import { importFindings } from '../../../../test/set-up/importing.ts'
import { findingsOf } from '../../../../test/stix-round-trip.ts'
import { until } from '../../../../test/until.ts'
import { asUser } from '../../../identity/access/as-user.ts'
import { assignTogether } from '../manual.ts'

const FIRST = {
  title: 'Kestrel one',
  observables: [{ type: 'domain', value: 'kestrel.example' }],
  meta: { tags: ['bird'] },
}

let contributors: string[] = []
let unified: {
  id: string
  data: { id: string }
  meta: { taxonomies: string[] }
  observables: string[]
  attachments: string[]
}
let ordinary = ''

before(async () => {
  const data = { type: 'malware', description: 'x'.repeat(10) }
  const write = async ({ title, ...rest }: { title: string }) =>
    (await make('entities', { data: { ...data, title }, ...rest })).id as string
  contributors = [await write(FIRST), await write({ title: 'Kestrel two' })]
  ;[ordinary = ''] = await reports([{ title: 'Ordinary kestrel' }])
  await make('taxonomies', { path: 'kinds/bird' })
  const node = (await corvus.call('GET', 'taxonomies?filter[name]=bird')).body.data[0].id
  assert.equal((await corvus.call('POST', `entities/${contributors[0]}/taxonomies`, { data: [node] })).status, 200)
  await make('entities/attachments', { filename: 'a.txt', data: 'QQ==', entities: [contributors[0]] })
  const server = await serverOf(corvus)
  const { id: user } = (await corvus.call('GET', 'users/self')).body.data
  const caller = await asUser(server, user)
  assert.ok(caller)
  await corvus.db.transaction().execute((db) => assignTogether({ ...server, db, caller, baseUrl: '' }, contributors))
  unified = await until(async () => {
    const { body } = await corvus.call('GET', 'entities?query=meta.is_unified_entity:true')
    return body.data[0]
  }, 'nothing was consolidated')
})

const state = async () => {
  const { rows } = await corvus.pool.query(
    `select t.version, t.data, t.meta, t.tags, t.attacks, t.vis, array(select target from entity_observables where source = t.id order by 1) as observables,
       array(select target from entity_taxonomies where source = t.id order by 1) as taxonomies,
       array(select target from entity_attachments where source = t.id order by 1) as attachments,
       (select count(*) from relationships where $1 in (source, target)) as relationships
     from entities as t where t.id = $1`,
    [unified.id],
  )
  return rows[0]
}

/** Everything that would change a unified entity. */
const waysIn = async (id: string, stixId: string): Promise<[string, string, unknown?][]> => {
  const node = (await corvus.call('GET', 'taxonomies?filter[name]=bird')).body.data[0].id
  const observable = (await corvus.call('GET', `entities/${contributors[0]}/observables`)).body.data[0]
    .split('/')
    .at(-1)
  const [attachment] = (await corvus.call('GET', `entities/${contributors[0]}/attachments`)).body.data
  const other = (await make('observables', { type: 'domain', value: `${randomUUID()}.example` })).id
  const item = { data: { id: stixId, type: 'malware', title: 'Mine now' } }
  const relationship = (source: string, target: string) => ({
    data: { source, target, key: 'related' },
    sources: [homeSource],
  })
  const homeSource = (await corvus.call('GET', `entities/${ordinary}`)).body.data.sources[0]
  const moved = (
    await make('relationships', {
      ...relationship(ordinary, contributors[0] ?? ''),
      data: { source: ordinary, target: contributors[0], key: 'related' },
    })
  ).id
  return [
    ['PATCH', `entities/${id}`, { data: { data: { title: 'Mine now' } } }],
    ['PATCH', `entities/${id}`, { data: { meta: { tags: [] } } }],
    ['POST', 'entities', { data: item }],
    ['PUT', 'entities', [{ data: { type: 'malware', title: 'New' } }, item]],
    ['DELETE', `entities/${id}`],
    ['DELETE', 'entities', [id]],
    ['POST', `entities/${id}/observables`, { data: [{ type: 'domain', value: 'added.example' }] }],
    ['PUT', `entities/${id}/observables/${other}`],
    ['DELETE', `entities/${id}/observables/${observable}`],
    ['POST', `entities/${id}/taxonomies`, { data: [node] }],
    ['DELETE', `entities/${id}/taxonomies/${node}`],
    ['DELETE', `entities/${id}/attachments/${String(attachment).split('/').at(-1)}`],
    ['POST', `entities/${id}/attacks`, { data: ['TA0001:T1566'] }],
    ['PUT', `entities/${id}/attacks/TA0001:T1566`],
    ['DELETE', `entities/${id}/attacks/TA0001:T1566`],
    ['POST', `observables/${other}/entities`, { data: [id] }],
    ['DELETE', `observables/${observable}/entities/${id}`],
    ['PATCH', `observables/${other}`, { data: { entities: [id] } }],
    ['POST', 'observables', { data: { type: 'domain', value: `${randomUUID()}.example`, entities: [id] } }],
    ['POST', 'entities/attachments', { data: { filename: 'b.txt', data: 'QQ==', entities: [id] } }],
    ['POST', 'relationships', { data: relationship(id, ordinary) }],
    ['POST', 'relationships', { data: relationship(ordinary, stixId) }],
    ['PUT', 'relationships', [relationship(id, ordinary)]],
    ['PATCH', `relationships/${moved}`, { data: { data: { source: id }, sources: [homeSource] } }],
  ]
}

test('every change of a unified entity is refused with the names of its contributors, and changes nothing', async () => {
  const before = await state()
  for (const [method, path, body] of await waysIn(unified.id, unified.data.id)) {
    const answer = await corvus.call(method as 'POST', path, body)
    assert.equal(answer.status, 409, `${method} ${path}: ${JSON.stringify(answer.body)}`)
    const [{ detail }] = answer.body
    assert.match(
      detail,
      /^"Kestrel (one|two)" is a unified entity\. Change its contributors instead: /,
      `${method} ${path}`,
    )
    for (const id of contributors) assert.ok(detail.includes(`(${id})`), detail)
    assert.deepEqual(await state(), before, `${method} ${path}`)
  }
})

test('someone who does not see it gets what they get for every entity that they do not see', async () => {
  const token = await corvus.tokenFor(['read entities', 'modify entities'])
  const { id } = (await corvus.call('GET', 'users/self', undefined, token)).body.data
  await corvus.call('PATCH', `users/${id}`, { data: { groups: [] } })
  await until(
    async () => (await corvus.call('GET', `entities/${unified.id}`, undefined, token)).status === 404,
    'the groups are not known',
  )
  const [hidden = ''] = await reports([{ title: 'Hidden kestrel' }])
  const answers = async (entity: string) => {
    const patched = await corvus.call('PATCH', `entities/${entity}`, { data: { data: { title: 'x' } } }, token)
    const removed = await corvus.call('DELETE', `entities/${entity}`, undefined, token)
    return [patched, removed].map(({ status, body }) => JSON.stringify([status, body]).replaceAll(entity, 'ID'))
  }
  assert.deepEqual(await answers(unified.id), await answers(hidden))
})

test('it can be a member of datasets, workspaces and tickets', async () => {
  const dataset = await make('datasets', { name: 'Birds', workspaces: [1] })
  assert.equal((await corvus.call('POST', `entities/${unified.id}/datasets`, { data: [dataset.id] })).status, 200)
  const ticket = await make('tickets', { name: 'Birds', workspaces: [1], entities: [unified.id] })
  assert.equal(ticket.entities.length, 1)
})

test('lists of entities that are sent back keep its links', async () => {
  const before = await state()
  const observable = (await corvus.call('GET', `entities/${contributors[0]}/observables`)).body.data[0]
  const { entities } = (await corvus.call('GET', observable.slice(observable.indexOf('/api')))).body.data
  assert.equal(entities.length, 2)
  const path = observable.slice(observable.indexOf('/api'))
  assert.equal((await corvus.call('PATCH', path, { data: { entities: [...entities, ordinary] } })).status, 200)
  assert.equal((await corvus.call('PATCH', path, { data: { entities: [contributors[0]] } })).status, 200)
  const [attachment] = (await corvus.call('GET', `entities/${contributors[0]}/attachments`)).body.data
  const at = attachment.slice(attachment.indexOf('/api'))
  assert.equal((await corvus.call('PATCH', at, { data: { entities: [contributors[0], ordinary] } })).status, 200)
  const { observables, attachments } = await state()
  assert.deepEqual([observables, attachments], [before.observables, before.attachments])
})

test('operations by query and on tags leave it out and say so', async () => {
  const before = await state()
  const query = { entities_query: 'data.title:kestrel AND type:malware' }
  const counted = await corvus.call('POST', 'entities/by-query/delete', { data: { ...query, dry_run: true } })
  assert.deepEqual(counted.body.data, { count: 2, unified: 1 })
  const run = await done('entities/by-query/update', { ...query, added_tags: ['by-query'] })
  assert.partialDeepStrictEqual(run.result, { matched: 2, changed: 2, unified: 1 })
  assert.deepEqual((await state()).meta, before.meta)
  await untilTagged('by-query')
  const removed = await done('entities/by-query/delete', { entities_query: `id:${unified.id}` })
  assert.partialDeepStrictEqual(removed.result, { matched: 0, changed: 0, unified: 1 })
  const { rows } = await corvus.pool.query('select max(id) as id from changes')
  assert.equal((await corvus.call('PATCH', 'tags/by-query', { data: { name: 'renamed' } })).status, 200)
  const { rows: changes } = await corvus.pool.query(
    'select ids from changes where id > $1 and cause_kind is null and $2 = any(ids)',
    [rows[0].id, unified.id],
  )
  assert.deepEqual(changes, [])
  await untilTagged('renamed')
})

/** Waits until consolidation has given the unified entity a tag of its contributors. */
const untilTagged = (tag: string): Promise<void> =>
  until(
    async () => (await corvus.call('GET', `entities/${unified.id}`)).body.data.meta.tags.includes(tag),
    'consolidation does not follow',
  )

test('rules act on contributors, and leave the unified entity to consolidation', async () => {
  const rule = await makeRule({ actions: ['add_tags'], add_tags: ['ruled'], content_criteria: 'data.title:kestrel' })
  const run = await runRule(rule)
  assert.equal(run.state, 'SUCCESS')
  const { rows } = await corvus.pool.query(
    'select count(*)::integer as count from entity_rule_effects where entity = $1',
    [unified.id],
  )
  assert.equal(rows[0].count, 0)
  const { body } = await corvus.call('GET', `tasks/runs/${run.id}`)
  assert.match(JSON.stringify(body), /Unified entities that were left out: 1/)
  await untilTagged('ruled')
})

test('a document that contains it is imported without it, and the outcome says why', async () => {
  const time = '2024-01-01T00:00:00.000Z'
  const object = (type: string, id: string, more: object) => ({
    type,
    spec_version: '2.1',
    id,
    created: time,
    modified: time,
    ...more,
  })
  const stixId = `malware--${unified.data.id.slice(-36)}`
  const other = `malware--${randomUUID()}`
  const relationship = (source_ref: string, target_ref: string) =>
    object('relationship', `relationship--${randomUUID()}`, { relationship_type: 'related-to', source_ref, target_ref })
  const objects = [
    object('malware', stixId, { name: 'Read back', is_family: true }),
    object('malware', other, { name: 'New in the bundle', is_family: true }),
    relationship(stixId, other),
  ]
  const findings = await findingsOf(JSON.stringify({ type: 'bundle', id: `bundle--${randomUUID()}`, objects }))
  const own = findings.map((finding) => JSON.parse(JSON.stringify(finding).replaceAll(stixId, unified.data.id)))
  const before = await state()
  const { outcomes } = await importFindings(corvus, own)
  assert.deepEqual(
    outcomes.map(({ kind, outcome }) => [kind, outcome]),
    [
      ['entity', 'refused'],
      ['entity', 'created'],
      ['relationship', 'refused'],
    ],
  )
  for (const { outcome, details } of outcomes)
    if (outcome === 'refused') assert.match(details.join(), /is a unified entity\. Change its contributors instead/)
  assert.deepEqual(await state(), before)
})

test('retention keeps it as long as its contributors', async () => {
  const policy = await make('retention-policies', {
    name: 'Old',
    what: 'inactive-entities',
    keep_days: 30,
    is_active: false,
  })
  const preview = async () => (await corvus.call('GET', `retention-policies/${policy.id}/preview`)).body.data.count
  await corvus.pool.query('delete from dataset_entities')
  await corvus.pool.query('delete from ticket_entities')
  const age = (ids: readonly string[]) =>
    corvus.pool.query(
      "update entities set threat_end = '2001-01-02', last_updated_at = '2001-01-02' where id = any($1)",
      [ids],
    )
  await age([unified.id])
  assert.equal(await preview(), 0)
  await age([ordinary])
  assert.equal(await preview(), 1)
})
