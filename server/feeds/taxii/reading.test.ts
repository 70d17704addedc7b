import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTaxii, stixObject, TAXII } from '../../../test/taxii.ts'

let corvus: Awaited<ReturnType<typeof startTaxii>>
let path: string
let added: string[]

const [one, two, three] = [stixObject('malware'), stixObject('indicator'), stixObject('tool')]
const newer = { ...one, modified: '2024-02-01T00:00:00.5Z', name: 'newer' }
const newest = { ...one, modified: '2024-03-01T00:00:00.000Z', name: 'newest' }
const marking = {
  type: 'marking-definition',
  spec_version: '2.1',
  id: stixObject('marking-definition').id,
  created: '2017-01-20T00:00:00.000Z',
}
const address = { type: 'ipv4-addr', spec_version: '2.1', id: stixObject('ipv4-addr').id, value: '192.0.2.1' }
const old = { ...stixObject('campaign'), spec_version: '2.0' }
const all = [one, two, newer, marking, address, three, newest, old]

before(async () => {
  corvus = await startTaxii()
  const { feed, id } = await corvus.publish('Everything')
  path = `collections/${id}/`
  added = await corvus.add(feed, [one, two])
  added.push(...(await corvus.add(feed, [newer, marking, address, three])))
  added.push(...(await corvus.add(feed, [newest, old])))
})
after(() => corvus.stop())

const ask = async (rest: string) => {
  const answer = await corvus.ask(`${path}${rest}`)
  assert.equal(answer.status, 200, JSON.stringify(answer.body))
  assert.equal(answer.headers['content-type'], TAXII)
  return answer
}
const objects = async (query = '') => (await ask(`objects/${query}`)).body.objects ?? []
const CURRENT = [two, marking, address, three, newest, old]

test('5.4: objects are returned in an envelope as they are stored', async () => {
  const { body } = await ask('objects/')
  assert.deepEqual(body, { more: false, objects: CURRENT })
})

test('3.3: objects, manifests and versions are in the order in which they were added', async () => {
  assert.deepEqual(await objects('?match[version]=all'), all)
  const manifest = (await ask('manifest/?match[version]=all')).body.objects
  assert.deepEqual(
    manifest.map(({ date_added }: { date_added: string }) => date_added),
    added,
  )
  const { versions } = (await ask(`objects/${one.id}/versions/`)).body
  assert.deepEqual(versions, ['2024-01-01T00:00:00.000Z', '2024-02-01T00:00:00.5Z', '2024-03-01T00:00:00.000Z'])
})

test('3.2: the headers of a response state when its first and last object were added', async () => {
  for (const [rest, first, last] of [
    ['objects/?match[version]=all', 0, 7],
    ['manifest/?match[version]=all&limit=3', 0, 2],
    [`objects/${one.id}/?match[version]=all`, 0, 6],
    [`objects/${one.id}/versions/?added_after=${added[0]}`, 2, 6],
  ] as const) {
    const { headers } = await ask(rest)
    assert.deepEqual(
      [headers['x-taxii-date-added-first'], headers['x-taxii-date-added-last']],
      [added[first], added[last]],
      rest,
    )
    assert.match(String(headers['x-taxii-date-added-last']), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/)
  }
})

test('3.7, 3.2: without objects the envelope is an empty object, and its headers lead back to the same position', async () => {
  for (const rest of [
    'objects/?match[type]=none',
    'manifest/?match[id]=none',
    `objects/${one.id}/?match[spec_version]=2.0`,
  ]) {
    const { body, headers } = await ask(rest)
    assert.deepEqual(body, {}, rest)
    assert.equal(headers['x-taxii-date-added-first'], '1970-01-01T00:00:00.000000Z')
    assert.equal(headers['x-taxii-date-added-last'], '1970-01-01T00:00:00.000000Z')
  }
  const at = '2030-01-01T00:00:00.000000Z'
  for (const rest of ['objects/', 'manifest/', `objects/${one.id}/`, `objects/${one.id}/versions/`]) {
    const { status, body, headers } = await ask(`${rest}?added_after=${at}`)
    const dates = [headers['x-taxii-date-added-first'], headers['x-taxii-date-added-last']]
    assert.deepEqual([status, body, dates], [200, {}, [at, at]], rest)
  }
})

test('5.3: a record of the manifest has id, date_added, version and media_type', async () => {
  const { body } = await ask('manifest/')
  assert.deepEqual(body.objects[0], {
    id: two.id,
    date_added: added[1],
    version: '2024-01-01T00:00:00.000Z',
    media_type: 'application/stix+json;version=2.1',
  })
  const versionOf = ({ id }: { id: string }) => body.objects.find((record: { id: string }) => record.id === id).version
  assert.equal(versionOf(marking), marking.created, 'created, where there is no modified, in the words of the object')
  assert.equal(versionOf(address), added[4], 'date_added, where there is neither')
})

test('3.4: added_after excludes objects added at that time or before', async () => {
  assert.deepEqual(await objects(`?added_after=${added[3]}`), CURRENT.slice(2))
  assert.deepEqual(await objects(`?added_after=${added[7]}`), [])
  assert.deepEqual(await objects('?added_after=2000-01-01T00:00:00Z'), CURRENT)
  assert.deepEqual(await objects('?added_after='), CURRENT)
})

test('3.4: objects that match one value of each field are returned', async () => {
  assert.deepEqual(await objects(`?match[id]=${two.id},${old.id},none`), [two, old])
  assert.deepEqual(await objects('?match[type]=tool,indicator'), [two, three])
  assert.deepEqual(await objects(`?match[type]=tool&match[id]=${two.id}`), [])
  assert.deepEqual(await objects(`?match%5Btype%5D=indicator%2Ctool&match%5Bid%5D=${two.id}`), [two])
  assert.deepEqual(await objects('?match[spec_version]=2.0'), [old])
  assert.deepEqual(await objects('?match[spec_version]=2.0,2.1'), CURRENT)
})

test('3.4.1: match[version] is last by default, first, all, or exact times', async () => {
  const of = (version: string) => objects(`?match[id]=${one.id}&match[version]=${version}`)
  assert.deepEqual(await of('last'), [newest])
  assert.deepEqual(await of('first'), [one])
  assert.deepEqual(await of('all'), [one, newer, newest])
  assert.deepEqual(await of('first,last'), [one, newest])
  assert.deepEqual(await of('2024-02-01T00:00:00.500Z'), [newer])
  assert.deepEqual(await of('2024-02-01T01:00:00.5%2B01:00,first'), [one, newer])
  assert.deepEqual(await of('2020-01-01T00:00:00Z'), [])
  assert.deepEqual(await objects('?match[version]=first'), [one, two, marking, address, three, old])
  assert.deepEqual(
    await objects('?match[version]=first,last'),
    all.filter((object) => object !== newer),
  )
})

test('5.6: an object is returned in its last version by default, and an unknown one is a 404', async () => {
  assert.deepEqual((await ask(`objects/${one.id}/`)).body, { more: false, objects: [newest] })
  const every = await ask(`objects/${one.id}/?match[version]=all`)
  assert.deepEqual(every.body.objects, [one, newer, newest])
  const unknown = await corvus.ask(`${path}objects/${stixObject().id}/`)
  assert.deepEqual([unknown.status, unknown.body.http_status], [404, '404'])
})

test('5.8: all versions of an object are listed, also in pages, and an unknown object is a 404', async () => {
  const first = await ask(`objects/${one.id}/versions/?limit=2`)
  assert.deepEqual(first.body.versions, ['2024-01-01T00:00:00.000Z', '2024-02-01T00:00:00.5Z'])
  assert.equal(first.body.more, true)
  const second = await ask(`objects/${one.id}/versions/?limit=2&next=${first.body.next}`)
  assert.deepEqual(second.body, { more: false, versions: ['2024-03-01T00:00:00.000Z'] })
  assert.equal((await corvus.ask(`${path}objects/${stixObject().id}/versions/`)).status, 404)
})

test('3.5: more states whether there are more objects, and next leads to them, whatever the page size', async () => {
  const first = await ask('objects/?limit=2')
  assert.deepEqual(first.body.objects, CURRENT.slice(0, 2))
  assert.equal(first.body.more, true)
  const second = await ask(`objects/?limit=3&next=${first.body.next}`)
  assert.deepEqual(second.body.objects, CURRENT.slice(2, 5))
  const last = await ask(`objects/?limit=3&next=${second.body.next}`)
  assert.deepEqual(last.body, { more: false, objects: [old] })
  for (const [rest, list] of [
    ['objects/?limit=6', 'objects'],
    ['manifest/?limit=6', 'objects'],
    [`objects/${one.id}/versions/?limit=3`, 'versions'],
  ] as const) {
    const { body } = await ask(rest)
    assert.deepEqual([body[list].length, body.more, body.next], [list === 'versions' ? 3 : 6, false, undefined], rest)
  }
})

test('3.5: a client can also continue from the date of the last object', async () => {
  const found: unknown[] = []
  for (let after = ''; ; ) {
    const { body, headers } = await ask(`objects/?limit=1&added_after=${after}`)
    found.push(...(body.objects ?? []))
    if (!body.more) break
    after = String(headers['x-taxii-date-added-last'])
  }
  assert.deepEqual(found, CURRENT)
})

test('3.4: limit is a number from 1, and larger ones are reduced to the maximum', async () => {
  assert.equal((await objects('?limit=99999999999999999999')).length, CURRENT.length)
  for (const limit of ['0', '-1', '1.5', 'x', '1&limit=2', '0x10', '1e3']) {
    const { status, body } = await corvus.ask(`${path}objects/?limit=${limit}`)
    assert.deepEqual([status, body.http_status], [400, '400'], limit)
  }
})

test('3.4: invalid parameters are a 400 that names all of them', async () => {
  for (const query of [
    'added_after=yesterday',
    `added_after=${added[0]}&added_after=${added[1]}`,
    'match[type]=tool&match[type]=malware',
    'match[type]=',
    'match[type]=tool,,malware',
    'match[version]=newest',
    'match[version]=all,first',
    'match[version]=last,last',
    'match[version]=all,2024-01-01T00:00:00Z',
    'match[name]=x',
    'match[]=x',
    'match[id]=%00',
    'next=nonsense',
  ]) {
    const { status, body } = await corvus.ask(`${path}objects/?${query}`)
    assert.deepEqual([status, body.title, body.http_status], [400, 'Bad Request', '400'], query)
  }
  const { body } = await corvus.ask(`${path}manifest/?limit=0&added_after=x&match[color]=red`)
  assert.equal(body.details.faults.length, 3)
})

test('3.5: next carries its query: omitted options are taken from it, and different ones are a 400', async () => {
  const other = await corvus.publish('Another')
  const { next } = (await ask('objects/?limit=1&match[type]=tool,indicator')).body
  const rest = await ask(`objects/?match[type]=tool,indicator&next=${next}`)
  for (const query of ['', 'limit=1000&', 'added_after=&', 'match[type]=indicator,tool&']) {
    const { status, body } = await ask(`objects/?${query}next=${next}`)
    assert.deepEqual([status, body], [200, rest.body], query)
  }
  for (const refused of [
    `${path}objects/?match[type]=tool&next=${next}`,
    `${path}objects/?match[version]=all&next=${next}`,
    `${path}manifest/?match[type]=tool,indicator&next=${next}`,
    `${path}objects/${three.id}/?match[type]=tool,indicator&next=${next}`,
    `collections/${other.id}/objects/?match[type]=tool,indicator&next=${next}`,
    `${path}objects/?match[type]=tool,indicator&next=${next}x`,
    `${path}objects/?match[type]=tool,indicator&next=${next.slice(0, -4)}`,
  ]) {
    assert.equal((await corvus.ask(refused)).status, 400, refused)
  }
})

test('3.5: a client that keeps next and asks for newer objects, like OpenCTI, continues from the later of the two', async () => {
  const { feed, id } = await corvus.publish('Kept')
  const objects = Array.from({ length: 4 }, () => stixObject())
  const added: string[] = []
  for (const object of objects) added.push(...((await corvus.add(feed, [object])) as string[]))
  const { next } = (await corvus.ask(`collections/${id}/objects/?limit=2`)).body
  const seen = async (query: string) => {
    const { status, body } = await corvus.ask(`collections/${id}/objects/?next=${next}&${query}`)
    assert.equal(status, 200, JSON.stringify(body))
    return (body.objects ?? []).map((object: { id: string }) => object.id)
  }
  const ids = objects.map((object) => object.id)
  assert.deepEqual(await seen('added_after=2000-01-01T00:00:00Z'), ids.slice(2))
  assert.deepEqual(await seen(`added_after=${encodeURIComponent(added[2] ?? '')}`), ids.slice(3))
})

test('3.5: a client that drops added_after when it follows next, like OpenCTI, gets every page', async () => {
  const { feed, id } = await corvus.publish('Followed')
  await corvus.add(feed, [stixObject()])
  const [since] = (await corvus.add(feed, [stixObject()])) as [string]
  const objects = Array.from({ length: 5 }, () => stixObject())
  await corvus.add(feed, objects)
  const seen: string[] = []
  let query = `added_after=${since}&match[version]=all&limit=2`
  for (let page = 0; page < 3; page++) {
    const { status, body } = await corvus.ask(`collections/${id}/objects/?${query}`)
    assert.equal(status, 200, JSON.stringify(body))
    seen.push(...body.objects.map((object: { id: string }) => object.id))
    assert.equal(body.more, page < 2)
    query = `limit=2&next=${body.next}`
  }
  assert.deepEqual(
    seen,
    objects.map((object) => object.id),
  )
})

test('a GET with a body is answered like one without', async () => {
  for (const [type, body] of [
    ['application/json', 'null'],
    ['text/csv', 'a,b'],
    [TAXII, '{}'],
  ] as const) {
    const { status } = await corvus.ask(`${path}objects/`, { body, headers: { 'content-type': type } })
    assert.equal(status, 200, type)
  }
})
