import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startApp } from '../../test/app.ts'

let corvus: Awaited<ReturnType<typeof startApp>>
/** URLs of sources that the caller sees in full, although another group or feed owns them. */
const foreign: Record<'group' | 'feed', string> = { group: '', feed: '' }
let own = ''

before(async () => {
  corvus = await startApp()
  const group = (await corvus.call('POST', 'groups', { name: 'Others' })).body.data
  const feed = (
    await corvus.call('POST', 'incoming-feeds', {
      name: 'Feed',
      content_type: 'urn:oasis:stix:json:2.1',
      transport_type: 'eiq.incoming-transports.http-download',
      transport_configuration: { url: 'https://feed.example/' },
      is_active: false,
    })
  ).body.data
  foreign.group = group.source
  foreign.feed = feed.source
  const [mine] = (await corvus.call('GET', 'groups?filter[name]=Default')).body.data
  own = mine.source
  const sources = [...mine.sources, `${group.source}?allowed_tlp=RED`]
  assert.equal((await corvus.call('PATCH', `groups/${mine.id}`, { data: { sources } })).status, 200)
})
after(() => corvus.stop())

const entity = (title: string) => ({ data: { type: 'malware', title } })

for (const kind of ['group', 'feed'] as const) {
  test(`the source of another ${kind} cannot be assigned to anything`, async () => {
    const sources = [foreign[kind]]
    const ends = (await corvus.call('PUT', 'entities', [entity('From'), entity('To')])).body.data
    const data = { source: ends[0].id, target: ends[1].id, key: 'targets' }
    const observable = { type: 'domain', value: `${kind}.example` }
    const known = (await corvus.call('POST', 'observables', { ...observable, value: `known.${observable.value}` })).body
    const related = (await corvus.call('POST', 'relationships', { data, sources: [own] })).body
    const file = { name: 'list.txt', data: Buffer.from(kind).toString('base64'), process: false }
    const kept = (await corvus.call('POST', 'files', { ...file, name: 'kept.txt' })).body
    const writes = [
      ['POST', 'entities', { ...entity('New'), sources }],
      ['PUT', 'entities', [entity('Fine'), { ...entity('New'), sources }]],
      ['PATCH', `entities/${ends[0].id}`, { data: { sources } }],
      ['POST', '/private/entities/', { ...entity('New'), sources: [{ source_id: sources[0]?.split('/').at(-1) }] }],
      ['POST', 'relationships', { data: { ...data, key: 'uses' }, sources }],
      ['PUT', 'relationships', [{ data, sources: [own, ...sources] }]],
      ['PATCH', `relationships/${related.data.id}`, { data: { sources } }],
      ['POST', 'observables', { ...observable, sources }],
      ['PUT', 'observables', [{ ...observable, sources: [own, ...sources] }]],
      ['PATCH', `observables/${known.data.id}`, { data: { sources } }],
      ['POST', 'files', { ...file, source: sources[0] }],
      ['PATCH', `files/${kept.data.id}`, { data: { source: sources[0] } }],
    ] as const
    for (const [method, path, body] of writes) {
      const answer = await corvus.call(method, path, body)
      assert.equal(answer.status, 403, `${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`)
      assert.match(answer.body[0].detail, /is not the source of one of your groups$/)
    }
    const { rowCount } = await corvus.pool.query('select from observables where value = $1', [observable.value])
    assert.equal(rowCount, 0, 'a rejected write leaves nothing behind')
  })
}

test('an object of a foreign source can be changed if its sources stay the same', async () => {
  const token = await corvus.tokenFor('all')
  const user = (await corvus.call('GET', 'users/self', undefined, token)).body.data
  const [theirs] = (await corvus.call('GET', 'groups?filter[name]=Others')).body.data
  const joined = { users: [user.id], sources: [`${foreign.group}?allowed_tlp=RED`] }
  assert.equal((await corvus.call('PATCH', `groups/${theirs.id}`, { data: joined })).status, 200)
  const sources = [foreign.group]
  const observables = [{ type: 'domain', value: 'theirs.example' }]
  const made = await corvus.call('POST', 'entities', { ...entity('Theirs'), sources, observables }, token)
  assert.equal(made.status, 201, JSON.stringify(made.body))
  const read = (await corvus.call('GET', `entities/${made.body.data.id}`)).body.data
  const changed = await corvus.call('PUT', 'entities', [{ ...read, data: { ...read.data, title: 'Changed' } }])
  assert.deepEqual([changed.status, changed.body.data?.[0].sources], [200, sources])
  const [url] = read.observables
  const id = url.split('/').at(-1)
  const observable = (await corvus.call('GET', `observables/${id}`)).body.data
  const again = await corvus.call('PUT', 'observables', [{ ...observable, entities: undefined }])
  assert.deepEqual([again.status, again.body.data?.[0].sources], [200, sources])
})

test('an entity of a foreign source keeps it when a PUT names no source', async () => {
  const token = await corvus.tokenFor('all')
  const user = (await corvus.call('GET', 'users/self', undefined, token)).body.data
  const [theirs] = (await corvus.call('GET', 'groups?filter[name]=Others')).body.data
  await corvus.call('PATCH', `groups/${theirs.id}`, { data: { users: [user.id] } })
  const made = await corvus.call('POST', 'entities', { ...entity('Kept'), sources: [foreign.group] }, token)
  const { id, type } = made.body.data.data
  const changed = await corvus.call('PUT', 'entities', [{ data: { id, type, title: 'Changed' } }])
  assert.deepEqual([changed.status, changed.body.data?.[0].sources], [200, [foreign.group]])
})
