import assert from 'node:assert/strict'
import { test } from 'node:test'
import { BASE } from '../../../../test/app.ts'
import { corvus, endOf } from '../../../../test/set-up/processing.ts'
import { readAdversaryFacts } from './adversary-facts.ts'

type Item = Record<string, unknown>

const MARKING = 'marking-definition--fa42a846-8d90-4e51-bc29-71d5b4802168'
const IDS = {
  group: 'intrusion-set--11111111-1111-4111-8111-111111111111',
  tool: 'tool--22222222-2222-4222-8222-222222222222',
  dead: 'intrusion-set--33333333-3333-4333-8333-333333333333',
  other: 'malware--44444444-4444-4444-8444-444444444444',
}
const TIMES = { created: '2020-01-01T00:00:00.000Z', modified: '2025-02-03T00:00:00.000Z' }
const reference = (external_id: string, source_name = 'mitre-attack') => ({
  external_references: [{ source_name, external_id, url: `https://example.org/${external_id}` }],
})
const technique = (digit: string, external_id: string) => ({
  type: 'attack-pattern',
  id: `attack-pattern--${digit.repeat(8)}-0000-4000-8000-000000000000`,
  name: external_id,
  ...TIMES,
  ...reference(external_id),
})
let links = 0
const link = (source_ref: string, relationship_type: string, target_ref: string) => ({
  type: 'relationship',
  id: `relationship--${String(++links).padStart(8, '0')}-0000-4000-8000-000000000000`,
  ...TIMES,
  relationship_type,
  source_ref,
  target_ref,
  description: 'How it is done.',
})

const [phishing, revoked, unknown] = [technique('a', 'T1566.001'), technique('b', 'T1086'), technique('c', 'T9999')]

/** A bundle in the form of the official ones, with invented groups. */
const BUNDLE = {
  type: 'bundle',
  id: 'bundle--55555555-5555-4555-8555-555555555555',
  spec_version: '2.0',
  objects: [
    link(IDS.group, 'uses', phishing.id),
    link(IDS.group, 'uses', revoked.id),
    link(IDS.tool, 'uses', unknown.id),
    link(IDS.group, 'uses', IDS.tool),
    link(IDS.group, 'uses', IDS.dead),
    phishing,
    revoked,
    unknown,
    {
      type: 'x-mitre-collection',
      id: 'x-mitre-collection--66666666-6666-4666-8666-666666666666',
      x_mitre_version: '99.1',
    },
    {
      type: 'marking-definition',
      id: MARKING,
      created: TIMES.created,
      definition_type: 'statement',
      definition: { statement: 'Ours' },
    },
    {
      type: 'intrusion-set',
      id: IDS.group,
      name: 'Invented Adder',
      aliases: ['Invented Adder', 'INVENTED-1'],
      description: 'A group that does not exist.',
      object_marking_refs: [MARKING],
      ...TIMES,
      ...reference('G9901'),
    },
    {
      type: 'tool',
      id: IDS.tool,
      name: 'Invented Tool',
      x_mitre_aliases: ['Invented Tool', 'InvTool'],
      ...TIMES,
      ...reference('S9901'),
    },
    { type: 'intrusion-set', id: IDS.dead, name: 'Revoked', revoked: true, ...TIMES, ...reference('G9902') },
    { type: 'malware', id: IDS.other, name: 'Of others', ...TIMES, ...reference('X1', 'elsewhere') },
  ],
}

async function uploaded(content: unknown, name: string): Promise<number> {
  const data = Buffer.from(typeof content === 'string' ? content : JSON.stringify(content)).toString('base64')
  const { body } = await corvus.call('POST', 'files', { data: { name, data, process: false } })
  return body.data.id
}

const install = (data: Item = {}, token?: string) =>
  corvus.call('POST', 'knowledge-packs/attack/install', { data }, token)

const path = (url: string) => url.slice(`${BASE}/api/v2/`.length)

async function ended({ task_run }: { task_run: string }) {
  return endOf(task_run.slice(BASE.length))
}

const total = async () => (await corvus.call('GET', 'entities?data=false')).body.total_count
const named = async (title: string) =>
  (await corvus.call('GET', `entities?filter[data.title]=${title}`)).body.data.filter(
    ({ data }: { data: Item }) => data.title === title,
  )
const nodesOf = ({ meta }: { meta: { attacks: string[] } }) =>
  meta.attacks.map((url) => url.slice(url.lastIndexOf('/') + 1))

test('the facts that come with Corvus hold names and ids only', async () => {
  const { version, adversaries, links: all } = await readAdversaryFacts()
  assert.equal(version, '18.1')
  assert.ok(adversaries.length > 1_000 && all.length > 1_000)
  const known = ['id', 'external_id', 'name', 'aliases', 'created', 'first_seen', 'last_seen', 'techniques']
  for (const each of adversaries) {
    assert.deepEqual(
      Object.keys(each).filter((name) => !known.includes(name)),
      [],
    )
    for (const name of [each.name, ...each.aliases]) assert.ok(name.length < 100, name)
  }
  for (const { source, target } of all) assert.ok(adversaries[source] && adversaries[target])
})

test('the pack is installed without a network, again without a change, and uninstalled without a trace', async () => {
  const before = await total()
  const { status, body } = await install()
  assert.equal(status, 202, JSON.stringify(body))
  const run = await ended(body.data)
  const { adversaries, links: all } = await readAdversaryFacts()
  assert.equal(run.state, 'SUCCESS', JSON.stringify(run))
  const created = { entities: { created: adversaries.length }, relationships: { created: all.length } }
  assert.deepEqual(run.result, { format: 'stix-2', objects: adversaries.length + all.length, ...created, lost: 0 })
  assert.equal(await total(), before + adversaries.length)

  const [group] = await named('APT28')
  assert.equal(group.data.type, 'intrusion-set')
  assert.equal(group.data.external_references[0].external_id, 'G0007')
  const facts = adversaries.find(({ external_id }) => external_id === 'G0007')
  const nodes = nodesOf(group)
  assert.ok(nodes.includes('TA0001:T1566.001') && nodes.includes('TA0043:T1598.003'), nodes.join())
  const techniques = new Set(nodes.map((id) => id.slice(id.indexOf(':') + 1)))
  assert.deepEqual([...techniques].sort(), facts?.techniques)

  const pack = path(body.data.knowledge_pack)
  assert.deepEqual((await corvus.call('GET', pack)).body.data.version, '18.1')
  const again = await install()
  const { unchanged } = (await ended(again.body.data)).result.entities
  assert.deepEqual([unchanged, again.body.data.file], [adversaries.length, body.data.file])

  const gone = [
    ['files', 'delete'],
    ['knowledge-packs', 'delete'],
  ]
  const told = (answer: { body: { data: { changes: Item[] } } }) =>
    answer.body.data.changes.map(({ collection, action }) => [collection, action])
  assert.deepEqual(told(await corvus.call('POST', `${pack}/uninstall?preview=true`)), gone)
  assert.equal(await total(), before + adversaries.length)
  assert.deepEqual(told(await corvus.call('POST', `${pack}/uninstall`)), gone)
  assert.equal(await total(), before)
  assert.equal((await corvus.call('GET', path(body.data.file))).status, 404)
})

test('official bundles add descriptions; techniques become classifications, and what is dead or of others is left out', async () => {
  const file = await uploaded(BUNDLE, 'enterprise-attack.json')
  const { body } = await install({ files: [file] })
  const run = await ended(body.data)
  assert.deepEqual([run.result.entities, run.result.relationships], [{ created: 2 }, { created: 1 }])
  const [group] = await named('Invented Adder')
  assert.deepEqual([group.data.description, group.data.aliases], ['A group that does not exist.', ['INVENTED-1']])
  assert.deepEqual(nodesOf(group).sort(), ['TA0001:T1566.001', 'TA0002:T1059.001'])
  const [tool] = await named('Invented Tool')
  assert.deepEqual([nodesOf(tool), tool.data.aliases], [['T9999'], ['InvTool']])
  assert.deepEqual([await named('Of others'), await named('Revoked'), await named('T1566.001')], [[], [], []])
  assert.equal((await corvus.call('GET', path(body.data.knowledge_pack))).body.data.version, '99.1')

  const own = await corvus.call('POST', 'entities', { data: { type: 'report', title: 'Kept' } })
  assert.equal((await corvus.call('POST', `${path(body.data.knowledge_pack)}/uninstall`)).status, 200)
  assert.deepEqual([await named('Invented Adder'), (await named('Kept')).length], [[], 1])
  assert.equal(
    (await corvus.call('GET', path(own.body.data.url ?? `${BASE}/api/v2/entities/${own.body.data.id}`))).status,
    200,
  )
  assert.equal((await corvus.call('GET', `files/${file}`)).status, 200, 'the bundle itself belongs to its user')
})

test('files that are no official bundles are refused, and nothing is installed', async () => {
  for (const [content, message] of [
    [{ type: 'bundle', objects: [] }, /files: The bundle has no group, software or campaign of ATT&CK/],
    ['{"objects": [', /^files: /],
  ] as const) {
    const { status, body } = await install({ files: [await uploaded(content, 'x.json')] })
    assert.equal(status, 400)
    assert.match(body[0].detail, message)
  }
  assert.equal((await install({ files: [999_999] })).status, 404)
  assert.equal((await corvus.call('GET', 'knowledge-packs?data=false')).body.total_count, 0)
})

test('installing and uninstalling need the permissions for what the pack writes', async () => {
  const all = [
    'install knowledge-packs',
    'modify knowledge-packs',
    'modify files',
    'modify entities',
    'read knowledge-packs',
  ]
  const installer = await corvus.tokenFor(all.filter((name) => name !== 'modify entities'))
  const refused = await install({}, installer)
  assert.deepEqual([refused.status, refused.body[0].detail], [403, 'Missing permissions: [modify entities]'])
  assert.equal((await install({}, await corvus.tokenFor(all.slice(1)))).status, 403)
  const file = await uploaded(BUNDLE, 'other.json')
  const { body } = await install({ files: [file] })
  await ended(body.data)
  const uninstall = (token?: string) =>
    corvus.call('POST', `${path(body.data.knowledge_pack)}/uninstall`, undefined, token)
  assert.equal((await uninstall(installer)).status, 403)
  assert.equal((await named('Invented Adder')).length, 1)
  assert.equal((await uninstall()).status, 200)
})
