import assert from 'node:assert/strict'
import { test } from 'node:test'
import { entitiesOf, type Item, makeFeed, publisherUrl, runOf, served } from '../../../../test/set-up/incoming-feeds.ts'

const item = (id: string, title: string, content: string, more = '') =>
  `<item><guid>${id}</guid><title>${title}</title><link>https://blog.test/${id}</link>
   <pubDate>Tue, 02 Jan 2024 03:04:05 GMT</pubDate><description>${content}</description>${more}</item>`
const rss = (...items: string[]) => `<?xml version="1.0"?><rss version="2.0"><channel>${items.join('')}</channel></rss>`

const reportsOf = async (feed: { id: number; source: string }) => {
  const entities = await entitiesOf(feed)
  return new Map(entities.map(({ id, data, meta }: Item) => [(data as Item).title, { id, data, meta } as Item]))
}

test('the report of an article has its link and date, and is updated when the article changes', async () => {
  const transport = { transport_type: 'rss', transport_configuration: { url: `${publisherUrl}/blog` } }
  served.set('/blog', { content: rss(item('a', 'First', 'at one.example.com'), item('b', 'Second', 'quiet')) })
  const feed = await makeFeed('', transport)
  const run = await runOf(feed)
  assert.equal(run.state, 'SUCCESS', run.error_detail)
  const before = await reportsOf(feed)
  assert.deepEqual([...before.keys()].sort(), ['First', 'Second'])
  assert.partialDeepStrictEqual(before.get('First')?.data, {
    published: '2024-01-02T03:04:05.000Z',
    timestamp: '2024-01-02T03:04:05.000Z',
    external_references: [{ source_name: 'blog.test', url: 'https://blog.test/a' }],
  })

  served.set('/blog', {
    content: rss(item('a', 'First, corrected', 'at two.example.com'), item('b', 'Second', 'quiet')),
  })
  assert.partialDeepStrictEqual((await runOf(feed)).result, { fetched: 1, new: 1, entities: { updated: 1 } })
  const after = await reportsOf(feed)
  assert.deepEqual([...after.keys()].sort(), ['First, corrected', 'Second'])
  assert.equal(after.get('First, corrected')?.id, before.get('First')?.id, 'it is the same report')
  assert.deepEqual(after.get('Second'), before.get('Second'))

  served.set('/blog', { content: rss(item('a', 'First', 'at one.example.com'), item('b', 'Second', 'quiet')) })
  assert.partialDeepStrictEqual((await runOf(feed)).result, { fetched: 1, new: 1, entities: { updated: 1 } })
  assert.deepEqual([...(await reportsOf(feed)).keys()].sort(), ['First', 'Second'], 'it may go back to what it said')

  served.set('/blog', { content: `${rss(item('a', 'First', 'at one.example.com'), item('b', 'Second', 'quiet'))}\n` })
  assert.partialDeepStrictEqual((await runOf(feed)).result, { fetched: 0, new: 0 }, 'what says the same is not taken')
})

test('articles of the same name in two feeds stay two reports', async () => {
  const feeds = []
  for (const path of ['/here', '/there']) {
    served.set(path, { content: rss(item('same', `Of ${path}`, 'x')) })
    feeds.push(
      await makeFeed('', { transport_type: 'rss', transport_configuration: { url: `${publisherUrl}${path}` } }),
    )
  }
  for (const feed of feeds) await runOf(feed)
  const titles = await Promise.all(feeds.map(async (feed) => [...(await reportsOf(feed)).keys()]))
  assert.deepEqual(titles, [['Of /here'], ['Of /there']])
})
