import assert from 'node:assert/strict'
import { test } from 'node:test'
import { corvus, jobOf } from '../../../test/publishing/set-up.ts'
import { unifying } from '../../../test/set-up/exported-unified.ts'
import { type Json, makeFeed, makeGroupOfTwo, north, publish, shown } from '../../../test/set-up/unified-feeds.ts'
import { taxiiOf } from '../../../test/taxii.ts'
import { outgoingFeed } from './outgoing-feed.ts'

const { entity, join, part, relate } = unifying(corvus)
const { ask } = taxiiOf(corvus)

const APART = ['one', 'one uses tool', 'tool', 'two', 'two uses tool']

test('APPEND revokes what a unified entity replaces, and sends it again when this is taken apart', async () => {
  const set = await makeGroupOfTwo()
  const feed = await makeFeed(set, { consolidation: 'unified', update_strategy: 'APPEND' })
  const run = async () => shown((await publish(feed))[0], set)
  assert.deepEqual(await run(), APART)
  const unified = await set.unify()
  assert.deepEqual(await run(), ['-one', '-one uses ?', '-two', '-two uses ?', 'unified', 'unified uses ?'])
  assert.deepEqual(await run(), [])
  await part(unified)
  assert.deepEqual(await run(), ['-unified', '-unified uses ?', 'one', 'one uses ?', 'two', 'two uses ?'].sort())
})

test('APPEND of both tells which contributors were added to a unified entity, and which left it', async () => {
  const set = await makeGroupOfTwo()
  const feed = await makeFeed(set, { consolidation: 'all', update_strategy: 'APPEND' })
  const run = async () => shown((await publish(feed))[0], set)
  assert.deepEqual(await run(), APART)
  const unified = await set.unify()
  assert.deepEqual(await run(), ['unified', 'unified derived-from ?', 'unified derived-from ?'])
  await corvus.pool.query('delete from contributors where entity = $1', [set.two.id])
  assert.deepEqual(await run(), ['-? derived-from ?'])
  await join(unified, [set.two])
  assert.deepEqual(await run(), ['? derived-from ?'])
})

test('DIFF deletes the rows of replaced entities and adds that of the unified one, and back', async () => {
  const content_type = 'urn:eclecticiq.com:csv-entities:1.0'
  const set = await makeGroupOfTwo()
  const feed = await makeFeed(set, { consolidation: 'unified', update_strategy: 'DIFF', content_type })
  const run = async () =>
    (await publish(feed)).flatMap((text) =>
      text
        .split('\r\n')
        .slice(1)
        .flatMap((line) => {
          const found = /^(add|del),.*?Set \d+ (\w+)/.exec(line)
          return found ? [`${found[1]} ${found[2]}`] : []
        }),
    )
  assert.deepEqual((await run()).sort(), ['add one', 'add tool', 'add two'])
  const unified = await set.unify()
  assert.deepEqual((await run()).sort(), ['add unified', 'del one', 'del two'])
  assert.deepEqual(await run(), [])
  await part(unified)
  assert.deepEqual((await run()).sort(), ['add one', 'add two', 'del unified'])
})

test('a row of an observable is moved to the unified entity', async () => {
  const content_type = 'urn:eclecticiq.com:csv-extracts:1.0'
  const set = await makeGroupOfTwo({ observables: [{ type: 'domain', value: 'moved.example' }] })
  const feed = await makeFeed(set, { consolidation: 'unified', update_strategy: 'DIFF', content_type })
  const held = new Set<string>()
  const run = async () => {
    const lines = (await publish(feed)).flatMap((text) => text.split('\r\n').slice(1))
    for (const line of lines) {
      if (line.startsWith('add,')) held.add(line.slice(4))
      // A row of another entity with the same value is sent again, for consumers that go by the value alone.
      else if (line.startsWith('del,')) assert.ok(held.delete(line.slice(4)), line)
    }
  }
  await run()
  assert.equal(held.size, 3)
  const unified = await set.unify()
  await run()
  assert.equal(held.size, 2)
  const of = ({ id }: { readonly id: string }) => [...held].filter((row) => row.includes(id)).length
  assert.deepEqual([set.one, set.two, set.tool, unified].map(of), [0, 0, 1, 1])
})

test('JSON with APPEND sends a unified entity with its relationships when it comes to be', async () => {
  for (const [content_type, relationships] of [
    ['urn:eclecticiq.com:json:3.2', 'relationships'],
    ['urn:eclecticiq.com:json:2.0', 'relations'],
  ] as const) {
    const set = await makeGroupOfTwo()
    const feed = await makeFeed(set, { consolidation: 'unified', update_strategy: 'APPEND', content_type })
    const run = async () => {
      const [text] = await publish(feed)
      const { entities = [], [relationships]: links = [] } = text === undefined ? {} : JSON.parse(text)
      return [entities.map(({ data }: Json) => set.short(data.title)).sort(), links.length]
    }
    assert.deepEqual(await run(), [['one', 'tool', 'two'], 2])
    await set.unify()
    assert.deepEqual(await run(), [['unified'], 1])
    assert.deepEqual(await run(), [[], 0])
  }
})

test('STIX 1.2 sends an entity again whose relationship leads to a unified one', async () => {
  const set = await makeGroupOfTwo()
  const report = await entity(north, 'report', 'Sighted')
  await relate(report, 'ttps', set.one, north)
  const { status } = await corvus.call('PUT', `entities/${report.id}/datasets/${set.dataset}`)
  assert.ok(status < 300)
  const content_type = 'urn:stix.mitre.org:xml:1.2'
  const feed = await makeFeed(set, { consolidation: 'unified', update_strategy: 'APPEND', content_type })
  const [first = ''] = await publish(feed)
  assert.ok(first.includes(set.one.data.id.split('--')[1] ?? ''))
  const unified = await set.unify()
  const [second = ''] = await publish(feed)
  assert.ok(second.includes('Sighted') && !second.includes(`${set.short('')}one<`))
  assert.ok(second.split(unified.data.id.split('--')[1] ?? '?').length > 2, 'no reference to it')
})

test('a collection replaces contributors by their unified entity, and shows what was added since', async () => {
  for (const update_strategy of ['REPLACE', 'APPEND']) {
    const set = await makeGroupOfTwo()
    const feed = await makeFeed(set, { consolidation: 'unified', update_strategy, transport_type: 'taxii2' })
    const path = new URL(feed.transport_access_details.collection_url).pathname
    const read = async (query = '') => {
      const { body } = await ask(`${path}objects/?${query}`)
      return shown(JSON.stringify({ objects: body.objects ?? [] }), set)
    }
    await outgoingFeed.run(jobOf(feed.id))
    assert.deepEqual(await read(), APART)
    const { headers } = await ask(`${path}objects/`)
    const since = `added_after=${headers['x-taxii-date-added-last']}`
    const unified = await set.unify()
    await outgoingFeed.run(jobOf(feed.id))
    const isKept = update_strategy === 'APPEND'
    const replaced = isKept ? ['-one', '-one uses tool', '-two', '-two uses tool'] : []
    assert.deepEqual(await read(), [...replaced, 'tool', 'unified', 'unified uses tool'])
    assert.ok((await read(since)).includes('unified'))
    await part(unified)
    await outgoingFeed.run(jobOf(feed.id))
    assert.deepEqual((await read('match[type]=malware')).sort(), isKept ? ['-unified', 'one', 'two'] : ['one', 'two'])
  }
})
