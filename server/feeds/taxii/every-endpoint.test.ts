import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTaxii, stixObject, TAXII } from '../../../test/taxii.ts'

let corvus: Awaited<ReturnType<typeof startTaxii>>
let read: string
let written: string
const object = stixObject('malware')

before(async () => {
  corvus = await startTaxii()
  const { feed, id } = await corvus.publish('To read')
  read = `collections/${id}/`
  await corvus.add(feed, [object])
  await corvus.call('POST', 'incoming-feeds', { name: 'To write to', transport_type: 'push' })
  const { body } = await corvus.ask('collections/')
  written = `collections/${body.collections.find(({ can_write }: { can_write: boolean }) => can_write).id}/`
})
after(() => corvus.stop())

/** The paths below a collection that are read in pages. */
const LISTS = ['manifest/', 'objects/', `objects/${object.id}/`, `objects/${object.id}/versions/`]

const everything = () => ['/taxii2/', '', 'collections/', read, ...LISTS.map((list) => `${read}${list}`)]

test('3.1: every response has the media type of TAXII with its version, however it was accepted', async () => {
  for (const accept of [
    TAXII,
    'application/taxii+json',
    'application/taxii+json; version=2.1',
    `${TAXII}, application/stix+json;version=2.1`,
    '*/*',
  ]) {
    for (const path of everything()) {
      const { status, headers } = await corvus.ask(path, { headers: { accept } })
      assert.deepEqual([status, headers['content-type']], [200, TAXII], `${path} ${accept}`)
    }
  }
})

test('4.1 to 5.8: every endpoint answers 401 with challenges to a client without valid credentials', async () => {
  const post = { method: 'POST', body: { objects: [object] } } as const
  const asked = [
    ...everything().map((path) => ({ path })),
    { path: 'status/00000000-0000-4000-8000-000000000000/' },
    { path: `${written}objects/`, ...post },
    { path: `${read}objects/${object.id}/`, method: 'DELETE' } as const,
  ]
  for (const { path, ...more } of asked) {
    for (const token of [null, 'wrong']) {
      const { status, headers, body } = await corvus.ask(path, { ...more, token })
      assert.deepEqual([status, headers['content-type'], body.http_status], [401, TAXII, '401'], path)
      assert.match(String(headers['www-authenticate']), /Basic/)
    }
  }
})

test('5.3, 5.4, 5.6, 5.8: a collection with can_read false cannot be read', async () => {
  for (const list of LISTS) assert.equal((await corvus.ask(`${written}${list}`)).status, 403, list)
})

test('3.2: every response with objects, manifests or versions states when the first and the last were added', async () => {
  for (const path of LISTS) {
    const { headers } = await corvus.ask(`${read}${path}`)
    for (const name of ['x-taxii-date-added-first', 'x-taxii-date-added-last']) {
      assert.match(String(headers[name]), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/, `${path} ${name}`)
    }
  }
})

test('3.3: collections are always in the same order', async () => {
  for (const name of ['b', 'a', 'c']) await corvus.publish(name)
  const [first, second] = await Promise.all([corvus.ask('collections/'), corvus.ask('collections/')])
  assert.equal(first.body.collections.length, 5)
  assert.deepEqual(first.body, second.body)
})

test('2: the identifiers of collections are random UUIDs', async () => {
  for (const { id } of (await corvus.ask('collections/')).body.collections) {
    assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  }
})

test('3.4.1: no type is an error, known or not', async () => {
  for (const type of ['indicator', 'marking-definition', 'language-content', 'x-of-our-own', 'ipv4-addr,file']) {
    const { status, body } = await corvus.ask(`${read}objects/?match[type]=${type}`)
    assert.deepEqual([status, body], [200, {}], type)
  }
})

test('3.4: a filter on the manifest applies to the objects that it describes', async () => {
  const of = async (type: string) => (await corvus.ask(`${read}manifest/?match[type]=${type}`)).body.objects?.length
  assert.deepEqual([await of('malware'), await of('tool')], [1, undefined])
})

test('5.3.1: the media type of a record is one of its collection', async () => {
  const { media_types } = (await corvus.ask(read)).body
  for (const { media_type } of (await corvus.ask(`${read}manifest/`)).body.objects) {
    assert.ok(media_types.includes(media_type))
  }
})

test('8.2.1: a client need not send a User-Agent', async () => {
  const { status } = await corvus.ask(`${read}objects/`, { headers: { 'user-agent': '' } })
  assert.equal(status, 200)
})
