import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { beforeEach, test } from 'node:test'
import { corvus, get, make, makeRule, put, waitFor, withoutRules } from '../../../test/set-up/entity-rules.ts'
import { importFindings } from '../../../test/set-up/importing.ts'
import { findingsOf } from '../../../test/stix-round-trip.ts'

beforeEach(withoutRules)

const report = (title: string, more = {}) => ({ data: { type: 'report', title }, ...more })

const tagsOf = async (id: unknown) => (await get(String(id))).meta.tags

test('rules act on what is created one by one, in bulk and by an import', async () => {
  await makeRule({ actions: ['add_tags'], add_tags: ['ruled'], content_criteria: 'owl' })
  const { body } = await corvus.call('POST', 'entities', { data: report('owl one') })
  assert.deepEqual(body.data.meta.tags, ['ruled'])
  const [known] = await put([report('owl two')])
  assert.deepEqual(await tagsOf(known?.id), ['ruled'])
  const object = {
    type: 'report',
    spec_version: '2.1',
    id: `report--${randomUUID()}`,
    name: 'owl three',
    object_refs: [],
  }
  const times = {
    created: '2024-01-01T00:00:00.000Z',
    modified: '2024-01-01T00:00:00.000Z',
    published: '2024-01-01T00:00:00.000Z',
  }
  const bundle = { type: 'bundle', id: `bundle--${randomUUID()}`, objects: [{ ...object, ...times }] }
  await importFindings(corvus, await findingsOf(JSON.stringify(bundle)))
  const found = await corvus.call('GET', 'entities?query=data.title:three')
  assert.deepEqual(found.body.data[0].meta.tags, ['ruled'])
})

test('rules act on changes by query, of tags, of links and of observables, if they read what changes', async () => {
  const [made] = await put([report('snipe', { meta: { tags: ['old'] } })])
  const id = String(made?.id)
  await make('taxonomies', { path: 'ways/in' })
  const node = (await corvus.call('GET', 'taxonomies?filter[name]=in')).body.data[0]
  await makeRule({ actions: ['add_tags'], add_tags: ['by query'], content_criteria: 'tags:queried' })
  await makeRule({ actions: ['add_tags'], add_tags: ['by retag'], content_criteria: 'tags:renamed' })
  await makeRule({ actions: ['add_tags'], add_tags: ['by node'], content_criteria: 'meta.taxonomy_paths:"ways/in"' })
  await makeRule({ actions: ['add_tags'], add_tags: ['by value'], content_criteria: 'extracts.value:"evil.example"' })
  await makeRule({ actions: ['add_tags'], add_tags: ['by attack'], content_criteria: 'meta.attacks:TA0001*' })
  await makeRule({ actions: ['add_tags'], add_tags: ['never'], content_criteria: 'data.title:snipe' })
  const query = { entities_query: 'data.title:snipe', added_tags: ['queried'] }
  const started = await corvus.call('POST', 'entities/by-query/update', { data: query })
  await waitFor(`tasks/runs/${started.body.data.task_run.split('/').at(-1)}`)
  assert.deepEqual(await tagsOf(id), ['old', 'queried', 'by query'])
  const renamed = await corvus.call('POST', 'tags/rename', { data: { from: 'old', to: 'renamed' } })
  if (renamed.status < 300) assert.ok((await tagsOf(id)).includes('by retag'))
  await corvus.call('POST', `entities/${id}/taxonomies`, { data: [node.id] })
  assert.ok((await tagsOf(id)).includes('by node'))
  const linked = await corvus.call('POST', `entities/${id}/observables`, {
    data: [{ type: 'domain', value: 'evil.example' }],
  })
  assert.equal(linked.status, 200, JSON.stringify(linked.body))
  assert.ok((await tagsOf(id)).includes('by value'))
  await corvus.call('POST', `entities/${id}/attacks`, { data: ['TA0001:T1566'] })
  assert.ok((await tagsOf(id)).includes('by attack'))
  assert.ok(!(await tagsOf(id)).includes('never'))
})

test('criteria see the observables that are sent with the entity, and a placeholder is left alone until its entity arrives', async () => {
  await makeRule({
    actions: ['override_tlp'],
    override_tlp: 'RED',
    content_criteria: {
      operator: 'AND',
      conditions: [{ path: 'extracts.kind', operator: 'matches', value: 'domain' }],
    },
  })
  await makeRule({ actions: ['add_tags'], add_tags: ['any'] })
  const [made] = await put([report('crake', { observables: [{ type: 'domain', value: 'crake.example' }] })])
  assert.equal(made?.meta.tlp_color, 'RED')
  const [without] = await put([report('rail', { observables: [{ type: 'ipv4', value: '192.0.2.1' }] })])
  assert.equal(without?.meta.tlp_color, null)
  const stixId = '{https://x.test/}report-f3c1dd2e-6a2c-4ad7-9c55-9d1b7be9bd11'
  await put([{ data: { type: 'report', title: 'names another', related_packages: [{ idref: stixId }] } }])
  const before = await corvus.call('GET', `entities?filter[data.id]=${encodeURIComponent(stixId)}`)
  for (const { meta } of before.body.data) assert.deepEqual(meta.tags, [])
  const [arrived] = await put([{ data: { id: stixId, type: 'report', title: 'arrived' } }])
  assert.deepEqual(arrived?.meta.tags, ['any'])
})

test('a write by a user has the rules as the cause of what they changed, and one version', async () => {
  const first = await makeRule({ actions: ['add_tags'], add_tags: ['one'], content_criteria: 'avocet' })
  const second = await makeRule({ actions: ['override_tlp'], override_tlp: 'RED', content_criteria: 'tags:one' })
  const [made, other] = await put([report('avocet'), report('plain')])
  const { rows } = await corvus.pool.query(
    `select cause_kind, cause_id from changes where resource = 'entities' and $1 = any(ids) order by id`,
    [made?.id],
  )
  assert.deepEqual(rows, [{ cause_kind: 'rule', cause_id: `${first.id},${second.id}` }])
  const plain = await corvus.pool.query('select cause_kind from changes where $1 = any(ids)', [other?.id])
  assert.deepEqual(plain.rows, [{ cause_kind: null }])
  await put([{ data: { ...made?.data, title: 'avocet again' } }])
  const versions = await corvus.call('GET', `entities/${made?.id}/versions`)
  assert.equal(versions.body.total_count, 1)
})

test('a chain of more than three rules ends with a warning', async () => {
  const rules = []
  for (let i = 0; i < 5; i++)
    rules.push(await makeRule({ actions: ['add_tags'], add_tags: [`t${i + 1}`], content_criteria: `tags:t${i}` }))
  const [made] = await put([report('chain', { meta: { tags: ['t0'] } })])
  assert.deepEqual(made?.meta.tags, ['t0', 't1', 't2', 't3'])
  const warnings = await Promise.all(
    rules.map(async ({ id }) => (await corvus.call('GET', `entities/rules/${id}`)).body.data.warning),
  )
  assert.deepEqual(
    warnings.map((warning) => warning !== null),
    [false, false, false, true, false],
  )
})
