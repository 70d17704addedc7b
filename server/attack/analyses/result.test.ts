import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { BASE, startApp } from '../../../test/app.ts'

const corvus = await startApp()
after(() => corvus.stop())

/** Of entities by their titles, of the dataset, and of the source that only the hidden ones have. */
const ids: Record<string, string> = {}
let dataset: number
let hiddenSource: string

async function post(path: string, data: unknown) {
  const { status, body } = await corvus.call('POST', path, { data })
  assert.equal(status, 201, JSON.stringify(body))
  return body.data
}

async function entity(title: string, attacks: readonly string[], more: Record<string, unknown> = {}) {
  ids[title] = (await post('entities', { data: { type: 'malware', title }, meta: { attacks }, ...more })).id
}

async function read(path: string, token?: string) {
  const { status, body } = await corvus.call('GET', path, undefined, token)
  assert.equal(status, 200, JSON.stringify(body))
  return body
}

async function refused(path: string, status: number) {
  const answer = await corvus.call('GET', path)
  assert.equal(answer.status, status, JSON.stringify(answer.body))
  return answer.body.map(({ detail }: { detail: string }) => detail) as string[]
}

before(async () => {
  hiddenSource = (await corvus.blindGroup('Elsewhere')).source
  await entity('A', ['TA0001:T1566', 'TA0002:T1059.001'])
  await entity('B', ['TA0001:T1566', 'TA0040:T1486'])
  await entity('C', ['TA0027:T1660', 'TA0002'])
  dataset = (await post('datasets', { name: 'Some', workspaces: [1], entities: [ids.B] })).id
})

const pins = {
  name: 'Pins',
  version: '3.0',
  domain: 'mitre-enterprise',
  techniques: [
    { techniqueID: 'T1566', score: 5, comment: 'Tried' },
    { techniqueID: 'T1086', tactic: 'execution', color: '#ff6666' },
    { techniqueID: 'T1486', score: 3, enabled: false },
    { techniqueID: 'T1490', score: 0 },
    { techniqueID: 'T9999', score: 9 },
  ],
}
const importPins = async (more = {}) =>
  (await post('attack_analyses/import-layer', { ...pins, ...more })).analyses[0].id as number

/** Without the time of the response. */
const timeless = (body: unknown) => JSON.parse(JSON.stringify(body, (key, value) => (key === 'at' ? undefined : value)))

test('the result of an analysis has the heat and coverage of its scope, its annotations and its layer', async () => {
  const { id } = await post('attack_analyses', { name: 'Scoped', scope_entities: [ids.A], scope_datasets: [dataset] })
  const annotation = { attack_analysis: id, attack_node: 'TA0040:T1486', content: 'Tested.' }
  const note = await post('attack_analyses/annotations', annotation)
  const { data } = await read(`attack_analyses/${id}/result?aggregate=sum`)
  const parameters = `entities=${ids.A}&dataset=${dataset}&aggregate=sum`
  assert.deepEqual(timeless(data.heat), timeless(await read(`attacks/heat?${parameters}`)))
  assert.equal(data.heat.total_count, 2)
  assert.equal(data.coverage.total_count, 2)
  assert.deepEqual(
    data.coverage.data
      .filter(({ count }: { count: number }) => count > 0)
      .map(({ id }: { id: string }) => id)
      .sort(),
    ['TA0001:T1566', 'TA0002:T1059.001', 'TA0040:T1486'],
  )
  assert.deepEqual(data.annotations, [
    {
      id: note.id,
      attack_annotation: `${BASE}/api/v2/attack_analyses/annotations/${note.id}`,
      attack_node: 'TA0040:T1486',
      content: 'Tested.',
    },
  ])
  assert.equal(data.layer, null)
  assert.equal((await read(`attack_analyses/${id}/result?entities=${ids.B},${ids.C}`)).data.heat.total_count, 1)
})

test('an analysis without a scope is about everything, and has what its layer says', async () => {
  const id = await importPins()
  const { data } = await read(`attack_analyses/${id}/result`)
  assert.deepEqual(timeless(data.heat), timeless(await read('attacks/heat')))
  assert.equal(data.heat.total_count, 3)
  assert.deepEqual(data.layer, {
    name: 'Pins',
    nodes: [
      { id: 'TA0001:T1566', score: 5, color: '', enabled: true },
      { id: 'TA0002:T1059.001', score: null, color: '#ff6666', enabled: true },
      { id: 'TA0040:T1486', score: 3, color: '', enabled: false },
      { id: 'TA0040:T1490', score: 0, color: '', enabled: true },
    ],
  })
  assert.deepEqual(
    data.annotations.map(({ content }: { content: string }) => content),
    ['Tried'],
  )
})

test('a comparison says which side has a node', async () => {
  const { data } = await read(`attack_analyses/compare?left=entities:${ids.A},${ids.C}&right=dataset:${dataset}`)
  assert.deepEqual(data, {
    matrix: 'enterprise-attack',
    left: { name: null, total_count: 2, nodes: 3 },
    right: { name: null, total_count: 1, nodes: 2 },
    nodes: [
      { id: 'TA0001:T1566', left: 1, right: 1, state: 'both' },
      { id: 'TA0002', left: 1, right: 0, state: 'left' },
      { id: 'TA0002:T1059.001', left: 1, right: 0, state: 'left' },
      { id: 'TA0040:T1486', left: 0, right: 1, state: 'right' },
    ],
  })
  const mobile = await read('attack_analyses/compare?matrix=mobile-attack&left=all&right=all')
  assert.deepEqual(mobile.data.nodes, [{ id: 'TA0027:T1660', left: 1, right: 1, state: 'both' }])
  const filtered = await read(`attack_analyses/compare?left=all&right=all&filter[data.title]=B&aggregate=sum`)
  assert.equal(filtered.data.left.total_count, 1)
})

test('layers are compared by what they mark', async () => {
  const id = await importPins()
  const nodesOf = async (left: string, right: string) =>
    (await read(`attack_analyses/compare?left=${left}&right=${right}`)).data.nodes.map(
      ({ id, left, right }: Record<string, unknown>) => `${id} ${left} ${right}`,
    )
  const compared = ['TA0001:T1566 5 2', 'TA0002 0 1', 'TA0002:T1059.001 1 1', 'TA0040:T1486 0 1']
  assert.deepEqual(await nodesOf(`analysis:${id}`, 'all'), compared)
  await corvus.call('PATCH', `attack_analyses/${id}`, { data: { scope_entities: [ids.B] } })
  assert.deepEqual(await nodesOf(`layer:${id}`, 'all'), compared)
  assert.deepEqual(await nodesOf(`analysis:${id}`, `layer:${id}`), [
    'TA0001:T1566 1 5',
    'TA0002:T1059.001 0 1',
    'TA0040:T1486 1 0',
  ])
  const bare = await importPins({ techniques: [{ techniqueID: 'T1566' }, { techniqueID: 'T1486', enabled: false }] })
  assert.deepEqual(await nodesOf(`layer:${bare}`, `layer:${bare}`), ['TA0001:T1566 1 1'])
})

test('hidden entities and datasets change no number', async () => {
  const { id } = await post('attack_analyses', { name: 'Half seen', scope_entities: [ids.A] })
  const unbounded = await post('attack_analyses', { name: 'Nothing seen' })
  const paths = [
    `attack_analyses/${id}/result`,
    `attack_analyses/${unbounded.id}/result?relations=true`,
    `attack_analyses/compare?left=analysis:${id}&right=analysis:${unbounded.id}`,
    `attack_analyses/compare?left=all&right=dataset:${dataset}`,
  ]
  const all = async () => timeless(await Promise.all(paths.map((path) => read(path))))
  const seen = await all()
  const own = { sources: [hiddenSource], datasets: [dataset] }
  await entity('Hidden', ['TA0001:T1566', 'TA0002:T1059.001', 'TA0003:T1547', 'TA0003'], own)
  for (const source of [id, unbounded.id])
    await corvus.pool.query('insert into attack_analysis_entities values ($1, $2)', [source, ids.Hidden])
  assert.deepEqual(await all(), seen)
  const { data } = await read(`attack_analyses/compare?left=entities:${ids.Hidden}&right=entities:${ids.A}`)
  assert.deepEqual(data.left, { name: null, total_count: 0, nodes: 0 })
  const unknown = await read('attack_analyses/compare?left=dataset:999999&right=all')
  assert.deepEqual(unknown.data.left, { name: null, total_count: 0, nodes: 0 })
})

test('a comparison is downloaded as a layer, whole or only what one side has', async () => {
  const id = await importPins({ techniques: [{ techniqueID: 'T1566' }, { techniqueID: 'T1486' }] })
  const path = `attack_analyses/compare/layer?left=layer:${id}&right=entities:${ids.A}`
  const shown = ({ techniques }: { techniques: Record<string, unknown>[] }) =>
    techniques.map(({ tactic, techniqueID, color, score }) => [tactic, techniqueID, color, score])
  const { data } = await read(`attack_analyses/compare?left=layer:${id}&right=entities:${ids.A}`)
  const whole = await read(path)
  assert.deepEqual([whole.domain, whole.versions.layer, whole.legendItems.length], ['enterprise-attack', '4.5', 3])
  const techniques = data.nodes.filter(({ id }: { id: string }) => id.includes(':'))
  assert.equal(whole.techniques.length, techniques.length)
  const only = await read(`${path}&state=left&name=Missing`)
  assert.deepEqual(
    [only.name, only.legendItems.length, shown(only)],
    ['Missing', 1, [['impact', 'T1486', '#6baed6', 1]]],
  )
  assert.deepEqual(await refused('attack_analyses/compare/layer?matrix=DISARM&left=all&right=all', 400), [
    'DISARM is no domain of ATT&CK Navigator, so that there are no layers of it.',
  ])
  assert.deepEqual(await refused('attack_analyses/compare/layer?left=all&right=all&state=none', 400), [
    "state: must be one of 'left', 'both', 'right', not 'none'",
  ])
})

test('what cannot be compared is refused with the reason', async () => {
  const form = 'must be all, analysis:<id>, layer:<id>, dataset:<id> or entities:<id>,<id>'
  assert.deepEqual(await refused('attack_analyses/compare', 400), ['left: is required', 'right: is required'])
  assert.deepEqual(await refused('attack_analyses/compare?left=some&right=entities:x&matrix=y', 400), [
    `left: ${form}`,
    `right: ${form}`,
    "matrix: must be one of 'enterprise-attack', 'mobile-attack', 'ics-attack', 'DISARM', not 'y'",
  ])
  for (const side of ['dataset:', 'dataset:99999999999', 'layer:x', 'analysis:1e3', '__proto__:1', 'all:1'])
    assert.deepEqual(await refused(`attack_analyses/compare?left=${side}&right=all`, 400), [`left: ${form}`])
  const many = Array(1001).fill(ids.A).join(',')
  assert.deepEqual(await refused(`attack_analyses/compare?left=all&right=entities:${many}`, 400), [
    'right: must have at most 1000 entities',
  ])
  const { id } = await post('attack_analyses', { name: 'Industry', attack_matrix: 'ics-attack' })
  assert.deepEqual(await refused(`attack_analyses/compare?left=analysis:${id}&right=all`, 400), [
    'left: the analysis is of ics-attack, not of enterprise-attack.',
  ])
  assert.deepEqual(await refused(`attack_analyses/compare?matrix=ics-attack&left=layer:${id}&right=all`, 400), [
    `left: no layer was imported into the analysis ${id}.`,
  ])
  await refused('attack_analyses/compare?left=analysis:999999&right=all', 404)
  await refused('attack_analyses/999999/result', 404)
  await refused('attack_analyses/x/result', 404)
})

test('results and comparisons need both permissions', async () => {
  const { id } = await post('attack_analyses', { name: 'Guarded' })
  for (const path of [`attack_analyses/${id}/result`, 'attack_analyses/compare?left=all&right=all']) {
    const refusal = async (permissions: string[]) =>
      (await corvus.call('GET', path, undefined, await corvus.tokenFor(permissions))).body[0].detail
    assert.equal(await refusal(['read entities']), 'Missing permissions: [read attack]')
    assert.equal(await refusal(['read attack']), 'Missing permissions: [read entities]')
    assert.ok((await read(path, await corvus.tokenFor(['read attack', 'read entities']))).data)
  }
})
