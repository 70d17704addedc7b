import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { refangQuery } from '../../server/domain/typed-query.ts'
import { startApp } from '../app.ts'

let corvus: Awaited<ReturnType<typeof startApp>>

before(async () => {
  corvus = await startApp()
  const titled = (title: string, tags: string[] = []) => ({ data: { type: 'report', title }, meta: { tags } })
  const { status } = await corvus.call('PUT', 'entities', [
    titled('osprey among many other birds of prey'),
    titled('osprey osprey osprey'),
    titled('kite'),
    titled('osprey and kite'),
    titled('a hawk', ['kite']),
    ...Array.from({ length: 30 }, (_, i) => titled(`osprey ${'some other birds here '.repeat(i + 1)}`)),
  ])
  assert.equal(status, 201)
})
after(() => corvus.stop())

const titles = async (query: string, sort = '-_score', limit = 100): Promise<string[]> => {
  const { status, body } = await corvus.call(
    'GET',
    `entities?limit=${limit}&sort=${sort}&query=${encodeURIComponent(query)}`,
  )
  assert.equal(status, 200, JSON.stringify(body))
  return body.data.map(({ data }: { data: { title: string } }) => data.title)
}

test('the best matches come first, and boosts affect the score', async () => {
  const [first] = await titles('osprey')
  assert.equal(first, 'osprey osprey osprey')
  assert.equal((await titles('osprey kite^100'))[0]?.includes('kite'), true)
  assert.equal((await titles('osprey^100 hawk'))[0], 'osprey osprey osprey')
  assert.equal((await titles('osprey', '_score')).at(-1), 'osprey osprey osprey')
})

test('pages by score return every row once', async () => {
  const all = await titles('osprey OR kite')
  const walked: string[] = []
  let cursor = ''
  do {
    const { body } = await corvus.call('GET', `entities?limit=7&sort=-_score&query=osprey OR kite${cursor}`)
    walked.push(...body.data.map(({ data }: { data: { title: string } }) => data.title))
    cursor = body.cursor ? `&page[cursor]=${body.cursor}` : ''
  } while (cursor)
  assert.deepEqual(walked, all)
  assert.equal(all.length, 35)
})

test('titles that equal the typed text come first, then titles that contain it, then descriptions, on all pages', async () => {
  const entity = (title: string, description: string, alias?: string) => ({
    data: { type: 'intrusion-set', title, description },
    meta: { tags: ['gannets'], ...(alias && { alias }) },
  })
  const mentions = 'The gannet, a gannet and once more: the GANNET. Gannet gannet gannet.'
  await corvus.call('PUT', 'entities', [
    entity('Gannet', 'Whom others call the comment crew.'),
    entity('Somebody else', mentions),
    entity('Report on Gannet and friends', 'Nothing.'),
    entity('Another one', mentions, 'The gannet alias'),
    entity('Comment crew', 'Also called gannet.'),
    entity('Last', `${mentions} comment crew`),
  ])
  const within = (words: string) => `+(${words}) +tags:gannets`
  const [first, ...others] = await titles(within('gannet'))
  assert.equal(first, 'Gannet')
  assert.deepEqual(others.slice(0, 2).toSorted(), ['Another one', 'Report on Gannet and friends'])
  assert.deepEqual(others.slice(2).toSorted(), ['Comment crew', 'Last', 'Somebody else'])
  assert.equal((await titles(within('comment crew')))[0], 'Comment crew')
  assert.equal((await titles(within('"Comment Crew"')))[0], 'Comment crew')
  assert.ok((await titles(within('ganne*'))).indexOf('Gannet') < 3)
  assert.equal((await titles(within('meta.title:gannet*')))[0], 'Gannet')
  const walked: string[] = []
  let cursor = ''
  do {
    const query = encodeURIComponent(within('gannet'))
    const { body } = await corvus.call('GET', `entities?limit=1&sort=-_score&query=${query}${cursor}`)
    walked.push(...body.data.map(({ data }: { data: { title: string } }) => data.title))
    cursor = body.cursor ? `&page[cursor]=${body.cursor}` : ''
  } while (cursor)
  assert.deepEqual(walked, [first, ...others])
})

test('a score requires a query, and a collection with scores', async () => {
  for (const path of ['entities?sort=-_score', 'tickets?sort=_score', 'tickets?query=a']) {
    assert.equal((await corvus.call('GET', path)).status, 400, path)
  }
  assert.equal((await corvus.call('GET', 'entities?query=a&query=b')).status, 400)
})

test('observables and relationships are searched too', async () => {
  const made = await corvus.call('PUT', 'entities', [
    { data: { type: 'malware', title: 'one' }, observables: [{ type: 'domain', value: 'Gull.example' }] },
    { data: { type: 'tool', title: 'two' }, observables: [{ type: 'ipv4', value: '10.1.2.3' }] },
  ])
  const [one, two] = made.body.data
  await corvus.call('PUT', 'relationships', [
    {
      data: { source: one.id, target: two.id, key: 'uses', description: 'The gull uses the second, often.' },
      sources: one.sources,
    },
  ])
  const total = async (path: string, query: string) =>
    (await corvus.call('GET', `${path}?query=${encodeURIComponent(query)}`)).body.total_count
  const expected: [string, string, number][] = [
    ['observables', 'GULL.example', 1],
    ['observables', 'value:gull* AND type:domain', 1],
    ['observables', 'value:10.1.2.* OR value:gull.example', 2],
    ['observables', 'meta.maliciousness:unknown -type:domain', 1],
    ['observables', 'value:/10\\.1\\.[0-9]\\.3/', 1],
    ['observables', 'no.such:x', 0],
    ['relationships', 'key:uses', 1],
    ['relationships', 'gull', 1],
    ['relationships', 'data.description:"uses the second"', 1],
    ['relationships', 'data.source.type:malware AND data.target.type:tool', 1],
    ['relationships', 'data.source.type:tool', 0],
    ['relationships', 'created_at:[now-1h TO now+1h]', 1],
  ]
  for (const [path, query, count] of expected) assert.equal(await total(path, query), count, `${path} ${query}`)
})

test('a defanged indicator typed by a user finds the real one; the API itself accepts only queries', async () => {
  const report = { data: { type: 'report', title: 'Seen at kestrel.example' } }
  const observables = [
    'domain:kestrel.example',
    'uri:http://kestrel.example/a?b=1',
    'ipv6:2001:db8::7',
    'email:a@kestrel.example',
  ]
  const named = observables.map((text) => text.split(/:(.*)/s)).map(([type, value]) => ({ type, value }))
  await corvus.call('PUT', 'entities', [{ ...report, observables: named }])
  for (const query of [
    'kestrel[.]example',
    'hxxp[:]//kestrel[.]example/a?b=1',
    'http://kestrel.example/a?b=1',
    '2001[:]db8[:][:]7',
    'a[@]kestrel[.]example',
    'extracts.value:hxxp://kestrel[.]example/a?b=1 AND type:report',
    'type:report AND (kestrel[.]example OR nothing)',
  ]) {
    assert.deepEqual(await titles(refangQuery(query)), ['Seen at kestrel.example'], query)
  }
  for (const query of ['kestrel[.]example', 'value:2001:db8::7', 'value:hxxp[:]//kestrel[.]example/*']) {
    const { status, body } = await corvus.call('GET', `observables?query=${encodeURIComponent(refangQuery(query))}`)
    assert.deepEqual([status, body.total_count], [200, 1], query)
  }
  const refused = await corvus.call('GET', `entities?query=${encodeURIComponent('kestrel[.]example')}`)
  assert.equal(refused.status, 400)
  assert.match(refused.body[0].detail, /\(column 10\)/)
})
