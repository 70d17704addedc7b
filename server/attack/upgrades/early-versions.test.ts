import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import {
  earlyIcs,
  earlyMobile,
  icsWithDataSources,
  inStix20,
  inStix21,
  preAttack,
} from '../../../test/set-up/early-attack.ts'
import { classify, corvus, loadBundle, nodesOf, preview, undo } from '../../../test/set-up/frameworks.ts'

interface Node {
  readonly id: string
  readonly type: string
  readonly full_path: readonly { readonly id: string }[]
  readonly successors: readonly string[]
}

const read = async (path: string) => {
  const { status, body } = await corvus.call('GET', path)
  assert.equal(status, 200, JSON.stringify(body))
  return body
}

const nodes = async (matrix: string, filters = ''): Promise<Node[]> =>
  (await read(`attacks?limit=1000&filter[matrix]=${matrix}${filters}`)).data
const countsOf = async (matrix: string) =>
  (await read('attacks/frameworks')).data.find((each: { matrix: string }) => each.matrix === matrix).counts

const MOBILE_DEFENSES = { mitigation: 13, analytic: 211, 'data-component': 17, 'detection-strategy': 124 }

const pathOf = ({ full_path }: Node) => full_path.map(({ id }) => id).join(' ')

test('both matrices of early versions of Mobile are one, with the tactics of the larger one first', async () => {
  const objects = await earlyMobile()
  const entity = await classify('Early', ['TA0038:T1463', 'TA0037:T1437.001'])
  const loaded = await loadBundle(inStix20(objects), '8.0')
  assert.deepEqual([loaded.matrix, loaded.version, loaded.is_downgrade], ['mobile-attack', '8.0', true])
  assert.deepEqual(await countsOf('mobile-attack'), { tactic: 14, technique: 4 })
  const { rows: tactics } = await sql<{ id: string }>`
    select id from attack_nodes where parent = 'mobile-attack' and state = 'live' order by position`.execute(corvus.db)
  assert.deepEqual(
    tactics.slice(-2).map(({ id }) => id),
    ['TA0038', 'TA0039'],
  )
  const live = await nodes('mobile-attack')
  assert.deepEqual(
    live
      .filter(({ type }) => type === 'technique')
      .map(pathOf)
      .sort(),
    [
      'mobile-attack TA0030 TA0030:T1406',
      'mobile-attack TA0036 TA0036:T1437',
      'mobile-attack TA0037 TA0037:T1437',
      'mobile-attack TA0038 TA0038:T1463',
      'mobile-attack TA0039 TA0039:T1468',
    ],
  )
  const { data: revoked } = await read('attacks/TA0030:T1400')
  assert.deepEqual(
    [revoked.state, revoked.successors, pathOf(revoked)],
    ['revoked', ['TA0030:T1406'], 'mobile-attack TA0030 TA0030:T1400'],
  )
  assert.deepEqual(await nodesOf(entity), ['TA0038:T1463', 'TA0037:T1437.001'], 'what it lacks is kept')
  assert.equal((await undo(loaded.id)).status, 200)
  assert.deepEqual(await countsOf('mobile-attack'), { tactic: 12, technique: 77, subtechnique: 47, ...MOBILE_DEFENSES })

  const { body } = await preview(inStix21(objects, 'mobile-attack', '8.2'))
  assert.deepEqual([body.data.matrix, body.data.version], ['mobile-attack', '8.2'], 'a collection says the version')
  assert.deepEqual(body.data.report.new, loaded.report.new)
})

test('ICS 8 has another id, a misprinted one, and data sources in words, which are named', async () => {
  const { status, body } = await preview(inStix20(await earlyIcs()))
  assert.equal(status, 201, JSON.stringify(body))
  assert.deepEqual([body.data.matrix, body.data.version], ['ics-attack', '2026-04-28'])
  assert.match(body.data.report.warnings[0], /^2026-04-28 cannot be compared with 18\.1, which is stored/)
  assert.match(body.data.report.warnings.join(' '), /83 techniques name their data sources in words alone/)
  const loaded = await loadBundle(inStix20(await earlyIcs()), '8.0')
  assert.deepEqual(await countsOf('ics-attack'), { tactic: 12, technique: 83, mitigation: 1 })
  const live = await nodes('ics-attack')
  const ids = new Set(live.map(({ id }) => id))
  for (const node of live) assert.ok(node.full_path.every(({ id }) => ids.has(id)))
  const [link] = (await read('attack-defenses/relationships?filter[technique]=TA0107:T0800')).data
  assert.equal(link.type, 'mitigates')
  assert.equal((await undo(loaded.id)).status, 200)
})

test('data components detect techniques in versions 10 to 17, and neither data sources nor mitigations of others are defenses', async () => {
  const loaded = await loadBundle(inStix20(await icsWithDataSources()), '15.1')
  assert.deepEqual(await countsOf('ics-attack'), { tactic: 12, technique: 83, 'data-component': 1 })
  const { data } = await read('attack-defenses/relationships?filter[type]=detects&filter[domains]=ics-attack')
  assert.deepEqual(
    data
      .map(({ technique, description }: Record<string, string>) => [technique?.split('/').at(-1), description])
      .sort(),
    [
      ['TA0105:T0831', 'Watch for flows.'],
      ['TA0106:T0806', 'Watch for flows.'],
    ],
  )
  assert.doesNotMatch(loaded.report.warnings.join(' '), /left out/)
  assert.equal((await undo(loaded.id)).status, 200)
})

test('PRE-ATT&CK is refused with its name', async () => {
  const { status, body } = await preview(inStix20(preAttack()))
  assert.deepEqual(
    [status, body[0].detail],
    [400, "file: The matrix 'PRE-ATT&CK' is deprecated, and the document has no other one."],
  )
})
