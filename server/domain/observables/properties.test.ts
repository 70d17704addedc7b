import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { EXAMPLES } from './examples.ts'
import { normaliseObservable } from './normalise.ts'
import { OBSERVABLE_TYPES, type ObservableType } from './types.ts'

/** Pieces with a meaning in one type or another, so that random texts come close to valid values. */
const PIECES = [
  ...['.', '[.]', '(dot)', '{at}', '[@]', '[:]', '\\.', '^.', '[', ']', '(', ')', '\\', '/', '//', ':', '://', '@'],
  ...['hxxp', 'http', 'tcp', 'com', 'example', 'xn--', '%65', '%', '?', '#', '-', '_', '+', ',', ';', ' ', '\t', '\n'],
  ...['0', '00', '0x', '1', '255', '65536', 'a', 'F', 'HKLM', 'Computer', 'REGISTRY', 'MACHINE', 'ext', 'tel:', 'geo:'],
  ...['IBAN ', 'bitcoin:', 'CVE-', 'AS', 'AAAA', '\u0130', '\u03a3', '\u00df', '\u0344', '\u212b', '\u200d', '\u00ad'],
  ...['\u3002', '\uff0f', '\ufb2c', '\u1e9b\u0323', '\u2028', '\u0085', '\ud800', '\u{1f600}', '\u20ac', '\u2013'],
]

const nonsense = fc.array(fc.constantFrom(...PIECES), { maxLength: 12 }).map((pieces) => pieces.join(''))

/** Good examples with pieces inserted, parts removed, and their case changed. */
const nearlyGood = (type: ObservableType) =>
  fc
    .tuple(
      fc.constantFrom(...EXAMPLES[type].good.flat()),
      fc.array(fc.tuple(fc.nat(), fc.nat(2), fc.constantFrom('', ...PIECES)), { maxLength: 4 }),
      fc.constantFrom('as it is', 'lower', 'upper'),
    )
    .map(([example, edits, letters]) => {
      const edited = edits.reduce((text, [position, left, piece]) => {
        const at = position % (text.length + 1)
        return text.slice(0, at) + piece + text.slice(at + left)
      }, example)
      if (letters === 'as it is') return edited
      return letters === 'lower' ? edited.toLowerCase() : edited.toUpperCase()
    })

for (const type of OBSERVABLE_TYPES) {
  test(`${type}: normalising a value twice changes nothing`, () => {
    const anything = fc.oneof(
      { arbitrary: nearlyGood(type), weight: 4 },
      { arbitrary: nonsense, weight: 2 },
      { arbitrary: fc.string({ unit: 'binary', maxLength: 40 }), weight: 1 },
    )
    fc.assert(
      fc.property(anything, (given) => {
        const once = normaliseObservable(type, given)
        if ('value' in once) assert.deepEqual(normaliseObservable(type, once.value), once)
      }),
      { numRuns: 200 },
    )
  })
}

for (const type of ['domain', 'host', 'email', 'uri'] as const) {
  test(`${type}: the fast path for plain values agrees with full normalisation`, () => {
    const label = fc.oneof(
      fc.stringMatching(/^[a-z\d_-]{1,5}$/),
      fc.constantFrom('a'.repeat(63), 'a'.repeat(64), 'com', 'xn--a', '0x7', '1'),
    )
    const name = fc.array(label, { minLength: 1, maxLength: 5 }).map((labels) => labels.join('.'))
    const local = fc.oneof(fc.stringMatching(/^[a-z\d._-]{1,8}$/), fc.constantFrom('a'.repeat(64), 'a'.repeat(65)))
    const rest = fc.stringMatching(/^(?:[/?#:\\@][!-~]{0,8})?$/)
    const anything = fc.oneof(
      nearlyGood(type),
      name,
      fc.tuple(local, name).map((parts) => parts.join('@')),
      fc.tuple(fc.constantFrom('http', 'https', 'ftp', 'hxxp'), name, rest).map(([a, b, c]) => `${a}://${b}${c}`),
    )
    fc.assert(
      // The space is trimmed, and prevents the fast path for plain values.
      fc.property(anything, (given) =>
        assert.deepEqual(normaliseObservable(type, given), normaliseObservable(type, ` ${given}`)),
      ),
      { numRuns: 1000 },
    )
  })
}

const spell = (type: ObservableType, given: string): string | undefined => {
  const answer = normaliseObservable(type, given)
  return 'value' in answer ? answer.value : undefined
}

test('every IPv4 address is normalised, alone and as a network of one', () => {
  fc.assert(
    fc.property(fc.ipV4(), (address) => {
      assert.equal(spell('ipv4', address), address)
      assert.equal(spell('ipv4-cidr', `${address}/32`), `${address}/32`)
      assert.equal(spell('inetnum', `${address}/32`), `${address} - ${address}`)
    }),
  )
})

test('an IPv6 address is written as browsers write it, except that mapped IPv4 addresses stay readable', () => {
  fc.assert(
    fc.property(fc.ipV6(), (address) => {
      const value = spell('ipv6', address)
      const { hostname } = new URL(`http://[${address}]/`)
      if (!value?.includes('.')) return assert.equal(`[${value}]`, hostname)
      assert.equal(new URL(`http://[${value}]/`).hostname, hostname)
    }),
  )
})

test('every address of a network has the same network', () => {
  fc.assert(
    fc.property(fc.ipV4(), fc.integer({ min: 0, max: 32 }), (address, prefix) => {
      const network = spell('ipv4-cidr', `${address}/${prefix}`)
      const [first, last] = spell('inetnum', `${address}/${prefix}`)?.split(' - ') ?? []
      assert.equal(network, `${first}/${prefix}`)
      assert.equal(spell('ipv4-cidr', `${last}/${prefix}`), network)
    }),
  )
})

test('every domain and every e-mail address is accepted, in lower case', () => {
  fc.assert(
    fc.property(fc.domain(), (domain) => {
      assert.equal(spell('domain', domain), domain.toLowerCase())
      assert.equal(spell('host', domain.toUpperCase()), domain.toLowerCase())
    }),
  )
  fc.assert(fc.property(fc.emailAddress(), (email) => assert.equal(spell('email', email), email.toLowerCase())))
})

test('a web address leads to the same place before and after', () => {
  const url = fc.webUrl({
    withQueryParameters: true,
    withFragments: true,
    authoritySettings: { withIPv4: true, withIPv6: true, withPort: true, withUserInfo: true },
  })
  fc.assert(
    fc.property(
      url.filter((text) => URL.canParse(text)),
      (text) => assert.equal(new URL(spell('uri', text) ?? '').href, new URL(text).href),
    ),
  )
})
