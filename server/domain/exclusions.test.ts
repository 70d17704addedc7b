import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { type ExclusionList, entryFault, exclusionsOf } from './exclusions.ts'
import { ipv4 } from './observables/ip.ts'

const list = (entries: readonly string[], types: readonly string[] = []): ExclusionList => ({
  name: 'A',
  types,
  entries,
})

test('a domain excludes itself, its subdomains, and URLs and e-mail addresses on them', () => {
  for (const entry of ['example.com', '*.example.com', '.example.com', 'EXAMPLE.com.']) {
    const exclusion = exclusionsOf([list([entry])])
    for (const [type, value] of [
      ['domain', 'example.com'],
      ['domain', 'a.b.example.com'],
      ['host', 'example.com'],
      ['uri', 'https://www.example.com:8443/a?b=c'],
      ['uri', 'http://user:word@example.com'],
      ['email', 'someone@mail.example.com'],
    ] as const)
      assert.equal(exclusion(type, value), 'A', `${entry} ${value}`)
    for (const [type, value] of [
      ['domain', 'notexample.com'],
      ['domain', 'example.com.evil.org'],
      ['domain', 'com'],
      ['uri', 'https://evil.org/example.com'],
      ['uri', 'https://example.com@evil.org/'],
      ['file', 'example.com'],
      ['email', 'example.com@evil.org'],
    ] as const)
      assert.equal(exclusion(type, value), undefined, `${entry} ${value}`)
  }
})

test('a network excludes its addresses, the networks in it, and URLs on them', () => {
  const exclusion = exclusionsOf([list(['198.51.100.0/24', '2001:db8::/32', '203.0.113.7'])])
  for (const [type, value] of [
    ['ipv4', '198.51.100.0'],
    ['ipv4', '198.51.100.255'],
    ['ipv4', '203.0.113.7'],
    ['ipv4-cidr', '198.51.100.128/25'],
    ['ipv4-cidr', '198.51.100.0/24'],
    ['ipv6', '2001:db8:ffff::1'],
    ['ipv6-cidr', '2001:db8:1::/48'],
    ['uri', 'http://198.51.100.9:8080/a'],
    ['uri', 'http://[2001:db8::1]/'],
    ['host', '198.51.100.1'],
    ['email', 'someone@198.51.100.1'],
  ] as const)
    assert.equal(exclusion(type, value), 'A', value)
  for (const [type, value] of [
    ['ipv4', '198.51.101.0'],
    ['ipv4', '203.0.113.8'],
    ['ipv4-cidr', '198.51.0.0/16'],
    ['ipv6', '2001:db9::1'],
    ['ipv6-cidr', '2001::/16'],
    ['uri', 'http://evil.org/198.51.100.9'],
  ] as const)
    assert.equal(exclusion(type, value), undefined, value)
})

test('other values are excluded as a whole, in any case', () => {
  const hash = 'd41d8cd98f00b204e9800998ecf8427e'
  const exclusion = exclusionsOf([list([hash.toUpperCase(), 'HTTPS://Example.com/A', 'someone@example.org', 'a b'])])
  assert.equal(exclusion('hash-md5', hash), 'A')
  assert.equal(exclusion('uri', 'https://example.com/A'), 'A')
  assert.equal(exclusion('uri', 'https://example.com/A/b'), undefined)
  assert.equal(exclusion('email', 'someone@example.org'), 'A')
  assert.equal(exclusion('email', 'else@example.org'), undefined)
  assert.equal(exclusion('mutex', 'A B'), 'A')
})

test('a list applies only to its types, and the first list that excludes a value is named', () => {
  const exclusion = exclusionsOf([
    { name: 'Sites', types: ['domain'], entries: ['example.com'] },
    { name: 'Ours', types: [], entries: ['example.com', '*.other.org'] },
  ])
  assert.equal(exclusion('domain', 'example.com'), 'Sites')
  assert.equal(exclusion('uri', 'https://example.com/'), 'Ours')
  assert.equal(exclusion('domain', 'x.other.org'), 'Ours')
  assert.equal(exclusion('ipv4', '192.0.2.1'), undefined)
})

test('an invalid entry is rejected with the reason', () => {
  for (const [entry, fault] of [
    [' ', /empty/],
    ['192.0.2.0/33', /network such as/],
    ['0.0.0.0/0', /all addresses/],
    ['::/0', /all addresses/],
    ['*', /asterisk/],
    ['exa*mple.com', /asterisk/],
    ['*.*.example.com', /asterisk/],
    ['a\nb', /one line/],
    ['x'.repeat(2_049), /2048 characters/],
  ] as const)
    assert.match(entryFault(entry) ?? '', fault, entry)
  for (const entry of ['example.com', '*.example.com', 'localhost', '10.0.0.0/8', '::1', 'fe80::/10', 'any text'])
    assert.equal(entryFault(entry), undefined, entry)
})

test('an address is excluded if, and only if, it is in a network of the list', () => {
  const numbers = fc.integer({ min: 0, max: 2 ** 32 - 1 })
  const networks = fc.array(fc.tuple(numbers, fc.integer({ min: 1, max: 32 })), { minLength: 1, maxLength: 20 })
  fc.assert(
    fc.property(networks, numbers, fc.nat(), (given, other, choice) => {
      const [base = 0, prefix = 32] = given[choice % given.length] ?? []
      // Half of the addresses are taken from one of the networks.
      const address = choice % 2 === 0 ? other : Number((BigInt(base) >> BigInt(32 - prefix)) << BigInt(32 - prefix))
      const isInside = given.some(
        ([start, bits]) => BigInt(start) >> BigInt(32 - bits) === BigInt(address) >> BigInt(32 - bits),
      )
      const exclusion = exclusionsOf([list(given.map(([start, bits]) => `${ipv4.format(BigInt(start))}/${bits}`))])
      assert.equal(exclusion('ipv4', ipv4.format(BigInt(address))) === 'A', isInside)
    }),
  )
})
