import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { guessType } from './guess.ts'
import { normaliseObservable } from './normalise.ts'
import type { ObservableType } from './types.ts'

test('bare values are recognised', () => {
  const guesses: readonly (readonly [string, ObservableType])[] = [
    ['192.0.2.1', 'ipv4'],
    [' 192[.]0[.]2[.]1\n', 'ipv4'],
    ['192.0.2.0/24', 'ipv4-cidr'],
    ['192.0.2.0 - 192.0.2.255', 'inetnum'],
    ['2001:db8::1', 'ipv6'],
    ['::', 'ipv6'],
    ['2001:db8::/32', 'ipv6-cidr'],
    ['00:00:5e:00:53:01', 'mac-48'],
    ['00-00-5E-00-53-01', 'mac-48'],
    ['0000.5e00.5301', 'mac-48'],
    ['00:00:5e:ff:fe:00:53:01', 'eui-64'],
    ['AS64496', 'asn'],
    ['a'.repeat(32), 'hash-md5'],
    ['A'.repeat(40), 'hash-sha1'],
    ['a'.repeat(56), 'hash-sha224'],
    ['0'.repeat(64), 'hash-sha256'],
    ['a'.repeat(96), 'hash-sha384'],
    ['a'.repeat(128), 'hash-sha512'],
    ['a'.repeat(62), 'jarm'],
    ['3:AXGBicFlgVNhBGcL6wCrFQEv:AXGHsNhxLsr2C', 'hash-ssdeep'],
    ['cve-2014-0160', 'cve'],
    ['CWE-79', 'cwe'],
    ['CCE-27352-4', 'cce'],
    ['example.com', 'domain'],
    ['www[.]b\u00fccher[.]example', 'domain'],
    ['hxxps://example[.]com/a', 'uri'],
    ['tcp://192.0.2.1:4444', 'uri'],
    ['mailto:someone@example.com', 'uri'],
    ['someone[@]example.com', 'email'],
    ['HKLM\\Software\\Example', 'winregistry'],
    ['C:\\Windows\\example.exe', 'file'],
    ['/etc/cron.d/example', 'file'],
    ['example.dll', 'file'],
    ['invoice.pdf.exe', 'file'],
    ['Mozilla/5.0 (compatible; Example/1.0)', 'user-agent'],
    ['4111 1111 1111 1111', 'card'],
    ['GB82 WEST 1234 5698 7654 32', 'bank-account'],
    ['1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa', 'crypto-address'],
    ['0x00000000219ab540356cBB839Cbe05303d7705Fa', 'crypto-address'],
    ['+31 20 123 4567', 'telephone'],
    ['52.37, 4.89', 'geo'],
    ['771,4865-4866,0-23,29-23,0', 'ja3-full'],
    ['rule Example { condition: true }', 'yara'],
    ['alert tcp any any -> any 80 (msg:"Example"; sid:1;)', 'snort'],
  ]
  for (const [value, type] of guesses) assert.equal(guessType(value), type, value)
})

test('ambiguous values are not guessed', () => {
  const unclear = [
    '',
    ' ',
    '42',
    'word',
    'two words',
    'example.com/path',
    '1.2.3',
    'GB83WEST12345698765432',
    'AS',
    '12:30',
  ]
  for (const value of [...unclear, '4111111111111112', 'XX12ABCDEFGHIJKLM', 'rule of law', '.', 'x'.repeat(100_000)])
    assert.equal(guessType(value), undefined, value.slice(0, 40))
})

test('every guessed value can be stored', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.webUrl(), fc.ipV6(), fc.emailAddress(), fc.domain()), (value) => {
      const type = guessType(value)
      if (type) assert.ok('value' in normaliseObservable(type, value))
    }),
  )
})
