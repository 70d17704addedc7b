import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTaxii, stixObject, TAXII } from '../../../test/taxii.ts'

let corvus: Awaited<ReturnType<typeof startTaxii>>
before(async () => {
  corvus = await startTaxii()
})
after(() => corvus.stop())

type Shown = { id: string; title: string; alias?: string; can_read: boolean; can_write: boolean }

const push = async (name: string, isActive = true): Promise<{ feed: number; id: string }> => {
  const { rows } = await corvus.pool.query(
    `insert into incoming_feeds (name, transport_type, is_active) values ($1, 'eiq.incoming-transports.push', $2)
     returning id as feed, collection_id as id`,
    [name, isActive],
  )
  return rows[0]
}

const titles = async (token: string): Promise<string[]> =>
  ((await corvus.ask('collections/', { token })).body.collections ?? []).map(({ title }: Shown) => title)

test('5.1: without collections the list is omitted, because lists must not be empty', async () => {
  const { status, body, headers } = await corvus.ask('collections/')
  assert.deepEqual([status, body, headers['content-type']], [200, {}, TAXII])
})

test('5.1, 5.2: a collection has id, title, can_read, can_write and media types', async () => {
  const { id } = await corvus.publish('Élevé: high value!')
  const pushed = await push('Partners')
  const { body } = await corvus.ask('collections/')
  const expected = {
    id,
    title: 'Élevé: high value!',
    description: 'About Élevé: high value!',
    alias: 'eleve-high-value',
    can_read: true,
    can_write: false,
    media_types: ['application/stix+json;version=2.1'],
  }
  const written = {
    id: pushed.id,
    title: 'Partners',
    alias: 'partners',
    can_read: false,
    can_write: true,
    media_types: ['application/stix+json;version=2.1'],
  }
  assert.deepEqual(body, { collections: [written, expected] })
  const one = await corvus.ask(`collections/${id}/`)
  assert.deepEqual([one.status, one.body, one.headers['content-type']], [200, expected, TAXII])
  assert.deepEqual((await corvus.ask(`collections/${pushed.id}/`)).body, written)
})

test('5.2: a collection can also be addressed by its unique alias', async () => {
  const first = await corvus.publish('Same name')
  const second = await corvus.publish('Same  NAME')
  const { body } = await corvus.ask('collections/')
  const aliases = (body.collections as Shown[]).flatMap(({ alias }) => alias ?? [])
  assert.equal(new Set(aliases).size, aliases.length)
  assert.equal((await corvus.ask('collections/same-name/')).body.id, first.id, 'the eldest has it')
  assert.ok(!('alias' in (await corvus.ask(`collections/${second.id}/`)).body))
  await corvus.add(first.feed, [stixObject()])
  assert.equal((await corvus.ask('collections/same-name/objects/')).body.objects.length, 1)
  const noSlug = await corvus.publish('…')
  assert.ok(!('alias' in (await corvus.ask(`collections/${noSlug.id}/`)).body))
})

test('5.2: an unknown collection is a 404', async () => {
  const other = await corvus.publish('By download')
  await corvus.pool.query(
    `update outgoing_feeds set transport_type = 'eiq.outgoing-transports.http-download' where id = $1`,
    [other.feed],
  )
  const inactive = await push('Asleep', false)
  const fetched = await push('Fetched')
  await corvus.pool.query(`update incoming_feeds set transport_type = 'eiq.incoming-transports.taxii2' where id = $1`, [
    fetched.feed,
  ])
  for (const id of [other.id, inactive.id, fetched.id, '00000000-0000-7000-8000-000000000000', 'no-such', '%20']) {
    for (const path of ['', 'manifest/', 'objects/', 'objects/x/', 'objects/x/versions/']) {
      const { status, body } = await corvus.ask(`collections/${id}/${path}`)
      assert.deepEqual([status, body.http_status], [404, '404'], `${id} ${path}`)
    }
  }
})

test('1.10: read access to a collection depends on its owner, its groups, or its content', async () => {
  const groups = await corvus.call('PUT', 'groups', [{ name: 'Readers' }, { name: 'Others' }])
  const [readers, others] = groups.body.data.map(({ id }: { id: number }) => id)
  const tokens = await Promise.all([1, 2, 3].map(() => corvus.tokenFor(['read content-blocks'])))
  const [owner = '', member = '', stranger = ''] = tokens
  for (const [group, token] of [
    [readers, member],
    [others, stranger],
  ] as const) {
    await corvus.pool.query('insert into group_users (source, target) values ($1, $2)', [
      group,
      await corvus.userOf(token),
    ])
  }
  const own = await corvus.publish('Of groups', { owner: await corvus.userOf(owner), groups: [readers] })
  const keyed = await corvus.publish('Of keys', { owner: await corvus.userOf(owner), keys: [999_999] })
  await corvus.add(own.feed, [stixObject()])
  await corvus.add(keyed.feed, [stixObject()])
  const sees = async (token: string, id: string) => (await corvus.ask(`collections/${id}/objects/`, { token })).status
  const seen = async (token: string) => (await titles(token)).filter((title) => title.startsWith('Of '))
  assert.deepEqual(await seen(owner), ['Of groups', 'Of keys'])
  assert.deepEqual(await seen(member), ['Of groups'])
  assert.deepEqual(await seen(stranger), [])
  assert.deepEqual([await sees(owner, own.id), await sees(owner, keyed.id)], [200, 200])
  assert.deepEqual([await sees(member, own.id), await sees(member, keyed.id)], [200, 404])
  assert.deepEqual([await sees(stranger, own.id), await sees(stranger, keyed.id)], [404, 404])
  assert.equal((await corvus.ask('collections/of-groups/', { token: stranger })).status, 404)
})

test('a collection that a user may not see takes no alias from those that they see', async () => {
  const token = await corvus.tokenFor(['read content-blocks'])
  await corvus.publish('Twin', { keys: [999_999] })
  const visible = await corvus.publish('twin')
  assert.equal((await corvus.ask(`collections/${visible.id}/`, { token })).body.alias, 'twin')
  assert.equal((await corvus.ask('collections/twin/', { token })).body.id, visible.id)
})

test('collections to read require "read content-blocks", and those to write to require "modify incoming-feeds"', async () => {
  const { id } = await corvus.publish('Permitted')
  const pushed = await push('Permitted push')
  const [nothing, reading, writing] = await Promise.all(
    [[], ['read content-blocks'], ['modify incoming-feeds']].map((names) => corvus.tokenFor(names)),
  )
  const seen = async (token = '') => (await titles(token)).filter((title) => title.startsWith('Permitted'))
  assert.deepEqual(await seen(nothing), [])
  assert.deepEqual(await seen(reading), ['Permitted'])
  assert.deepEqual(await seen(writing), ['Permitted push'])
  const status = async (path: string, token = '') => (await corvus.ask(path, { token })).status
  assert.equal(await status(`collections/${id}/objects/`, nothing), 403)
  assert.equal(await status(`collections/${id}/`, nothing), 404)
  assert.equal(await status(`collections/${pushed.id}/`, reading), 404)
})

for (const path of ['manifest/', 'objects/', 'objects/x/', 'objects/x/versions/']) {
  test(`5.3, 5.4, 5.6, 5.8: ${path} of a collection with can_read false is a 403`, async () => {
    const { id } = await push(`Closed ${path}`)
    const { status, body } = await corvus.ask(`collections/${id}/${path}`)
    assert.deepEqual([status, body.http_status], [403, '403'])
  })
}
