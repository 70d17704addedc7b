import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { ipv4 } from '../../../domain/observables/ip.ts'
import { rangeOf, segmentsOf } from './address-ranges.ts'

test('addresses, networks and ranges of both families are read, and other texts are none', () => {
  const of = (text: string) => {
    const range = rangeOf(text)
    return range && [range.family.format(range.first), range.family.format(range.last)]
  }
  assert.deepEqual(of('192.0.2.7'), ['192.0.2.7', '192.0.2.7'])
  assert.deepEqual(of('192.0.2.77/28'), ['192.0.2.64', '192.0.2.79'])
  assert.deepEqual(of('192.0.2.1 - 192.0.2.9'), ['192.0.2.1', '192.0.2.9'])
  assert.deepEqual(of('2001:db8::/126'), ['2001:db8::', '2001:db8::3'])
  for (const text of ['192.0.2', '192.0.2.9-192.0.2.1', '192.0.2.0/33', 'a.example', '00:00:5e:00:53:01', 'd41d8cd9']) {
    assert.equal(of(text), undefined, text)
  }
})

test('segments are disjoint and have exactly the rows whose ranges contain an address, the narrowest first', async () => {
  const range = fc.tuple(fc.integer({ min: 0, max: 60 }), fc.integer({ min: 0, max: 20 }))
  await fc.assert(
    fc.asyncProperty(fc.array(range, { maxLength: 30 }), async (given) => {
      const ranges = given.map(([first, length], position) => ({
        family: ipv4,
        first: BigInt(first),
        last: BigInt(first + length),
        position,
      }))
      const segments = await segmentsOf(ranges)
      for (let address = 0n; address < 85n; address++) {
        const wanted = ranges
          .filter(({ first, last }) => first <= address && address <= last)
          .sort((a, b) => Number(a.last - a.first - (b.last - b.first)) || a.position - b.position)
        const found = segments.filter(
          ({ first, last }) => (ipv4.parse(first) ?? 0n) <= address && address <= (ipv4.parse(last) ?? 0n),
        )
        assert.ok(found.length <= 1)
        assert.deepEqual(
          found[0]?.positions ?? [],
          wanted.map(({ position }) => position),
        )
      }
    }),
  )
})

test('too many networks around one address are refused', async () => {
  const ranges = Array.from({ length: 51 }, (_, position) => ({ family: ipv4, first: 0n, last: 9n, position }))
  await assert.rejects(segmentsOf(ranges), /more than 50 networks contain 0\.0\.0\.0/)
})
