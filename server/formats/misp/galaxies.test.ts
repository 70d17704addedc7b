import assert from 'node:assert/strict'
import { test } from 'node:test'
import { entityData } from '../../intelligence/entities/entity-data.ts'
import { documentOf } from '../document.ts'
import { attacksOfCluster } from './cluster-attacks.ts'
import { readMisp } from './read-misp.ts'

const uuid = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`

const cluster = (type: string, value: string, n: number, meta: object = {}) => ({
  type,
  value,
  uuid: uuid(n),
  tag_name: `misp-galaxy:${type}="${value}"`,
  description: 'About it',
  meta,
})

const GALAXIES = [
  cluster('threat-actor', 'Sofacy', 1, { synonyms: ['APT 28'], refs: ['https://a.example/'] }),
  cluster('mitre-attack-pattern', 'Phishing - T1566', 2, {
    external_id: ['T1566'],
    kill_chain: ['mitre-attack:initial-access', 'mitre-mobile-attack:initial-access'],
  }),
  cluster('mitre-intrusion-set', 'APT28 - G0007', 3),
  cluster('ransomware', 'Locky', 4),
  cluster('mitre-tool', 'PsExec', 5),
  cluster('sector', 'Bank', 6),
]

const EVENT = {
  uuid: uuid(9),
  info: 'Phishing of banks',
  Galaxy: [{ GalaxyCluster: GALAXIES }],
  Tag: [...GALAXIES.map(({ tag_name }) => ({ name: tag_name })), { name: 'misp-galaxy:malpedia="Emotet"' }],
}

const findings = await Array.fromAsync(readMisp(documentOf(JSON.stringify({ Event: EVENT }))))
const entities = findings.flatMap((finding) => (finding.kind === 'entity' ? [finding.entity] : []))

test('galaxies and their tags become entities, and words about an event become tags', () => {
  for (const { data } of entities) entityData.parse(data)
  assert.deepEqual(
    entities.map(({ data }) => `${data.type} ${data.title}`),
    [
      'threat-actor Sofacy',
      'attack-pattern Phishing - T1566',
      'intrusion-set APT28 - G0007',
      'malware Locky',
      'tool PsExec',
      'malware Emotet',
      'report Phishing of banks',
    ],
  )
  assert.partialDeepStrictEqual(entities[0]?.data, { id: `threat-actor--${uuid(1)}`, aliases: ['APT 28'] })
  assert.deepEqual(entities.at(-1)?.meta?.tags, ['misp-galaxy:sector="Bank"'])
})

test('the report is related to each of them', () => {
  const targets = findings.flatMap((finding) =>
    finding.kind === 'relationship' ? finding.relationship.data.target : [],
  )
  assert.deepEqual(
    targets,
    entities.slice(0, -1).map(({ data }) => data.id),
  )
})

test('a technique names its id and its tactics, and classifies the report, too', () => {
  const phishing = {
    id: 'T1566',
    tactics: [
      { chain: 'mitre-attack', name: 'initial-access' },
      { chain: 'mitre-mobile-attack', name: 'initial-access' },
    ],
  }
  assert.deepEqual(entities[1]?.attacks, [phishing])
  assert.deepEqual(entities.at(-1)?.attacks, [phishing])
})

test('techniques are read as public galaxies spell them, and ids of other frameworks are not', () => {
  const attacksOf = (type: string, value: string, meta: object = {}) =>
    attacksOfCluster(type, value, meta as Record<string, unknown>)
  const found = (id: string, ...tactics: object[]) => [tactics.length > 0 ? { id, tactics } : { id }]
  assert.deepEqual(attacksOf('mitre-attack-pattern', 'Phishing - T1566'), found('T1566'))
  assert.deepEqual(
    attacksOf('mitre-attack-pattern', 'x - T1685.004', {
      external_id: 'T1685.004',
      kill_chain: ['attack-Linux:defense-impairment', 'mobile-attack-iOS:impact', 'pre-attack:launch', 'own'],
    }),
    found(
      'T1685.004',
      { chain: 'mitre-attack', name: 'defense-impairment' },
      { chain: 'mitre-mobile-attack', name: 'impact' },
    ),
  )
  assert.deepEqual(
    attacksOf('disarm-techniques', 'x', { external_id: 'T0002', kill_chain: ['tactics:Plan Objectives'] }),
    found('T0002', { chain: 'disarm', name: 'Plan Objectives' }),
  )
  assert.deepEqual(
    attacksOf('disarm', 'x', { external_id: 'T0002', kill_chain: ['disarm-tactics:Plan Objectives'] }),
    found('T0002', { chain: 'disarm', name: 'Plan Objectives' }),
  )
  assert.deepEqual(
    attacksOf('mitre-ics-techniques', 'x', {
      'Technique ID': ['T800'],
      Tactic: ['Evasion, Inhibit Response Function'],
    }),
    found(
      'T0800',
      { chain: 'mitre-ics-attack', name: 'Evasion' },
      { chain: 'mitre-ics-attack', name: 'Inhibit Response Function' },
    ),
  )
  for (const type of ['mitre-atlas-attack-pattern', 'dima-techniques', 'mitre-tool', 'ransomware'])
    assert.deepEqual(attacksOf(type, 'x - T1566', { external_id: ['T1566'] }), [])
  assert.deepEqual(attacksOf('mitre-attack-pattern', 'Phishing', { external_id: ['M1566', 5] }), [])
})

test('a catalogue with more details is never replaced, because event data is older than any version', () => {
  for (const { data } of entities.slice(0, -1)) assert.equal(data.modified, '1970-01-01T00:00:00.000Z')
})
