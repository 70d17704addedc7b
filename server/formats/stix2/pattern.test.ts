import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import fc from 'fast-check'
import { SAMPLES, skipWithoutSamples } from '../../../test/sample-files.ts'
import { makePattern } from './make-pattern.ts'
import { parsePattern } from './pattern.ts'
import { observablesInPattern } from './pattern-observables.ts'

const sampleFile = join(SAMPLES, 'stix-pattern-cases.json')

const named = (pattern: string, type: unknown = 'stix'): string[] =>
  observablesInPattern(pattern, type).observables.map((one) => `${one.type} ${one.value}`)

const fault = (pattern: string): string => {
  const parsed = parsePattern(pattern)
  return 'fault' in parsed ? parsed.fault : ''
}

test('sample patterns are accepted or rejected as labelled', { skip: skipWithoutSamples }, () => {
  const { validity } = JSON.parse(readFileSync(sampleFile, 'utf8'))
  for (const { pattern, valid } of validity) assert.equal(fault(pattern) === '', valid, pattern)
})

test('comparisons with = and IN name observables, wherever they occur', () => {
  assert.deepEqual(named("[ipv4-addr:value = '198.51.100.1']"), ['ipv4 198.51.100.1'])
  assert.deepEqual(named("[ipv4-addr:value ISSUBSET '198.51.100.0/24']"), ['ipv4-cidr 198.51.100.0/24'])
  assert.deepEqual(
    named("[file:name IN ('a.exe', 'b.exe') AND file:hashes.MD5 = 'D41D8CD98F00B204E9800998ECF8427E']"),
    ['file a.exe', 'file b.exe', 'hash-md5 d41d8cd98f00b204e9800998ecf8427e'],
  )
  assert.deepEqual(
    named("([url:value = 'http://a.example/x'] FOLLOWEDBY [domain-name:value = 'B.example']) WITHIN 5 SECONDS"),
    ['uri http://a.example/x', 'domain b.example'],
  )
  assert.deepEqual(named("[network-traffic:dst_ref.value = '2001:db8::1' AND network-traffic:dst_port = 443]"), [
    'ipv6 2001:db8::1',
    'port 443',
  ])
  assert.deepEqual(named("[domain-name:resolves_to_refs[*].value = '198.51.100.1/32']"), ['ipv4-cidr 198.51.100.1/32'])
  assert.deepEqual(named("[file:name = 'it\\'s \\\\ here']"), ["file it's \\ here"])
})

test('negated comparisons and other operators name no observables', () => {
  for (const test of ["!= 'a.example'", "NOT = 'a.example'", "NOT IN ('a.example')", "LIKE 'a.%'", "MATCHES 'a.*'"])
    assert.deepEqual(named(`[domain-name:value ${test}]`), [], test)
})

test('patterns in other languages become rules or nothing', () => {
  assert.deepEqual(named('rule a { condition: true }', 'yara'), ['yara rule a { condition: true }'])
  assert.deepEqual(named('anything', 'spl'), [])
})

test('a value that is not valid for its observable type is a loss', () => {
  const { observables, losses } = observablesInPattern("[ipv4-addr:value = '999.1.1.1']", 'stix')
  assert.deepEqual(observables, [])
  assert.match(losses[0] ?? '', /^ipv4 '999.1.1.1' is not a valid observable: it must be /)
})

test('a pattern that cannot be parsed is a loss with its position', () => {
  assert.deepEqual(observablesInPattern('[file:size = ]', 'stix').losses, [
    "pattern: at character 14: expected a text, found ']'; it is kept unchanged",
  ])
})

test('a pattern made of observables names those observables', () => {
  const observables = [
    { type: 'domain', value: 'a.example' },
    { type: 'hash-sha256', value: 'a'.repeat(64) },
    { type: 'file', value: "C:\\it's" },
    { type: 'asn', value: 'AS64496' },
  ]
  assert.deepEqual(
    named(makePattern(observables) ?? ''),
    observables.map(({ type, value }) => `${type} ${value}`),
  )
  assert.equal(makePattern([{ type: 'jarm', value: 'a' }]), undefined)
})

test('no text breaks the parser, however long or deeply nested', () => {
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom(...`[ ] ( ) ' a : . = AND OR NOT IN , 1 -1 t' \\ /* */ file:name`.split(' '))),
      (parts) => {
        parsePattern(parts.join(' '))
      },
    ),
  )
  assert.match(fault(`${'('.repeat(100_000)}`), /nested more than 100 levels deep/)
  assert.match(fault(`[${'('.repeat(100_000)}`), /nested more than 100 levels deep/)
  assert.match(fault(`[a:b = '${'x'.repeat(1_000_000)}']`), /exceeds 1000000 characters/)
  for (const hostile of [
    "'".repeat(99_999),
    '/*'.repeat(99_999),
    '1'.repeat(99_999),
    "[a:b = '".repeat(99_999),
    '\\'.repeat(99_999),
  ])
    assert.notEqual(fault(hostile), '')
})
