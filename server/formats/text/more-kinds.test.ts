import assert from 'node:assert/strict'
import { test } from 'node:test'
import { extractObservables } from './extract-observables.ts'

function assertFound(text: string, types: readonly string[], expected: readonly string[]): void {
  const all = extractObservables(text).filter(({ type }) => types.includes(type))
  assert.deepEqual(
    all.map(({ type, value }) => `${type} ${value}`),
    expected,
    text,
  )
}

const MD5 = '0123456789abcdef0123456789abcdef'
const SHA1 = `${MD5}01234567`
const SHA256 = `${MD5}${MD5}`
const HASHES = ['hash-md5', 'hash-sha1', 'hash-sha224', 'hash-sha256', 'hash-sha384', 'hash-sha512', 'hash-imphash']
const FINGERPRINTS = [...HASHES, 'ja3-hash', 'ja3s-hash', 'jarm', 'hash-authentihash', 'hash-ssdeep']

test('digests are recognised by their length, without adjacent characters', () => {
  assertFound(`(${MD5.toUpperCase()}), sha1:${SHA1}; ${SHA256}.`, HASHES, [
    `hash-md5 ${MD5}`,
    `hash-sha1 ${SHA1}`,
    `hash-sha256 ${SHA256}`,
  ])
  assertFound(`${MD5}${SHA1.slice(8, 32)} ${SHA256}${MD5} ${SHA256}${SHA256} ${MD5}.exe`, HASHES, [
    `hash-sha224 ${MD5}${SHA1.slice(8, 32)}`,
    `hash-sha384 ${SHA256}${MD5}`,
    `hash-sha512 ${SHA256}${SHA256}`,
    `hash-md5 ${MD5}`,
  ])
  assertFound(`x${MD5} ${MD5}y 0x${MD5} ${MD5}0 ${SHA256}${SHA256}00`, HASHES, [])
  assertFound(`https://scan.example.com/file/${SHA256}/x`, HASHES, [`hash-sha256 ${SHA256}`])
})

test('a digest that continues in the next line is joined, and a list of digests is not', () => {
  assertFound(`${SHA256.slice(0, 40)}\n  ${SHA256.slice(40)}`, HASHES, [`hash-sha1 ${SHA1}`])
  assertFound(`${SHA256.slice(0, 50)}\n${SHA256.slice(50)}`, HASHES, [`hash-sha256 ${SHA256}`])
  assertFound(`SHA256: ${MD5}\n${MD5}`, HASHES, [`hash-sha256 ${SHA256}`])
  assertFound(`${MD5}\nf${MD5.slice(1)}`, HASHES, [`hash-md5 ${MD5}`, `hash-md5 f${MD5.slice(1)}`])
})

test('a label before a digest determines its type, also for those that follow', () => {
  assertFound(`imphash: ${MD5}, MD5: ${MD5}`, FINGERPRINTS, [`hash-imphash ${MD5}`, `hash-md5 ${MD5}`])
  assertFound(`Import hash\n${MD5}\nf${MD5.slice(1)}`, FINGERPRINTS, [
    `hash-imphash ${MD5}`,
    `hash-imphash f${MD5.slice(1)}`,
  ])
  assertFound(`JA3 ${MD5}`, FINGERPRINTS, [`ja3-hash ${MD5}`, `hash-md5 ${MD5}`])
  assertFound(`JARM=${SHA256.slice(2)} authentihash ${SHA256}`, FINGERPRINTS, [
    `jarm ${SHA256.slice(2)}`,
    `hash-authentihash ${SHA256}`,
  ])
  assertFound('ssdeep 96:abcDEF123ghiJKL:mnoPQR456 3:10:20', FINGERPRINTS, ['hash-ssdeep 96:abcDEF123ghiJKL:mnoPQR456'])
})

test('catalogue numbers are found in any spelling', () => {
  assertFound(
    'CVE-2021-44228, cve 2021-45046 CVE\u20132017\u201311882 (CVE_2019_0708) CVE-2014-\n0160',
    ['cve'],
    ['cve CVE-2021-44228', 'cve CVE-2021-45046', 'cve CVE-2017-11882', 'cve CVE-2019-0708', 'cve CVE-2014-0160'],
  )
  assertFound('CVE-20210-1234 CVE-1998-0001 CVE-2021-12 XCVE-2021-1234', ['cve'], [])
  assertFound('CWE-79 and CWE 89', ['cwe'], ['cwe CWE-79', 'cwe CWE-89'])
  assertFound(
    'AS64496, ASN 64497, asn64498, AS 64499 as 2020 AS2',
    ['asn'],
    ['asn AS64496', 'asn AS64497', 'asn AS64498', 'asn AS64499'],
  )
  assertFound('T1566.001 and TA0001', ['asn', 'cve', 'domain', 'file', 'ipv4'], [])
})

test('financial identifiers are verified by their checksums', () => {
  const types = ['crypto-address', 'card', 'bank-account', 'telephone']
  assertFound(
    '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa, 1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNb bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4',
    types,
    ['crypto-address 1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa', 'crypto-address bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4'],
  )
  assertFound('0x00000000219ab540356cBB839Cbe05303d7705Fa', types, [
    'crypto-address 0x00000000219ab540356cbb839cbe05303d7705fa',
  ])
  assertFound('4111 1111 1111 1111 or 4111111111111112, GB82 WEST 1234 5698 7654 32 GB83WEST12345698765432', types, [
    'card 4111111111111111',
    'bank-account GB82WEST12345698765432',
  ])
  assertFound('call +31 20 123 4567 (GMT+0100), 12345678', types, ['telephone +31201234567'])
})

test('registry keys and paths end where the sentence continues', () => {
  const types = ['winregistry', 'file']
  assertFound('HKLM\\Software\\Run\\x and HKCU:\\Software\\Foo Bar\\Baz is set', types, [
    'winregistry HKEY_LOCAL_MACHINE\\Software\\Run\\x',
    'winregistry HKEY_CURRENT_USER\\Software\\Foo Bar\\Baz',
  ])
  assertFound('"HKCU\\Control Panel\\My Key" under HKLM\\\\SYSTEM\\\\Select.', types, [
    'winregistry HKEY_CURRENT_USER\\Control Panel\\My Key',
    'winregistry HKEY_LOCAL_MACHINE\\SYSTEM\\Select',
  ])
  assertFound('copies C:\\Windows\\a.exe to C:\\Program Files (x86)\\B\\c.dll, then %TEMP%\\d e.txt.', types, [
    'file C:\\Windows\\a.exe',
    'file C:\\Program Files (x86)\\B\\c.dll',
    'file %TEMP%\\d e.txt',
  ])
  assertFound('in /etc/cron.d/x, ~/.ssh/id_rsa or /tmp/y; and/or 1/2 and /opt/z.sh.', types, [
    'file /etc/cron.d/x',
    'file ~/.ssh/id_rsa',
    'file /tmp/y',
    'file /opt/z.sh',
  ])
  assertFound('drops evil.dll and invoice.pdf.exe via bad.org/loader.exe', types, [
    'file evil.dll',
    'file invoice.pdf.exe',
  ])
})

test('values that need a label are found after it', () => {
  const types = ['mutex', 'user-agent']
  assertFound(
    'creates the mutex "Global\\abc 1" and a mutex named \u2018x-1\u2019; Mutex: qwe. No mutex here.',
    types,
    ['mutex Global\\abc 1', 'mutex x-1', 'mutex qwe'],
  )
  assertFound('User-Agent: Evil/1.0 (x)\nMozilla/5.0 (X11; Linux) Gecko/20100101 Firefox/1.2.3.4 was seen', types, [
    'user-agent Evil/1.0 (x)',
    'user-agent Mozilla/5.0 (X11; Linux) Gecko/20100101 Firefox/1.2.3.4',
  ])
})

test('rules are found as a whole, together with the observables in them', () => {
  const yara = 'rule A : b {\n strings: $a = "} http://bad.org/x" $b = { 4D 5A } // }\n condition: $a /* } */ }'
  assertFound(`Use this:\n${yara}\nrule of thumb { no }`, ['yara', 'uri'], [`yara ${yara}`, 'uri http://bad.org/x'])
  const snort = 'alert tcp any any -> 198.51.100.7 80 (msg:"x"; sid:1;)'
  assertFound(`one:\n${snort}\nlog tcp`, ['snort', 'ipv4'], [`snort ${snort}`, 'ipv4 198.51.100.7'])
})
