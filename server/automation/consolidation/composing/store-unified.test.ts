import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { type Answered, startApp } from '../../../../test/app.ts'
import { serverOf } from '../../../../test/followers.ts'
import { isCounted } from '../../../../test/set-up/counting.ts'
import { groupOf, HIGHEST, unify } from '../../../../test/set-up/unified.ts'
import { until } from '../../../../test/until.ts'
import { NOBODY } from '../../../engine/route.ts'
import { removeUnified } from './remove-unified.ts'
import type { UnifiedGroup } from './store-unified.ts'

let corvus: Awaited<ReturnType<typeof startApp>>
let statements: string[] = []

before(async () => {
  corvus = await startApp((statement) => statements.push(statement))
})
after(() => corvus.stop())

async function write(title: string, more: { data?: object; meta?: object; observables?: object[] } = {}) {
  const { data, ...rest } = more
  const item = { data: { type: 'malware', title, ...data }, ...rest }
  const { status, body } = await corvus.call('POST', 'entities', { data: item })
  assert.equal(status, 201, JSON.stringify(body))
  return String(body.data.id)
}

/** An entity as the administrator sees it, once the keys that it asks for are known to the server. */
const read = (id: string): Promise<Answered['body']> =>
  until(async () => (await corvus.call('GET', `entities/${id}`)).body.data, 'the entity is not visible')

/** The same group with its unified entity in place. */
const again = (group: UnifiedGroup, more: Partial<UnifiedGroup> = {}): UnifiedGroup => ({
  ...group,
  isNew: false,
  ...more,
})

const domain = (value: string, more: object = {}) => ({ type: 'domain', value, ...more })

test('a unified entity is an entity with the links of its contributors', async () => {
  await corvus.call('POST', 'taxonomies', { data: { path: ['Kind', 'Loader'] } })
  const one = await write('Emotet', {
    data: { description: 'A loader.' },
    meta: { tags: ['a'], taxonomies: ['Kind/Loader'] },
    observables: [domain('a.example', { link_type: 'sighted' }), domain('b.example')],
  })
  const two = await write('Heodo', { meta: { tags: ['b'], attacks: [] }, observables: [domain('a.example')] })
  const group = await groupOf(corvus, [one, two])
  assert.deepEqual(await unify(corvus, [group]), [group.unified])
  const unified = await read(group.unified)
  assert.equal(unified.data.id, group.stixId)
  assert.equal(unified.data.description, 'A loader.')
  assert.deepEqual(unified.meta.tags, ['a', 'b'])
  assert.equal(unified.meta.is_unified_entity, true)
  assert.deepEqual(unified.meta.taxonomies, (await read(one)).meta.taxonomies)
  assert.deepEqual(new Set(unified.observables), new Set((await read(one)).observables))
  assert.equal(unified.created_by, null)
  assert.equal((await read(one)).meta.is_contributor_to, group.stixId)
  const { rows: links } = await sql<{ link_type: string | null }>`
    select l.link_type from entity_observables as l join observables as o on o.id = l.target
    where l.source = ${group.unified} order by o.value`.execute(corvus.db)
  assert.deepEqual(links, [{ link_type: 'sighted' }, { link_type: null }])
})

test('a unified entity is found by the title of each contributor', async () => {
  const one = await write('Qakbot', { meta: { source_reliability: 'A' } })
  const two = await write('Pinkslipbot')
  const group = await groupOf(corvus, [one, two])
  await unify(corvus, [group])
  for (const query of ['qakbot', 'Pinkslipbot', 'data.title:pinkslip*', 'data.aliases:Pinkslipbot']) {
    const { body } = await corvus.call('GET', `entities?query=${encodeURIComponent(query)}`)
    const ids = body.data.map(({ id }: { id: string }) => id)
    assert.ok(ids.includes(group.unified), query)
  }
  assert.equal((await read(group.unified)).meta.title, 'Qakbot')
})

test('recomputing writes nothing until a contributor changes; then a version is kept', async () => {
  const ids = [await write('Dridex', { observables: [domain('d.example')] }), await write('Cridex')]
  const group = await groupOf(corvus, ids)
  await unify(corvus, [group])
  const state = async () => {
    const { rows } = await sql`
      select (select array_agg(xmin::text || ctid::text) from entities where id = ${group.unified}) as entity,
        (select array_agg(xmin::text || ctid::text) from unified_entities where entity = ${group.unified}) as origins,
        (select array_agg(xmin::text || ctid::text) from entity_observables where source = ${group.unified}) as links,
        (select count(*) from changes) as changes, (select count(*) from words) as words,
        (select count(*) from composites) as composites, (select count(*) from entity_versions) as versions`.execute(
      corvus.db,
    )
    return rows[0]
  }
  const unchanged = await state()
  assert.deepEqual(await unify(corvus, [again(group, { contributors: ids.toReversed() })]), [])
  assert.deepEqual(await state(), unchanged)
  await corvus.call('PATCH', `entities/${ids[1]}`, { data: { data: { description: 'A banking trojan.' } } })
  assert.deepEqual(await unify(corvus, [again(group)]), [group.unified])
  assert.equal((await read(group.unified)).data.description, 'A banking trojan.')
  const { body } = await corvus.call('GET', `entities/${group.unified}/versions`)
  assert.equal(body.total_count, 1)
  const { rows: changes } = await sql<{ kind: string; cause_kind: string; user_id: number | null }>`
    select kind, cause_kind, user_id from changes where ${group.unified} = any(ids) order by id`.execute(corvus.db)
  assert.deepEqual(changes, [
    { kind: 'create', cause_kind: 'consolidation', user_id: null },
    { kind: 'update', cause_kind: 'consolidation', user_id: null },
  ])
})

test('links follow the contributors', async () => {
  const one = await write('Locky', {
    observables: [domain('e.example'), domain('f.example', { link_type: 'sighted' })],
  })
  const two = await write('Odin')
  const group = await groupOf(corvus, [one, two])
  await unify(corvus, [group])
  const before = (await read(group.unified)).observables
  assert.equal(before.length, 2)
  await corvus.call('PATCH', `entities/${one}`, {
    data: { observables: [domain('f.example', { link_type: 'test' }), domain('g.example')] },
  })
  await unify(corvus, [again(group)])
  assert.deepEqual(new Set((await read(group.unified)).observables), new Set((await read(one)).observables))
  const { rows } = await sql<{ link_type: string }>`
    select l.link_type from entity_observables as l join observables as o on o.id = l.target
    where l.source = ${group.unified} and o.value = 'f.example'`.execute(corvus.db)
  assert.deepEqual(rows, [{ link_type: 'test' }])
})

test('only those who see all contributors see the unified entity, also those that contribute nothing', async () => {
  const [low, high] = [
    await write('Low', { meta: { tlp_color: 'GREEN' } }),
    await write('High', { meta: { tlp_color: 'RED' } }),
  ]
  const group = await groupOf(corvus, [low, high], { choices: { ...HIGHEST, tlp_choice: 'lowest' } })
  await unify(corvus, [group])
  const unified = await read(group.unified)
  assert.equal(unified.meta.tlp_color, 'GREEN')
  assert.ok(!JSON.stringify(unified).includes('High'))
  const token = await corvus.tokenFor(['read entities'])
  const user = (await corvus.call('GET', 'users/self', undefined, token)).body.data
  const [{ source }] = (await corvus.call('GET', 'groups?filter[name]=Default')).body.data
  const green = { name: 'Green', users: [user.id], sources: [`${source}?allowed_tlp=GREEN`] }
  const made = (await corvus.call('POST', 'groups', { data: green })).body.data
  await corvus.call('PATCH', `users/${user.id}`, { data: { groups: [made.id] } })
  const status = async (id: string) => (await corvus.call('GET', `entities/${id}`, undefined, token)).status
  await until(async () => (await status(high)) === 404, 'the groups are not known')
  assert.deepEqual([await status(low), await status(group.unified)], [200, 404])
})

test('many unified entities take as many statements as one', async () => {
  const pair = async (i: number) => [
    await write(`Pair ${i}`, { observables: [domain(`${i}.example`)], meta: { tags: [`t${i}`] } }),
    await write(`Twin ${i}`, { observables: [domain(`twin${i}.example`)] }),
  ]
  const pairs: string[][] = []
  for (let i = 0; i < 8; i++) pairs.push(await pair(i))
  const groups = await Promise.all(pairs.map((ids) => groupOf(corvus, ids)))
  const counted = async (some: readonly UnifiedGroup[]) => {
    statements = []
    await unify(corvus, some)
    // The calls before are recorded at about the same time.
    return statements.filter(isCounted).length
  }
  assert.equal(await counted(groups.slice(0, 1)), await counted(groups.slice(1)))
  for (const ids of pairs)
    await corvus.call('PATCH', `entities/${ids[0]}`, { data: { data: { description: 'x' }, observables: [] } })
  assert.equal(
    await counted(groups.slice(0, 1).map((group) => again(group))),
    await counted(groups.slice(1).map((group) => again(group))),
  )
})

test('what is removed leaves nothing behind, and the contributors remain', async () => {
  const ids = [await write('Gone', { observables: [domain('h.example')] }), await write('Gone too')]
  const group = await groupOf(corvus, ids)
  await unify(corvus, [group])
  const server = await serverOf(corvus)
  await corvus.db
    .transaction()
    .execute((db) => removeUnified({ ...server, db, caller: NOBODY, baseUrl: '' }, [group.unified, ids[0] as string]))
  assert.equal((await corvus.call('GET', `entities/${group.unified}`)).status, 404)
  assert.equal((await read(ids[0] as string)).meta.is_contributor_to, null)
  const { rows } = await sql<{ count: number }>`
    select (select count(*) from entity_observables where source = ${group.unified})
      + (select count(*) from unified_entities where entity = ${group.unified})
      + (select count(*) from contributors where unified = ${group.unified}) as count`.execute(corvus.db)
  assert.equal(Number(rows[0]?.count), 0)
})
