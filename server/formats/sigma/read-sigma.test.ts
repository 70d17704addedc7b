import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { type Document, DocumentError, documentOf } from '../document.ts'
import type { Finding } from '../finding.ts'
import { recognise } from '../recognise.ts'
import { readSigma } from './read-sigma.ts'
import { sigmaRules, sigmaTags } from './sigma-rule.ts'

const RULE = `title: 'Office program starts a shell' # as usual
id: 0c3ac8d2-0f4d-4d6b-8a0f-6f1d2f3c4b5a
status: test
description: |
    An office program starts a shell.

    Look at its parents: they matter.
references:
    - https://example.org/shells
    - "Our handbook, page 7"
author: Ann Example, "Bo"
date: 2024/03/05
modified: 2024-04-01
tags:
    - attack.execution   # the tactic
    - attack.t1059.001
    - attack.initial-access
    - cve.2021-44228
logsource:
    category: process_creation
    product: windows
detection:
    selection:
        Image|endswith: '\\\\cmd.exe'
        title: no title of the rule
    condition: selection
level: critical
`

async function read(text: string, name = 'rule.yml'): Promise<Finding[]> {
  const found: Finding[] = []
  for await (const finding of readSigma(documentOf(text, name))) found.push(finding)
  return found
}

const dataOf = async (text: string) => {
  const [finding] = await read(text)
  assert.ok(finding?.kind === 'entity')
  return finding.entity.data
}

test('a rule becomes an indicator with the rule as its pattern', async () => {
  const [finding, ...more] = await read(RULE)
  assert.ok(finding?.kind === 'entity' && more.length === 0)
  const { data, meta, observables } = finding.entity
  assert.deepEqual(data, {
    type: 'indicator',
    id: 'indicator--0c3ac8d2-0f4d-4d6b-8a0f-6f1d2f3c4b5a',
    title: 'Office program starts a shell',
    description: 'An office program starts a shell.\n\nLook at its parents: they matter.',
    timestamp: '2024-04-01T00:00:00.000Z',
    valid_from: '2024-03-05T00:00:00.000Z',
    confidence: 'medium',
    likely_impact: { type: 'statement', value: 'High' },
    external_references: [
      { source_name: 'example.org', url: 'https://example.org/shells' },
      { source_name: 'reference', description: 'Our handbook, page 7' },
    ],
    information_source: { type: 'information-source', identity: { type: 'identity', name: 'Ann Example, "Bo"' } },
    pattern: RULE.trim(),
    pattern_type: 'sigma',
  })
  assert.deepEqual(meta?.tags, ['attack.execution', 'attack.t1059.001', 'attack.initial-access', 'cve.2021-44228'])
  assert.deepEqual(observables, [{ type: 'cve', value: 'CVE-2021-44228' }])
})

test('texts and lists are read in every style', async () => {
  const detection = 'logsource: {product: windows}\ndetection:\n  condition: x\n'
  for (const [title, text] of [
    ['title: Plain\n  goes on', 'Plain goes on'],
    [`title: 'It''s # quoted' # and a comment`, "It's # quoted"],
    ['title: "a \\"b\\" \\x41\\u00e9\\n"', 'a "b" Aé'],
    ['title: >-\n  folded\n  line\n\n  next', 'folded line\nnext'],
    ['"title": x', 'x'],
    ['title : spaced', 'spaced'],
    ['title: "a\\0b\\ud800"', 'a\uFFFDb\uFFFD'],
    ['\uFEFFtitle: x\r', 'x'],
    ['title: !!python/object:os.system x', 'x'],
    ['more: &a [b]\n<<: *a\ntitle: x', 'x'],
  ])
    assert.equal((await dataOf(`${title}\n${detection}`)).title, text)
  for (const tags of [
    'tags: [attack.t1059, "a, b", \'c\'] # flow',
    'tags:\n- attack.t1059\n- "a, b"\n-   c # last',
    'tags: [attack.t1059,\n  "a, b",\n  c]',
    'tags:\n  # first\n  - attack.t1059\n\n  - >\n    a,\n    b\n  - c',
  ]) {
    const [finding] = await read(`title: x\n${tags}\n${detection}`)
    assert.deepEqual(finding?.kind === 'entity' && finding.entity.meta?.tags, ['attack.t1059', 'a, b', 'c'], tags)
  }
})

test('a file has several rules, what is global applies to all, and what is no rule is named', async () => {
  const found = await read(
    'action: global\ntitle: Shared\ntags: [attack.t1059]\n---\nlogsource: {}\ndetection: {}\n---\n' +
      'title: Own\nlogsource: {}\ndetection: {}\n---\n# nothing\n---\ntitle: None\n',
  )
  assert.deepEqual(
    found.map((each) => (each.kind === 'entity' ? [each.at, each.entity.data.title] : [each.at, each.kind])),
    [
      ['line 5', 'Shared'],
      ['line 8', 'Own'],
      ['line 14', 'lost'],
    ],
  )
  assert.equal(new Set(found.flatMap((each) => (each.kind === 'entity' ? each.entity.data.id : []))).size, 2)
  const directed = await read(`%YAML 1.2\n---\n${RULE}`)
  assert.deepEqual(
    directed.map(({ kind }) => kind),
    ['entity'],
  )
  await assert.rejects(read('# only a comment\n'), DocumentError)
})

test('a rule that shares a document with others keeps it in its pattern, and has an id of its own', async () => {
  const shared = `action: global\ntitle: Shared\nid: 8f3c1a52-93b0-4a4e-9d8f-1f2e3d4c5b6a\ntags: [attack.t1059]`
  const found = await read(`${shared}\n---\ndetection: {a: 1}\n---\ndetection: {a: 2}\n`)
  const rules = found.flatMap((each) => (each.kind === 'entity' ? [each.entity.data] : []))
  assert.deepEqual(
    rules.map(({ pattern }) => pattern),
    [1, 2].map((n) => `${shared}\n---\ndetection: {a: ${n}}`),
  )
  assert.equal(new Set(rules.map(({ id }) => id)).size, 2)
  for (const { pattern } of rules) assert.deepEqual([...sigmaTags(String(pattern))], [['attack.t1059']])
})

test('what is shared does not make a small file large', () => {
  const text = `action: global\ntags: [${'attack.t1059, '.repeat(5000)}]\n${'---\na: b\n'.repeat(5000)}`
  assert.ok([...sigmaTags(text)].flat().length <= 1_000_000)
  assert.ok([...sigmaRules(text)].reduce((sum, rule) => sum + rule.text.length, 0) < 100_000_000)
})

test('a rule that detects very many values is read', async () => {
  const hashes = Array.from({ length: 20_000 }, (_, i) => `        - 'SHA256=${i}'\n`).join('')
  const rule = `title: Long\ntags:\n    - attack.t1068\ndetection:\n    selection:\n${hashes}level: high\n`
  assert.partialDeepStrictEqual(await dataOf(rule), { title: 'Long', likely_impact: { value: 'High' } })
  assert.deepEqual([...sigmaTags(rule)], [['attack.t1068']])
})

test('tags alone are read as those of whole rules', async () => {
  const texts = [
    RULE,
    `{title: x, tags: [attack.t1059], detection: {}}`,
    `'tags' : [a,\n  b]\n"x": |\n  tags: [c]\n`,
    'tags:\n- a\n# b\n- c\nx: 1',
  ]
  for (const text of texts)
    assert.deepEqual(
      [...sigmaTags(text)],
      [...sigmaRules(text)].map(({ tags }) => tags),
      text,
    )
})

test('a rule that is not valid YAML is read as far as possible, and says so', async () => {
  const [finding] = await read('title: x\ntags: [attack.t1059\nlogsource: {}\ndetection: {}\n')
  assert.match(JSON.stringify(finding), /is not valid YAML and was read only in part: line \d+: /)
  const hostile = ['['.repeat(100_000), '{a: '.repeat(50_000), '&a [*a, *a]\n'.repeat(5_000), 'x'.repeat(300_000)]
  for (const text of hostile) {
    const [lost] = await read(`title: x\ndetection:\n  - ${text}`)
    assert.ok(lost, text.slice(0, 10))
    assert.doesNotMatch(JSON.stringify(lost).slice(-2000), /call stack/)
    assert.ok(JSON.stringify('losses' in lost ? lost.losses : []).length < 1000)
  }
})

test('rules are recognised by their fields, and other documents are not taken for rules', async () => {
  const kindOf = (text: string, name: string) => recognise(documentOf(text, name) as Document)
  assert.equal(await kindOf(RULE, 'rule.yml'), 'sigma')
  assert.equal(await kindOf(RULE, 'RULE.YAML'), 'sigma')
  assert.equal(await kindOf(RULE, 'rule'), 'sigma')
  assert.equal(await kindOf(`title: x\ncorrelation:\n  type: event_count\n`, 'rule.yml'), 'sigma')
  assert.equal(await kindOf(RULE, 'notes.txt'), 'text')
  assert.equal(await kindOf('title: x\nsteps:\n  - detection: y\n', 'other.yml'), 'text')
})

test('whatever follows a colon is read without an error', async () => {
  const piece = fc.constantFrom(
    'title',
    ':',
    ' ',
    '\n',
    '  ',
    '- ',
    '"',
    "'",
    '[',
    ']',
    ',',
    '|',
    '>',
    '#',
    '\\',
    'tags:',
    '\n---\n',
    'x',
  )
  await fc.assert(
    fc.asyncProperty(fc.array(piece, { maxLength: 80 }), async (pieces) => {
      const findings = await read(`title: x\n${pieces.join('')}`).catch((error) =>
        assert.ok(error instanceof DocumentError),
      )
      for (const finding of findings ?? [])
        if (finding.kind === 'entity') assert.notEqual(finding.entity.data.title, '')
    }),
  )
})
