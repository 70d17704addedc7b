import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { BASE, startApp } from '../../test/app.ts'

const corvus = await startApp()
after(() => corvus.stop())

const countOf = async (filters: string): Promise<number> =>
  (await corvus.call('GET', `attacks?limit=1&${filters}`)).body.total_count

async function allNodes(filters: string) {
  const nodes = []
  for (let offset = 0; ; offset += 1000) {
    const { body } = await corvus.call('GET', `/api/v2/attacks?limit=1000&offset=${offset}&${filters}`)
    nodes.push(...body.data)
    if (body.data.length < 1000) return nodes
  }
}

/** The publisher's own numbers of live tactics, techniques, sub-techniques, and places of both. */
const PUBLISHED = {
  'enterprise-attack': [14, 216, 475, 887],
  'mobile-attack': [12, 77, 47, 144],
  'ics-attack': [12, 83, 0, 94],
  DISARM: [16, 103, 288, 391],
}

test('a new server has every matrix with the numbers that its publisher gives', async () => {
  for (const [matrix, expected] of Object.entries(PUBLISHED)) {
    const nodes = await allNodes(`filter[matrix]=${matrix}`)
    const of = (type: string) => nodes.filter((node) => node.type === type)
    const distinct = (type: string) => new Set(of(type).map(({ external_id }) => external_id)).size
    const placed = of('technique').length + of('subtechnique').length
    assert.deepEqual([of('tactic').length, distinct('technique'), distinct('subtechnique'), placed], expected)
    assert.equal(of('matrix').length, 1)
  }
})

test('a new server knows every revoked or deprecated technique, so that old reports find what took its place', async () => {
  for (const [matrix, expected] of Object.entries({
    'enterprise-attack': 144,
    'mobile-attack': 66,
    'ics-attack': 12,
  })) {
    const dead = await allNodes(`filter[matrix]=${matrix}&filter[state]=revoked&filter[state]=deprecated`)
    const techniques = dead.filter(({ type }) => type === 'technique' || type === 'subtechnique')
    assert.equal(new Set(techniques.map(({ external_id }) => external_id)).size, expected, matrix)
  }
})

test('the path of every node leads from its matrix over its parents to itself', async () => {
  const nodes = await allNodes('filter[state]=live&filter[state]=revoked&filter[state]=deprecated')
  const byUrl = new Map(nodes.map((node) => [`${BASE}/api/v2/attacks/${node.id}`, node]))
  assert.ok(nodes.length > 1500)
  for (const node of nodes) {
    const parent = node.parent === null ? undefined : byUrl.get(node.parent)
    assert.equal(node.parent === null, node.type === 'matrix', node.id)
    assert.deepEqual(node.full_path, [...(parent?.full_path ?? []), { id: node.id, name: node.name, type: node.type }])
    assert.equal(node.full_path[0].id, node.matrix)
  }
})

test('nodes are filtered by type, matrix and domain', async () => {
  assert.equal(await countOf('filter[type]=tactic&filter[matrix]=mobile-attack'), 12)
  assert.equal(await countOf('filter[type]=tactic&filter[domains]=mobile-attack'), 12)
  assert.equal(await countOf('filter[type]=matrix'), 4)
})

test('values that no filter takes are all named', async () => {
  const matrices = 'enterprise-attack, mobile-attack, ics-attack, DISARM'
  const refusals = {
    attacks: 'matrix, tactic, technique, subtechnique',
    'attack-defenses': 'analytic, data-component, detection-strategy, mitigation',
    'attack-defenses/relationships': 'mitigates, detects',
  }
  for (const [path, types] of Object.entries(refusals)) {
    const { status, body } = await corvus.call(
      'GET',
      `${path}?filter[type]=x&filter[domains]=mobile-attack&filter[domains]=y&filter[!matrix]=z`,
    )
    assert.equal(status, 400)
    assert.deepEqual(
      body.map(({ detail }: { detail: string }) => detail),
      [
        `filter[type]: 'x' is not one of ${types}.`,
        `filter[domains]: 'y' is not one of ${matrices}.`,
        `filter[!matrix]: 'z' is not one of ${matrices}.`,
      ],
    )
  }
  const others = [
    'attacks?filter[state]=dead',
    'attack-defenses/inner-relationships?filter[type]=detects',
    'attack-defenses/log-sources?filter[domains]=x',
    'attack-defenses/statuses?filter[status]=x',
    'attack_analyses?filter[attack_matrix]=x',
  ]
  for (const path of others) assert.equal((await corvus.call('GET', path)).status, 400, path)
})

test('a node is found by its id, also if its colon is escaped and if it was revoked', async () => {
  for (const id of ['enterprise-attack', 'TA0001', 'TA0001:T1566', 'TA0001%3AT1566.001'])
    assert.equal((await corvus.call('GET', `/api/v2/attacks/${id}`)).body.data.id, decodeURIComponent(id))
  const { body } = await corvus.call('GET', '/api/v2/attacks/TA0002:T1086')
  assert.equal(body.data.state, 'revoked')
  assert.deepEqual(body.data.successors, ['TA0002:T1059.001'])
  assert.equal((await corvus.call('GET', '/api/v2/attacks/TA0001:T9999')).status, 404)
})

test('nodes that are not live are listed only if they are asked for', async () => {
  assert.equal(await countOf('filter[external_id]=T1086'), 0)
  assert.equal(await countOf('filter[external_id]=T1086&filter[state]=revoked'), 1)
})
