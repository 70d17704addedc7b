import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { startApp } from '../../../../test/app.ts'
import { serverOf } from '../../../../test/followers.ts'
import { isCounted } from '../../../../test/set-up/counting.ts'
import type { Finding, FoundEntity } from '../../../formats/finding.ts'
import { readNodes } from '../nodes.ts'
import { resolveAttacks } from '../resolve.ts'
import { withAttacksInTexts } from './classify-texts.ts'
import { ruleAttacks } from './rule-attacks.ts'
import { ruleWords } from './rule-words.ts'

const statements: string[] = []
const corvus = await startApp((statement) => {
  if (isCounted(statement)) statements.push(statement)
})
after(() => corvus.stop())
const server = await serverOf(corvus)

const entity = (data: object, rest: Partial<FoundEntity> = {}): { finding: Finding } => ({
  finding: { kind: 'entity', at: '', entity: { data: { type: 'report', title: 'x', ...data }, ...rest } },
})

/** The nodes that an entity is classified with, and the lines about it. */
async function classified(data: object, rest: Partial<FoundEntity> = {}) {
  const [located] = await withAttacksInTexts(server, [entity(data, rest)])
  assert.ok(located?.finding.kind === 'entity')
  const { attacks } = resolveAttacks(await readNodes(server), located.finding.entity.attacks ?? [])
  return { attacks: attacks.toSorted(), notes: located.finding.notes ?? [] }
}

const attacksOf = async (data: object, rest: Partial<FoundEntity> = {}) => (await classified(data, rest)).attacks

test('ids in titles and descriptions become classifications, in all places of a technique', async () => {
  const { attacks, notes } = await classified({ title: 'T1566 again', description: 'They <b>use</b> (T1078), TA0040.' })
  assert.deepEqual(attacks, ['TA0001:T1078', 'TA0001:T1566', 'TA0003:T1078', 'TA0004:T1078', 'TA0005:T1078', 'TA0040'])
  assert.deepEqual(notes, ['Classified with attack nodes named in its texts: T1566, T1078, TA0040.'])
  assert.deepEqual(await attacksOf({ description: 'TA0003:T1078' }), ['TA0003:T1078'])
  assert.deepEqual(await attacksOf({ description: 'TA0040:T1566, a place that does not exist' }), ['TA0001:T1566'])
  assert.deepEqual(await attacksOf({ description: 'T1086 was revoked' }), ['TA0002:T1059.001'])
  assert.deepEqual(await attacksOf({ description: 'T0801 of ICS' }), ['TA0100:T0801'])
  assert.deepEqual(await attacksOf({}, { attackIds: ['T1566.001'] }), ['TA0001:T1566.001'])
})

test('unknown ids in texts are named and not used', async () => {
  const { attacks, notes } = await classified({ description: 'T9999 and TA9999, TA0001' })
  assert.deepEqual(attacks, ['TA0001'])
  assert.match(notes[1] ?? '', /unknown in the loaded versions and was not used: T9999, TA9999\.$/)
})

test('entities about techniques are not classified with those that they are compared with', async () => {
  for (const type of ['attack-pattern', 'course-of-action'])
    assert.deepEqual(await classified({ type, description: 'Other than T1566' }), { attacks: [], notes: [] })
})

const sigma = (...tags: string[]) => ({
  type: 'indicator',
  pattern_type: 'sigma',
  pattern: `title: x\ntags:\n${tags.map((tag) => `  - ${tag}\n`).join('')}logsource: {}\ndetection: {}\n`,
})

test('tactics of a Sigma rule narrow its techniques, or stand for themselves', async () => {
  for (const [tags, attacks] of [
    [['attack.initial-access', 'attack.t1078'], ['TA0001:T1078']],
    [
      ['attack.initial_access', 'attack.persistence', 'attack.T1078'],
      ['TA0001:T1078', 'TA0003:T1078'],
    ],
    [
      ['attack.ta0001', 'attack.t1078', 'attack.t1059.001'],
      ['TA0001:T1078', 'TA0002:T1059.001'],
    ],
    [
      ['attack.impact', 'attack.t1566.001'],
      ['TA0001:T1566.001', 'TA0040'],
    ],
    [['attack.initial-access'], ['TA0001']],
    [
      ['attack.inhibit-response-function', 'attack.discovery'],
      ['TA0102', 'TA0107'],
    ],
    [
      ['attack.t0801', 'attack.collection', 'attack.impact'],
      ['TA0100:T0801', 'TA0105'],
    ],
    [['attack.t1566'], ['TA0001:T1566']],
    [['attack.t9999', 'attack.execution'], ['TA0002', 'T9999'].toSorted()],
    [['cve.2021-44228', 'detection.threat-hunting'], []],
  ] as const)
    assert.deepEqual(await attacksOf(sigma(...tags)), attacks, tags.join())
})

test('what else a rule names is reported', async () => {
  const { attacks, notes } = await classified(
    sigma('attack.t1566', 'attack.g0007', 'attack.unknown-tactic', 'attack.s0154', 'attack.t15666'),
  )
  assert.deepEqual(attacks, ['TA0001:T1566'])
  assert.deepEqual(notes, [
    'Classified with attack nodes named in its detection rules: T1566.',
    'Its detection rules name groups, software or other objects, to which it was not linked: G0007, S0154, T15666.',
  ])
})

const YARA = `import "pe"
rule Loader : apt {
  meta:
    author = "Ann"
    description = "Loads T1055"
    mitre_attack = "T1059, t1566_001"
    attack_tactic = "Initial Access"
  strings:
    $a = "T1078" ascii
  condition: $a
}
rule Second { meta: x = "T1003.001" condition: true }`

test('metadata of YARA rules is read, and their strings are not', async () => {
  const expected = ['TA0001:T1566.001', 'TA0002:T1059', 'TA0004:T1055', 'TA0005:T1055', 'TA0006:T1003.001']
  assert.deepEqual(await attacksOf({ type: 'indicator', pattern_type: 'yara', pattern: YARA }), expected)
  assert.deepEqual(await attacksOf({}, { observables: [{ type: 'yara', value: YARA }] }), expected)
  const attachments = [{ filename: 'rules.YAR', bytes: Buffer.from(YARA) }]
  assert.deepEqual(await attacksOf({}, { attachments }), expected)
})

test('a section of metadata ends at the next section, whatever its values and comments contain', async () => {
  const pattern = `rule A { meta: description = "condition: x \\" strings: y" score = -5 ref = "T1105" // ref = "T1003"
    /* mitre = "T1566" */ mitre = "T1071" strings: $a = "x" mitre = "T1078" condition: $a }`
  assert.deepEqual(await attacksOf({ type: 'indicator', pattern_type: 'yara', pattern }), [
    'TA0011:T1071',
    'TA0011:T1105',
  ])
})

test('what looks like an id in the free text of a rule is used if it is known', async () => {
  const pattern = 'rule T5000 { meta: author = "T5000 hunter" ref = "T1105" mitre = "T5001" condition: true }'
  const { attacks, notes } = await classified({ type: 'indicator', pattern_type: 'yara', pattern })
  assert.deepEqual(attacks, ['T5001', 'TA0011:T1105'])
  assert.match(notes.join(), /unknown in the loaded versions and was not used: T5000\./)
})

const SNORT = `# alert tcp any any -> any any (msg:"old"; metadata: mitre_technique_id T1003;)
alert http any any -> any any (msg:"T1078 \\; x"; content:"|54 31|"; reference:url,attack.mitre.org/techniques/T1105; \\
  metadata:created_at 2024_01_01, mitre_tactic_id TA0011, mitre_tactic_name Command_And_Control, mitre_technique_id T1071_001, mitre_technique_name Web; sid:1;)`

test('metadata and references of Snort and Suricata rules are read', async () => {
  const expected = ['TA0011:T1071.001', 'TA0011:T1105']
  for (const pattern_type of ['snort', 'Suricata'])
    assert.deepEqual(await attacksOf({ type: 'indicator', pattern_type, pattern: SNORT }), expected)
  const test_mechanisms = [{ test_mechanism_type: 'snort', rules: [SNORT, 5] }, { test_mechanism_type: 'other' }, 'x']
  assert.deepEqual(await attacksOf({ type: 'indicator', test_mechanisms }), expected)
})

test('a Snort rule in several lines is one rule, whose tactics narrow its techniques', async () => {
  const pattern = `alert http (
    msg:"A"; metadata: mitre_tactic_id TA0001,
      created_at 2024_01_01,
      mitre_technique_id T1078;
    reference:url,attack.mitre.org/techniques/T1105
  )
  alert http ( metadata: mitre_technique_id T1098; sid:2; )`
  const expected = ['TA0001:T1078', 'TA0003:T1098', 'TA0004:T1098', 'TA0011:T1105']
  assert.deepEqual(await attacksOf({ type: 'indicator', pattern_type: 'snort', pattern }), expected)
})

test('rules in attachments are read in any encoding, and bytes are not', async () => {
  const text = `\uFEFF${sigma('attack.t1566').pattern}`
  for (const encoding of ['utf8', 'utf16le'] as const)
    assert.deepEqual(
      await attacksOf({}, { attachments: [{ filename: 'a.yml', bytes: Buffer.from(text, encoding) }] }),
      ['TA0001:T1566'],
    )
  assert.deepEqual(await attacksOf({}, { attachments: [{ filename: 'a.yar', bytes: Buffer.from(`\0${YARA}`) }] }), [])
})

test('rules that never end are read once', () => {
  const units = [
    'metadata:',
    'meta:',
    'meta: a = "',
    'meta:/*',
    'meta://\n',
    'meta:a=1 ',
    '(\n',
    'reference: ',
    'metadata: mitre_x ',
    'tags:\n- ',
    '  - "',
    'title: [',
    "a: '",
  ]
  for (const unit of units)
    for (const language of ['sigma', 'yara', 'snort'] as const)
      assert.deepEqual(ruleWords(language, unit.repeat(1_000_000 / unit.length)), [], unit)
})

test('a rule with very many techniques and tactics takes time only for each of them', async () => {
  const techniques = Array.from({ length: 60_000 }, (_, i) => `T${1000 + (i % 9000)}.${100 + Math.floor(i / 9000)}`)
  const tactics = Array.from(
    { length: 60_000 },
    (_, i) => `a-${i.toString(36).replaceAll(/\d/g, (digit) => 'klmnopqrst'[Number(digit)] ?? '')}`,
  )
  const found = ruleAttacks(await readNodes(server), {
    techniques,
    tactics: [...tactics, 'initial-access'],
  })
  assert.equal(found.length, techniques.length + 1)
})

test('other patterns and files are no rules', async () => {
  const attachments = [{ filename: 'settings.yml', bytes: Buffer.from('tags: [attack.t1566]') }]
  const data = { type: 'indicator', pattern_type: 'stix', pattern: "[file:name = 'T1566']" }
  assert.deepEqual(await classified(data, { attachments }), { attacks: [], notes: [] })
})

test('the settings turn both off, and nothing is asked where nothing was said', async () => {
  const set = (data: object) => corvus.call('PATCH', 'configurations/attack-classification', { data })
  const both = { ...sigma('attack.t1566'), description: 'T1078' }
  await set({ texts: false })
  assert.deepEqual(await attacksOf(both), ['TA0001:T1566'])
  await set({ texts: true, detection_rules: false })
  assert.deepEqual(await attacksOf({ ...both, description: 'TA0002' }), ['TA0002'])
  await set({ texts: false, detection_rules: false })
  assert.deepEqual(await classified(both), { attacks: [], notes: [] })
  await set({ texts: true, detection_rules: true })
  statements.length = 0
  await withAttacksInTexts(server, [
    entity({ description: 'Nothing' }),
    { finding: { kind: 'lost', at: '', losses: [] } },
  ])
  assert.deepEqual(statements, [])
  await withAttacksInTexts(
    server,
    Array.from({ length: 50 }, () => entity({ description: 'T1566' })),
  )
  assert.ok(statements.length <= 3)
})
