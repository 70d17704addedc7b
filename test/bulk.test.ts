import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startApp } from './app.ts'
import { isCounted } from './set-up/counting.ts'

let corvus: Awaited<ReturnType<typeof startApp>>
let statements: string[] = []
let attachments: string[] = []

before(async () => {
  corvus = await startApp((statement) => {
    if (isCounted(statement)) statements.push(statement)
  })
  await corvus.call('POST', 'taxonomies', { data: { path: ['Sector', 'Finance'] } })
  const made = await corvus.call('PUT', 'entities/attachments', [
    { data: Buffer.from('one').toString('base64'), filename: 'one.txt' },
    { data: Buffer.from('two').toString('base64'), filename: 'two.txt' },
  ])
  assert.equal(made.status, 201, JSON.stringify(made.body))
  attachments = made.body.data.map(({ id }: { id: string }) => id)
  // The first write of a process also reads the epoch of the dictionary.
  await corvus.call('POST', 'entities', { data: { type: 'report', title: 'first' } })
})
after(() => corvus.stop())

let words = 0

const TYPES = ['indicator', 'malware', 'report', 'threat-actor', 'campaign', 'ttp', 'incident']

/** Entities of all kinds: with and without tags, taxonomies, attachments, observables, references, images. */
const mixed = (count: number, tag: string, edition = '') =>
  Array.from({ length: count }, (_, i) => ({
    data: {
      id: `{https://corvus.example/}${tag}-${i}`,
      type: TYPES[i % TYPES.length],
      // A new word, so that each request adds one to the dictionary.
      title: `Entity ${i} of ${tag}${edition} word${++words}`,
      description: i % 4 ? 'plain' : `<img src="/private/entity-attachments/${attachments[0]}/download">`,
      ...(i % 3 === 0 && { created_by_ref: `identity--00000000-0000-4000-8000-${String(i).padStart(12, '0')}` }),
    },
    meta: { tags: [tag, `t${i % 10}`], ...(i % 5 === 0 && { taxonomies: ['Sector/Finance', 'Sector'] }) },
    observables: [
      { type: 'domain', value: `${tag}-${i}.example` },
      { type: 'ipv4', value: `10.0.${i % 250}.1` },
    ],
    ...(i % 2 === 0 && { attachments }),
  }))

async function counted(items: object[]): Promise<number> {
  statements = []
  const { status, body } = await corvus.call('PUT', 'entities', items)
  assert.ok(status < 300, JSON.stringify(body).slice(0, 500))
  assert.equal(body.data.length, items.length)
  return statements.length
}

test('a PUT of 1,000 mixed entities takes as many statements as one of 10, with new, changed and both kinds of items', async () => {
  assert.equal(await counted(mixed(1000, 'many')), await counted(mixed(10, 'few')))
  assert.equal(await counted(mixed(1000, 'many', '!')), await counted(mixed(10, 'few', '!')))
  const both = (known: number, count: number, tag: string) => [
    ...mixed(known, tag, '?'),
    ...mixed(count, `${tag}-more`),
  ]
  assert.equal(await counted(both(500, 500, 'many')), await counted(both(5, 5, 'few')))
})

test('one bad item among 1,000 is named by position and field, and nothing is stored', async () => {
  const before = await totals()
  const faults: [number, object, RegExp][] = [
    [700, { data: { type: 'indicator' } }, /^data\[700\]\.data\.title/],
    [3, { observables: [{ type: 'ipv4', value: '300.1.1.1' }] }, /^data\[3\]\.observables\[0\]\.value/],
    [999, { meta: { half_life: 0 } }, /^data\[999\]\.meta\.half_life/],
    [42, { meta: { taxonomies: ['No/Such'] } }, /^\[42\]\.meta\.taxonomies\[0\]/],
    [8, { attachments: ['00000000-0000-4000-8000-000000000000'] }, /^\[8\]\.attachments/],
    [16, { attachments: [] }, /^\[16\]\.data\.description/],
    [5, { sources: ['00000000-0000-4000-8000-000000000000'] }, /^\[5\]\.sources/],
  ]
  for (const [position, change, expected] of faults) {
    const items = mixed(1000, 'bad').map((item, i) => (i === position ? { ...item, ...change } : item))
    const { status, body } = await corvus.call('PUT', 'entities', { data: items })
    assert.equal(status, 400)
    assert.equal(body.length, 1, JSON.stringify(body).slice(0, 500))
    assert.match(body[0].detail, expected)
  }
  assert.deepEqual(await totals(), before, 'not even the observables')
})

async function totals(): Promise<unknown> {
  const tables = ['entities', 'observables', 'entity_observables', 'entity_taxonomies', 'entity_attachments', 'changes']
  const { rows } = await corvus.pool.query(tables.map((table) => `select count(*) from ${table}`).join(' union all '))
  return rows
}

test('fifty PUTs of the same entities and observables at once give no error and one row each', async () => {
  const items = mixed(20, 'race')
  const shuffled = (i: number) => (i % 2 ? items : items.toReversed())
  const answers = await Promise.all(Array.from({ length: 50 }, (_, i) => corvus.call('PUT', 'entities', shuffled(i))))
  assert.deepEqual(
    answers.filter(({ status }) => status > 201).map(({ status, body }) => [status, body]),
    [],
  )
  assert.equal(answers.filter(({ status }) => status === 201).length, 1)
  const { rows } = await corvus.pool.query(`
    select (select count(*) from entities where stix_id like '%race-%') as entities,
      (select count(*) from observables where value like 'race-%') as observables,
      (select count(*) from entity_versions v join entities e on e.id = v.entity_id where e.stix_id like '%race-%') as versions`)
  assert.deepEqual(rows[0], { entities: 20, observables: 20, versions: 0 })
})

test('more requests than connections, all with new words, wait for each other but do not deadlock', async () => {
  // Long enough that their words are collected after the transaction has begun.
  const items = (i: number) =>
    Array.from({ length: 101 }, (_, n) => ({ data: { type: 'report', title: `crowd${i}of${n}` } }))
  const answers = await Promise.all(Array.from({ length: 12 }, (_, i) => corvus.call('PUT', 'entities', items(i))))
  assert.deepEqual(
    answers.map(({ status }) => status),
    answers.map(() => 201),
  )
})

test('an entity with 100,000 relationships is deleted in one request', async () => {
  const [hub] = (await corvus.call('PUT', 'entities', [{ data: { type: 'malware', title: 'Hub' } }])).body.data
  await corvus.pool.query(
    `with others as (
      insert into entities (id, stix_id, type, vis, half_life, data, meta, search)
      select gen_random_uuid(), 'spoke-' || n, 'indicator', 8, 30, '{}', '{}', '' from generate_series(1, 100000) n
      returning id
    )
    insert into relationships (id, source, target, key, vis, home, strict_stix_1, strict_stix_2, data, meta)
    select gen_random_uuid(), $1, id, 'related-to', '{8}', 1, false, true, '{}', '{}' from others`,
    [hub.id],
  )
  assert.equal((await corvus.call('DELETE', `entities/${hub.id}`)).status, 204)
  const { rows } = await corvus.pool.query('select count(*) from relationships where source = $1', [hub.id])
  assert.equal(rows[0].count, 0)
})
