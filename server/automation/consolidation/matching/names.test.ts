import assert from 'node:assert/strict'
import { test } from 'node:test'
import { comparedName, normalisedName } from './names.ts'

const isOneName = (...names: string[]): boolean => new Set(names.map(normalisedName)).size === 1

test('case, spaces, hyphens and other punctuation do not distinguish names', () => {
  assert.ok(isOneName('APT 28', 'APT28', 'APT-28', ' apt_28 ', 'ＡＰＴ２８'))
  assert.ok(isOneName('NetTraveler', 'Net Traveler'))
  assert.ok(isOneName('Agent.BTZ', 'agentbtz'))
  assert.ok(isOneName('X-Agent (OS X)', 'XAgentOSX'))
})

test('neither do accents and forms of letters', () => {
  assert.ok(isOneName('Équation', 'equation', 'E\u0301quation'))
  assert.ok(isOneName('STRASSE', 'Straße'))
  assert.ok(isOneName('海莲花', '海 莲花'))
})

test('numbers, symbols and letters of other scripts do', () => {
  assert.ok(!isOneName('LockBit 3.0', 'LockBit 30'))
  assert.ok(!isOneName('Storm-0558', 'Storm-05 58'))
  assert.ok(!isOneName('Notepad++', 'Notepad'))
  assert.ok(!isOneName('C#', 'C'))
  assert.ok(!isOneName('海莲花', '摩诃草'))
})

test('every character of a domain or an address counts where entities are called after them', () => {
  const infrastructure = (name: string) => comparedName('infrastructure', name)
  assert.notEqual(infrastructure('evil-site.example'), infrastructure('evilsite.example'))
  assert.notEqual(infrastructure('192.0.2.1:80'), infrastructure('192.0.2.18:0'))
  assert.equal(infrastructure('  Poison Ivy\n C2 '), infrastructure('poison ivy c2'))
  assert.equal(comparedName('identity', 'evil-site.example'), comparedName('identity', 'evilsite.example'))
})

test('a normalised name does not change when it is normalised again', () => {
  for (const name of ['LockBit 3.0', 'Équation Group', 'İstanbul', 'ΟΔΟΣ', 'Ǆ', '한국'])
    assert.equal(normalisedName(normalisedName(name)), normalisedName(name), name)
})

test('a long text takes little time, and differs from others', () => {
  const text = '- 1 '.repeat(500_000)
  const start = process.cpuUsage()
  assert.notEqual(normalisedName(text), normalisedName(`${text}x`))
  assert.ok(normalisedName(text).length < 200)
  assert.ok(process.cpuUsage(start).user < 1_000_000)
})
