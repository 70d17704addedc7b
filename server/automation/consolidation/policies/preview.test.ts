import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { sql } from 'kysely'
import { isThorough } from '../../../../test/effort.ts'
import {
  addSuggestion,
  ask,
  configure,
  corvus,
  type Item,
  makeEntity,
  makeGroup,
  makePolicy,
  readerOf,
  refused,
} from '../../../../test/set-up/policies.ts'

const PATH = 'consolidation-rules/preview'

let one: Item
let two: Item
before(async () => {
  ;[one, two] = [await makeGroup({ name: 'First source' }), await makeGroup({ name: 'Second source' })]
})

/** A preview for these sources only, so that tests do not see the entities of others. */
const preview = (sources: readonly Item[], more: Item = {}, token = corvus.admin): Promise<Item> =>
  ask(
    'POST',
    PATH,
    { configurations: [{ entity_types: ['malware'], sources: sources.map(({ source }) => source) }], ...more },
    token,
  )

test('a preview says what would be joined, by which keys, and stores nothing', async () => {
  const first = await makeEntity(one.source, 'Emotet')
  const second = await makeEntity(two.source, 'EMOTET')
  await makeEntity(one.source, 'Trickbot', { aliases: ['The Trick'] })
  await makeEntity(two.source, 'TrickLoader', { aliases: ['The Trick'] })
  await makeEntity(one.source, 'Other')
  const before = await corvus.call('GET', 'entities?data=false')
  const seen = await preview([one, two])
  const { samples, ...rest } = seen
  assert.deepEqual(rest, {
    judged: 5,
    is_sample: false,
    groups: 1,
    contributors: 2,
    by_type: [{ type: 'malware', groups: 1, contributors: 2 }],
    by_key: [{ kind: 'title', count: 2 }],
    suggestions: 1,
    switched_off: [],
  })
  assert.equal(samples.length, 1)
  assert.deepEqual(samples[0].keys, [{ kind: 'title', value: 'emotet' }])
  assert.deepEqual(
    new Set(samples[0].contributors.map(({ entity, title, source_name }: Item) => `${entity} ${title} ${source_name}`)),
    new Set([
      `http://corvus.test/api/v2/entities/${first.id} Emotet First source`,
      `http://corvus.test/api/v2/entities/${second.id} EMOTET Second source`,
    ]),
  )
  assert.deepEqual((await corvus.call('GET', 'entities?data=false')).body, before.body)
  const { rows } = await corvus.pool.query('select from contributors')
  assert.equal(rows.length, 0)
})

test('who sees only one of two entities sees no group, no suggestion and no sample of them', async () => {
  const permissions = ['read entities', 'read rules', 'modify rules']
  const seen = await preview([one, two], {}, await readerOf([one.source], permissions))
  assert.partialDeepStrictEqual(seen, {
    judged: 3,
    is_sample: false,
    groups: 0,
    contributors: 0,
    suggestions: 0,
    samples: [],
    by_type: [],
  })
  await refused(
    403,
    'POST',
    PATH,
    { configurations: [{ entity_types: ['tool'] }] },
    await corvus.tokenFor(['modify rules']),
  )
  await refused(
    403,
    'POST',
    PATH,
    { configurations: [{ entity_types: ['tool'] }] },
    await readerOf([], ['read rules', 'read entities']),
  )
})

test('what a user decided is respected: exemptions and pairs that are not the same', async () => {
  const [a, b] = [await makeGroup(), await makeGroup()]
  const [exempt, other] = [await makeEntity(a.source, 'Exempt'), await makeEntity(b.source, 'Exempt')]
  const pair = [await makeEntity(a.source, 'Pair'), await makeEntity(b.source, 'Pair')]
  assert.equal((await preview([a, b])).groups, 2)
  await corvus.pool.query('insert into consolidation_exemptions (entity) values ($1)', [exempt.id])
  const { groups, samples } = await preview([a, b])
  assert.equal(groups, 1)
  assert.equal(samples[0].title, 'Pair')
  await addSuggestion(pair[0]?.id ?? '', pair[1]?.id ?? '', { state: 'refused' })
  assert.equal((await preview([a, b])).groups, 0)
  assert.ok(other.id)
})

test('entities that an older policy covers are left out, those of the previewed policy are not', async () => {
  const [a, b] = [await makeGroup(), await makeGroup()]
  await makeEntity(a.source, 'Covered')
  await makeEntity(b.source, 'Covered')
  const older = await makePolicy()
  const policy = await makePolicy()
  await configure(policy.id, { sources: [a.source, b.source] })
  assert.equal((await preview([a, b], { id: policy.id })).judged, 2)
  assert.equal((await preview([a, b], { id: older.id })).judged, 2, 'the other policy is younger')
  assert.equal((await preview([a, b])).judged, 0, 'a new policy is younger than all others')
  await configure(older.id, { sources: [a.source] })
  assert.equal((await preview([a, b], { id: policy.id })).judged, 1)
})

test('placeholders, withdrawn and unified entities take no part', async () => {
  const [a, b] = [await makeGroup(), await makeGroup()]
  const ids: string[] = []
  for (const { source } of [a, b])
    for (const title of ['Stub', 'Gone', 'Whole']) ids.push((await makeEntity(source, title)).id)
  assert.equal((await preview([a, b])).judged, 6)
  const [stub, gone, whole] = ids
  await corvus.pool.query('update entities set is_unresolved = true where id = $1', [stub])
  await corvus.pool.query('update entities set is_withdrawn = true where id = $1', [gone])
  await corvus.pool.query('update entities set is_unified = true where id = $1', [whole])
  assert.partialDeepStrictEqual(await preview([a, b]), { judged: 3, groups: 0 })
})

test('a key that too many entities share joins nothing, and the preview says so', async () => {
  const [a, b] = [await makeGroup(), await makeGroup()]
  const items = [a, b].flatMap(({ source }) =>
    Array.from({ length: 26 }, () => ({ data: { type: 'malware', title: 'Common' }, sources: [source] })),
  )
  await ask('PUT', 'entities', items)
  const { groups, judged, switched_off } = await preview([a, b])
  assert.deepEqual([judged, groups], [52, 0])
  assert.ok(
    switched_off.some(({ kind, value, members }: Item) => kind === 'title' && value === 'common' && members === 52),
  )
  const reader = await readerOf([a.source], ['read entities', 'modify rules'])
  assert.partialDeepStrictEqual(await preview([a, b], {}, reader), { judged: 26, groups: 1, switched_off: [] })
})

test('wrong input is refused with every field that is wrong', async () => {
  const details = await refused(400, 'POST', PATH, {
    merge_group: 'x',
    configurations: [{ entity_types: ['report'], half_life_choice: 'x' }, { entity_types: [] }],
  })
  for (const field of [
    'merge_group',
    'configurations[0].entity_types[0]',
    'configurations[0].half_life_choice',
    'configurations[1].entity_types',
  ])
    assert.ok(
      details.some((detail) => detail.includes(field)),
      `${field}: ${details}`,
    )
  await refused(400, 'POST', PATH, { configurations: [] })
  await refused(404, 'POST', PATH, { id: 999_999, configurations: [{ entity_types: ['tool'] }] })
  const unknown = '00000000-0000-4000-8000-000000000000'
  const faults = await refused(400, 'POST', PATH, {
    merge_group: 999_999,
    configurations: [
      { entity_types: ['tool'], sources: [unknown] },
      { entity_types: ['tool', 'malware'], tlp_choice: 'preferred_source' },
    ],
  })
  assert.deepEqual(faults, [
    `merge_group: there is no '999999' in groups.`,
    `configurations[0].sources[0]: there is no '${unknown}' in sources.`,
    'configurations[1].preferred_source: is required, because tlp_choice is preferred_source',
    'configurations[1]: configurations[0] already covers tool of the same sources',
  ])
})

test('a preview of many entities, which a thread groups, is like one of a few', async () => {
  const [a, b] = [await makeGroup(), await makeGroup()]
  const items = [a, b].flatMap(({ source }) =>
    Array.from({ length: 510 }, (_, i) => ({ data: { type: 'malware', title: `Family ${i}` }, sources: [source] })),
  )
  await ask('PUT', 'entities', items)
  assert.partialDeepStrictEqual(await preview([a, b]), {
    judged: 1020,
    groups: 510,
    contributors: 1020,
    by_key: [{ kind: 'title', count: 1020 }],
  })
})

test('of very many entities, the newest are judged in bounded time', { skip: !isThorough }, async () => {
  const a = await makeGroup()
  const { id } = await makeEntity(a.source, 'Many')
  await sql
    .raw(`
    begin; set local statement_timeout = 0;
    insert into entities
    select (jsonb_populate_record(e, jsonb_build_object('id', gen_random_uuid(), 'stix_id', 'malware--' || i, 'search', '',
      'data', e.data || jsonb_build_object('title', 'Family ' || i / 2, 'aliases', jsonb_build_array('A' || i, 'B' || i / 3))))).*
    from entities as e, generate_series(1, 20001) as i where e.id = '${id}';
    commit`)
    .execute(corvus.db)
  const { judged, is_sample, groups } = await preview([a])
  assert.ok(is_sample && judged <= 20_000 && groups > 0)
})
