import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { findAttackIds } from './attack-ids.ts'

const idsIn = (text: string) => findAttackIds(text).map(({ id, tactic }) => (tactic ? `${tactic}:${id}` : id))

test('ids are found in prose, brackets, lists, markup and tags', () => {
  for (const [text, ids] of [
    ['They used T1566.', ['T1566']],
    ['Spearphishing (T1566.001), then [T1059]; TA0001!', ['T1566.001', 'T1059', 'TA0001']],
    ['T1566/T1078+T1059.001', ['T1566', 'T1078', 'T1059.001']],
    ['T1566/001 and “T1204.002”, T1027—obfuscation', ['T1566.001', 'T1204.002', 'T1027']],
    ['TA0001:T1566.001 and TA0002/T1059', ['TA0001:T1566.001', 'TA0002:T1059']],
    ['technique=T1566 ATT&CK:T1078 T1059:PowerShell', ['T1566', 'T1078', 'T1059']],
    ['<li>T1566</li>&nbsp;T1078&nbsp;<b>T1059.001</b>', ['T1566', 'T1078', 'T1059.001']],
    ['**T1566** _T1078_ `T1059` #T1027', ['T1566', 'T1078', 'T1059', 'T1027']],
    ['attack.t1566.001 attack.ta0001 attack.T1078', ['T1566.001', 'TA0001', 'T1078']],
    ['T1566。T1078、T1059', ['T1566', 'T1078', 'T1059']],
    ['The ICS technique T0801', ['T0801']],
  ] as const)
    assert.deepEqual(idsIn(text), ids, text)
})

test('ids are found in addresses of the catalogue, also in old, archived and defanged ones', () => {
  for (const [text, ids] of [
    ['https://attack.mitre.org/techniques/T1566/001/', ['T1566.001']],
    ['see [phishing](https://attack.mitre.org/versions/v16/techniques/T1566).', ['T1566']],
    ['<a href="https://attack.mitre.org/tactics/TA0001">x</a>', ['TA0001']],
    ['attack.mitre.org/wiki/Technique/T1086, hxxps://attack[.]mitre[.]org/techniques/T1078/', ['T1086', 'T1078']],
    ['https://web.archive.org/web/2020/https://attack.mitre.org/techniques/T1059/', ['T1059']],
    ['https://attack.mitre.org/groups/G0007/ https://example.com/T1566/', []],
    ['https://attack.mitre.org/techniques/T15666/ https://attack.mitre.org/techniques/T1566x', []],
  ] as const)
    assert.deepEqual(idsIn(text), ids, text)
})

test('the place of an id in an address is that of the id', () => {
  for (const text of [
    'See https://attack.mitre.org/techniques/T1566/001/.',
    'At attack[.]mitre[.]org/techniques/T1566/001 too',
  ]) {
    const start = text.indexOf('T1566')
    assert.deepEqual(findAttackIds(text), [{ id: 'T1566.001', start, end: start + 'T1566/001'.length }])
  }
})

test('what only looks like an id is left alone', () => {
  for (const text of [
    'XT1059 T10590 T1566a T156 T1566.0015 T1566.1 T1566.txt foo_T1566 T1566_x',
    'AT-T1000 T1566-2 x.T1566 /T1566 C:\\T1566 $T1566 @T1566 %T1566% ÄT1566 T1566é T1566\u0301',
    'HP DesignJet T1120, a T1200 plotter, Epson T1059',
    'TA505 TA18-074A TA01 TA00012 STA0001',
    'QmFzZTY0/T1566+aGVsbG8= t1566 attackXt1566 attack.t15666',
  ])
    assert.deepEqual(idsIn(text), [], text)
})

test('the short ids of DISARM count in texts that name it', () => {
  assert.deepEqual(idsIn('TA05 and T0019'), ['T0019'])
  assert.deepEqual(idsIn('DISARM: TA05, T0019.001; TA18-074A'), ['TA05', 'T0019.001'])
  assert.deepEqual(
    idsIn('https://github.com/DISARMFoundation/DISARMframeworks/blob/main/generated_pages/techniques/T0019.md'),
    ['T0019'],
  )
})

const id = fc.oneof(
  fc.integer({ min: 1000, max: 9999 }).map((number) => `T${number}`),
  fc.integer({ min: 1000, max: 9999 }).map((number) => `T${number}.001`),
  fc.integer({ min: 0, max: 9999 }).map((number) => `TA${String(number).padStart(4, '0')}`),
)
const space = fc.constantFrom(' ', '\n', ' (', ') ', ', ', ' „', '“ ', ' – ', '<br>')
const filler = fc.stringMatching(/^[a-z]{1,12}$/)

test('every id in a text is found with its exact place, and nothing else', () => {
  const parts = fc.array(fc.tuple(fc.oneof(id, filler), space), { maxLength: 30 })
  fc.assert(
    fc.property(parts, (words) => {
      let text = ''
      const expected: [string, number, number][] = []
      for (const [word, gap] of words) {
        if (word.startsWith('T')) expected.push([word, text.length, text.length + word.length])
        text += word + gap
      }
      assert.deepEqual(
        findAttackIds(text).map(({ id, start, end }) => [id, start, end]),
        expected,
      )
    }),
  )
})

test('an id that a letter, a digit or an underscore touches is part of a longer word', () => {
  const touching = fc.stringMatching(/^[A-Za-z0-9_äßñжд中]$/)
  fc.assert(
    fc.property(id, touching, fc.boolean(), filler, (word, character, isBefore, rest) => {
      const text = isBefore ? `${rest}${character}${word}` : `${word}${character}${rest}`
      assert.deepEqual(findAttackIds(text), [], text)
    }),
  )
})

test('hashes and encoded bytes hold no ids', () => {
  const encoded = fc.uint8Array({ minLength: 30, maxLength: 300 }).map((bytes) => Buffer.from(bytes).toString('base64'))
  fc.assert(
    fc.property(encoded, id, (text, word) => findAttackIds(text.slice(0, 9) + word + text.slice(9)).length === 0),
  )
})

test('hits of hostile texts are exact as well, and take one pass', () => {
  const piece = fc.constantFrom(
    'T1566',
    'TA0001',
    '/',
    ':',
    '.',
    '.001',
    '-',
    '&',
    'attack.',
    'mitre.org/techniques/',
    ' ',
    'é',
  )
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
      const text = pieces.join('')
      for (const { id, tactic, start, end } of findAttackIds(text)) {
        const exact = text.slice(start, end).replace('/', '.')
        assert.ok(tactic ? exact.endsWith(id) && exact.startsWith(tactic) : exact.toUpperCase() === id, text)
      }
    }),
  )
  for (const unit of ['T1566/', 'TA0001:T1566:', '-', 'T1566-', 'attack.mitre.org/techniques/', 'disarm/', '&amp'])
    assert.ok(findAttackIds(unit.repeat(200_000)).length <= 200_000)
})
