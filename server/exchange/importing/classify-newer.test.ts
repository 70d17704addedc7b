import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { BASE, startApp } from '../../../test/app.ts'
import { serverOf } from '../../../test/followers.ts'
import { importFindings } from '../../../test/set-up/importing.ts'
import { readNodes } from '../../attack/classification/nodes.ts'
import { vocabularyOf } from '../../attack/classification/vocabulary.ts'
import { readFacts } from '../../attack/frameworks/ship-facts.ts'
import { storeFramework } from '../../attack/frameworks/store-framework.ts'
import { documentOf } from '../../formats/document.ts'
import { readStix2 } from '../../formats/stix2/read-stix2.ts'

const corvus = await startApp()
after(() => corvus.stop())
const server = await serverOf(corvus)

const uuid = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`

const pattern = (n: number, external_id: string, ...phases: string[]) => ({
  type: 'attack-pattern',
  spec_version: '2.1',
  id: `attack-pattern--${uuid(n)}`,
  created: '2026-05-01T00:00:00.000Z',
  modified: '2026-05-01T00:00:00.000Z',
  name: `Pattern ${n}`,
  external_references: [{ source_name: 'mitre-attack', external_id }],
  ...(phases.length > 0 && {
    kill_chain_phases: phases.map((phase_name) => ({ kill_chain_name: 'mitre-attack', phase_name })),
  }),
})

/** Imports a bundle; gives the nodes of each pattern and what the report says about it. */
async function imported(first: number, ...patterns: (readonly string[])[]) {
  const objects = patterns.map(([id = '', ...phases], i) => pattern(first + i, id, ...phases))
  const bundle = JSON.stringify({ type: 'bundle', id: `bundle--${uuid(first)}`, objects })
  const findings = await Array.fromAsync(readStix2(documentOf(bundle)))
  const { outcomes } = await importFindings(corvus, findings)
  return Promise.all(
    objects.map(async ({ id }, i) => {
      const { body } = await corvus.call('GET', `entities?filter[data.id]=${id}`)
      const attacks = body.data[0].meta.attacks as string[]
      return [attacks.map((url) => url.replace(`${BASE}/api/v2/attacks/`, '')), outcomes[i]?.notes]
    }),
  )
}

const NEWER = [
  ['T1685', 'defense-impairment', 'stealth'],
  ['T1027', 'stealth'],
  ['T1027', 'defense-evasion'],
  ['T1562'],
]
const unknown = (id: string) => `${id} is unknown in the loaded versions of the attack frameworks. It was kept.`

test('before a newer version is loaded, its techniques are kept as unknown, and its tactics are reported', async () => {
  assert.deepEqual(await imported(1, ...NEWER), [
    [['T1685'], [unknown('T1685')]],
    [['TA0005:T1027'], ["T1027 is not below the tactic 'stealth' in the loaded version."]],
    [['TA0005:T1027'], []],
    [['TA0005:T1562'], []],
  ])
})

test('once it is loaded, its tactics, techniques and successors come through', async () => {
  const enterprise = (await readFacts()).find(({ matrix }) => matrix === 'enterprise-attack')
  assert.ok(enterprise)
  const tactic = enterprise.nodes.find(({ id }) => id === 'TA0005')
  const technique = enterprise.nodes.find(({ id }) => id === 'TA0005:T1562')
  assert.ok(tactic && technique)
  const impairment = { ...tactic, id: 'TA0112', external_id: 'TA0112', stix_id: 'x-mitre-tactic--0' }
  const nodes = [
    ...enterprise.nodes.map((node) => {
      if (node === tactic) return { ...node, name: 'Stealth', short_name: 'stealth' }
      return node === technique ? { ...node, state: 'revoked' as const, successors: ['TA0112:T1685'] } : node
    }),
    { ...impairment, name: 'Defense Impairment', short_name: 'defense-impairment' },
    { ...technique, id: 'TA0112:T1685', parent: 'TA0112', external_id: 'T1685', stix_id: 'attack-pattern--0' },
  ]
  await server.db
    .transaction()
    .execute((db) => storeFramework(db as never, { ...enterprise, nodes }, { version: '19.0', hash: null, user: null }))
  assert.deepEqual(await imported(11, ...NEWER), [
    [['TA0112:T1685'], ["T1685 is not below the tactic 'stealth' in the loaded version."]],
    [['TA0005:T1027'], []],
    [['TA0005:T1027'], []],
    [['TA0112:T1685'], ['TA0005:T1562 is revoked and was replaced by TA0112:T1685.']],
  ])
  const vocabulary = vocabularyOf(await readNodes(server))
  assert.partialDeepStrictEqual(vocabulary.wordsFor('TA0005:T1027'), { chain: 'mitre-attack', tactic: 'stealth' })
  assert.partialDeepStrictEqual(vocabulary.wordsFor('TA0112:T1685'), { tactic: 'defense-impairment' })
  assert.equal(vocabulary.wordsFor('TA0112'), undefined)
})
