import assert from 'node:assert/strict'
import { test } from 'node:test'
import { corrupted } from '../../../../../test/set-up/corrupted.ts'
import { mmdbOf } from '../../../../../test/set-up/mmdb.ts'
import { MmdbError, openMmdb } from './read-mmdb.ts'

const NETWORKS = {
  '192.0.2.0/24': { country: { iso_code: 'NL', names: { en: 'Netherlands' } }, location: { latitude: 52.5 } },
  '192.0.2.128/25': { country: { iso_code: 'BE' }, is_anycast: true, list: [1, 2, 70_000] },
  '2001:db8::/32': { country: { iso_code: 'DE' }, note: 'x'.repeat(200) },
}

for (const bits of [24, 28, 32] as const) {
  test(`a database with records of ${bits} bits has the narrowest network of an address`, async () => {
    const database = openMmdb(mmdbOf(NETWORKS, { bits, type: 'Country' }))
    await database.check()
    assert.equal(database.type, 'Country')
    assert.deepEqual(database.find('192.0.2.7'), { network: '192.0.2.0/25', record: NETWORKS['192.0.2.0/24'] })
    assert.deepEqual(database.find('192.0.2.200'), { network: '192.0.2.128/25', record: NETWORKS['192.0.2.128/25'] })
    assert.deepEqual(database.find('2001:db8:1::1'), { network: '2001:db8::/32', record: NETWORKS['2001:db8::/32'] })
    assert.equal(database.find('198.51.100.1'), undefined)
    assert.equal(database.find('no address'), undefined)
  })
}

test('a database of IPv4 has no IPv6 addresses', () => {
  const database = openMmdb(mmdbOf({ '192.0.2.0/24': { a: 1 } }, { version: 4, bits: 24 }))
  assert.deepEqual(database.find('192.0.2.7'), { network: '192.0.2.0/24', record: { a: 1 } })
  assert.equal(database.find('2001:db8::1'), undefined)
})

test('a record whose values refer to each other without end is refused', () => {
  const bytes = mmdbOf({ '192.0.2.0/24': { a: 1 } })
  const at = bytes.indexOf(Buffer.from([0xe1, 0x41, 0x61]))
  // The value becomes a pointer to the map itself.
  bytes.set([0x20, 0x00], at + 3)
  assert.throws(() => openMmdb(bytes).find('192.0.2.7'), /nested more than 16 levels/)
})

test('500 damaged databases are read, or refused with a reason', async () => {
  const whole = mmdbOf(NETWORKS)
  let refused = 0
  for (let seed = 0; seed < 500; seed++) {
    try {
      const database = openMmdb(corrupted(whole, seed))
      for (const address of ['192.0.2.7', '192.0.2.200', '2001:db8::1', '198.51.100.1']) database.find(address)
      await database.check()
    } catch (error) {
      assert.ok(error instanceof MmdbError, `seed ${seed}: ${(error as Error).stack}`)
      refused++
    }
  }
  assert.ok(refused > 200, `${refused} refused`)
})
