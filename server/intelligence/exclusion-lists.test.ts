import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startApp } from '../../test/app.ts'
import { entryFault } from '../domain/exclusions.ts'
import { EXCLUSION_LIMITS, exclusionLists, readExclusions } from './exclusion-lists.ts'

let corvus: Awaited<ReturnType<typeof startApp>>
before(async () => {
  corvus = await startApp()
})
after(() => corvus.stop())

const path = 'exclusion-lists'
let counter = 0
const post = (data: object) => corvus.call('POST', path, { data: { name: `List ${++counter}`, ...data } })

test('the predefined lists exist, are inactive, and have valid entries', async () => {
  const { body } = await corvus.call('GET', `${path}?sort=id`)
  const lists: { name: string; is_active: boolean; entries: string[]; types: string[] }[] = body.data
  assert.deepEqual(
    lists.map(({ name, is_active }) => [name, is_active]),
    [
      ['Own domains', true],
      ['Private and reserved ranges', false],
      ['Public DNS resolvers', false],
      ['Local names and example domains', false],
      ['Well-known sites', false],
    ],
  )
  for (const { name, entries } of lists) {
    assert.equal(entries.length > 0, name !== 'Own domains')
    assert.deepEqual(
      entries.filter((entry) => entryFault(entry) !== undefined),
      [],
    )
    assert.equal(new Set(entries).size, entries.length, name)
  }
  assert.ok((lists[4]?.entries.length ?? 0) > 300)
})

test('everything but the name has a default', async () => {
  const { status, body } = await post({})
  const { description, is_active, types, entries } = body.data
  assert.deepEqual([status, description, is_active, types, entries], [201, '', true, [], []])
})

test('every invalid entry and type is reported with its position', async () => {
  const { status, body } = await post({ entries: ['example.com', '*', '', '1.2.3.0/99'], types: ['domain', 'unicorn'] })
  assert.equal(status, 400)
  assert.deepEqual(
    body.map(({ detail }: { detail: string }) => detail.split(': ')[0]),
    ['data.types[1]', 'data.entries[1]', 'data.entries[2]', 'data.entries[3]'],
  )
})

test('the number of entries is limited for one list and for all lists', async () => {
  const many = (amount: number, ending: number) =>
    Array.from({ length: amount }, (_, i) => `host-${i}.example${ending}`)
  assert.equal((await post({ entries: many(EXCLUSION_LIMITS.entries + 1, 0) })).status, 400)
  const ids: number[] = []
  for (let i = 0; i < 4; i++) {
    const { status, body } = await post({ entries: many(EXCLUSION_LIMITS.entries, i) })
    assert.equal(status, 201, JSON.stringify(body).slice(0, 200))
    ids.push(body.data.id)
  }
  const { status, body } = await post({ entries: many(EXCLUSION_LIMITS.entries, 4) })
  assert.deepEqual(
    [status, body[0].detail],
    [400, `entries: all lists together can have at most ${EXCLUSION_LIMITS.total} entries`],
  )
  assert.equal((await corvus.call('DELETE', path, ids)).status, 204)
})

test('a list excludes observables while it is active', async () => {
  const before = await readExclusions(corvus.db)
  assert.equal(before('domain', 'corvus.example'), undefined)
  assert.equal(await readExclusions(corvus.db), before, 'nothing is read again while nothing has changed')
  const { body } = await post({ ...exclusionLists.example, name: 'Ours' })
  const url = `${path}/${body.data.id}`
  assert.equal((await readExclusions(corvus.db))('uri', 'https://www.corvus.example/a'), 'Ours')
  assert.equal((await readExclusions(corvus.db))('email', 'someone@corvus.example'), undefined)
  await corvus.call('PATCH', url, { data: { entries: ['other.example'], types: [] } })
  assert.equal((await readExclusions(corvus.db))('domain', 'corvus.example'), undefined)
  assert.equal((await readExclusions(corvus.db))('email', 'someone@other.example'), 'Ours')
  await corvus.call('PATCH', url, { data: { is_active: false } })
  assert.equal((await readExclusions(corvus.db))('domain', 'other.example'), undefined)
  await corvus.call('PATCH', url, { data: { is_active: true } })
  await corvus.call('DELETE', url, null)
  assert.equal((await readExclusions(corvus.db))('domain', 'other.example'), undefined)
})

test('a predefined list can be activated, changed and deleted', async () => {
  const { body } = await corvus.call('GET', `${path}?filter[name]=Public DNS resolvers`)
  const url = `${path}/${body.data[0].id}`
  assert.equal((await corvus.call('PATCH', url, { data: { is_active: true } })).status, 200)
  assert.equal((await readExclusions(corvus.db))('ipv4', '8.8.8.8'), 'Public DNS resolvers')
  assert.equal((await corvus.call('DELETE', url, null)).status, 204)
})

test('lists go from one installation to another', async () => {
  await post({ name: 'Moving', entries: ['moved.example'] })
  const { body } = await corvus.call('GET', 'configurations/export?collections=exclusion_lists')
  assert.ok(JSON.stringify(body).includes('moved.example'))
})

test('the permissions are those of configurations', async () => {
  const reader = await corvus.tokenFor(['read configurations'])
  assert.equal((await corvus.call('GET', path, undefined, reader)).status, 200)
  const { status, body } = await corvus.call('POST', path, { data: { name: 'x' } }, reader)
  assert.deepEqual([status, body[0].detail], [403, 'Missing permissions: [modify configurations]'])
})
