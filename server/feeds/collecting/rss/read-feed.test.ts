import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, before, beforeEach, test } from 'node:test'
import { type Collected, startCollecting } from '../../../../test/set-up/collecting.ts'
import { startServer } from '../../../../test/set-up/hostile-server.ts'
import { documentOf } from '../../../formats/document.ts'
import { readHtml } from '../../../formats/text/read-html.ts'

const { collect, stop } = startCollecting()
let server: Awaited<ReturnType<typeof startServer>>
let feed = ''

const rss = (...items: string[]) =>
  `<?xml version="1.0"?><rss version="2.0" xmlns:content="http://purl.org/rss/1.0/modules/content/"
    xmlns:atom="http://www.w3.org/2005/Atom" xmlns:media="http://search.yahoo.com/mrss/"><channel><title>Blog</title>
    <atom:link href="https://blog.test/feed" rel="self"/>${items.join('')}</channel></rss>`
const item = (number: number, more = '') =>
  `<item><title>Post ${number}</title><link>/posts/${number}</link><guid isPermaLink="false">id-${number}</guid>${more}</item>`
const namesOf = (pieces: readonly Collected[]) => pieces.map(({ name }) => name)

/** The report that a piece becomes. */
async function reportOf(piece: Collected | undefined) {
  const [finding] = await Array.fromAsync(readHtml(documentOf(piece?.text ?? '', piece?.name)))
  assert.ok(finding?.kind === 'entity')
  const { data, observables = [] } = finding.entity
  const [title, timestamp, description] = [data.title, data.timestamp, data.description].map(String)
  return { title, timestamp, description, values: observables.map(({ value }) => value) }
}

before(async () => {
  server = await startServer(({ url, headers }, response) => {
    const etag = `"${createHash('sha256').update(feed).digest('hex')}"`
    if (url === '/posts/1')
      response.setHeader('content-type', 'text/html').end('<title>Page 1</title><p>bad.example.net')
    else if (url === '/posts/2') response.writeHead(500).end()
    else if (headers['if-none-match'] === etag) response.writeHead(304).end()
    else response.setHeader('etag', etag).end(feed)
  })
})

beforeEach(() => {
  feed = rss(item(2), item(1))
  server.asked.length = 0
})

after(async () => {
  await stop()
  await server.stop()
})

test('each article is fetched once, oldest first, and an unchanged feed is not read', async () => {
  const { url } = server
  const first = await collect('rss', { url })
  assert.deepEqual(namesOf(first.pieces), ['Post 1', 'Post 2'])
  const same = await collect('rss', { url }, { cursor: first.cursor })
  assert.deepEqual([same.pieces, same.log], [[], ['The feed has not changed.']])
  feed = rss(item(3), item(2))
  const later = await collect('rss', { url }, { cursor: first.cursor })
  assert.deepEqual(namesOf(later.pieces), ['Post 3'])
  feed = rss(item(3), item(2), item(1), '<x/>')
  assert.deepEqual((await collect('rss', { url }, { cursor: later.cursor })).pieces, [])
})

test('an article is fetched again when its content changes, but not when only the feed changes', async () => {
  const { url } = server
  const first = await collect('rss', { url })
  feed = rss(item(2, '<description>more</description>'), item(1), '<x/>')
  const changed = await collect('rss', { url }, { cursor: first.cursor })
  assert.deepEqual(namesOf(changed.pieces), ['Post 2'])
  assert.deepEqual((await collect('rss', { url }, { cursor: changed.cursor })).pieces, [])
})

test('articles that were read before content hashes were stored are not fetched again', async () => {
  const { url } = server
  const { cursor } = await collect('rss', { url })
  const ids = String(cursor?.articles)
    .match(/.{22}/g)
    ?.map((pair) => pair.slice(0, 11))
  const { articles: _, etag: _etag, ...rest } = cursor ?? {}
  const again = await collect('rss', { url }, { cursor: { ...rest, seen: ids?.join('') } })
  assert.deepEqual(again.pieces, [])
  feed = rss(item(2, '<description>more</description>'), item(1))
  assert.deepEqual(namesOf((await collect('rss', { url }, { cursor: again.cursor })).pieces), ['Post 2'])
})

test('an interrupted run reads the feed again and fetches what it has not stored', async () => {
  const { url } = server
  const { cursor } = await collect('rss', { url }, { breaksAfter: 1 })
  const rest = await collect('rss', { url }, { cursor })
  assert.deepEqual(namesOf(rest.pieces), ['Post 2'])
})

test('an article becomes a page that gives a report its title, link, time and content without extra observables', async () => {
  feed = rss(
    item(
      7,
      `<pubDate>Tue, 02 Jan 2024 03:04:05 GMT</pubDate><description>short</description><media:title>No</media:title>
       <content:encoded><![CDATA[<p>Beacons to <b>evil[.]example.com</b></p><script>no.example.org</script>]]></content:encoded>`,
    ).replace('Post 7', 'Post &lt;7&gt; &amp; more'),
  )
  const { pieces } = await collect('rss', { url: server.url })
  const report = await reportOf(pieces[0])
  assert.equal(report.title, 'Post <7> & more')
  assert.equal(report.timestamp, '2024-01-02T03:04:05.000Z')
  assert.match(report.description ?? '', /^Link: http:\/\/127\.0\.0\.1:\d+\/posts\/7\n/)
  assert.match(report.description ?? '', /Beacons to evil\[\.\]example\.com/)
  assert.deepEqual(report.values, ['evil.example.com'])
  assert.equal(pieces[0]?.contentType, 'text/html; charset=utf-8')
})

test('Atom and RSS 1.0 are read', async () => {
  feed = `<feed xmlns="http://www.w3.org/2005/Atom"><title>A</title>
    <entry><id>urn:1</id><title type="html">One</title><updated>2024-05-06T07:08:09+02:00</updated>
      <link rel="self" href="/self"/><link href="https://blog.test/1"/>
      <content type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml">at <i>one.example.com</i></div></content></entry>
    <entry><id>urn:2</id><title>Two</title><summary type="text">1 &lt; 2</summary></entry></feed>`
  const atom = await collect('rss', { url: server.url })
  assert.deepEqual(namesOf(atom.pieces), ['Two', 'One'])
  assert.match((await reportOf(atom.pieces[0])).description ?? '', /1 < 2/)
  const one = await reportOf(atom.pieces[1])
  assert.equal(one.timestamp, '2024-05-06T05:08:09.000Z')
  assert.match(one.description ?? '', /^Link: https:\/\/blog\.test\/1\nOne\nat one\.example\.com/)
  feed = `<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/"
    xmlns:dc="http://purl.org/dc/elements/1.1/"><channel><title>C</title></channel>
    <item rdf:about="x"><title>Three</title><link>https://blog.test/3</link><dc:date>2024-01-01</dc:date></item></rdf:RDF>`
  const rdf = await collect('rss', { url: server.url })
  assert.equal((await reportOf(rdf.pieces[0])).timestamp, '2024-01-01T00:00:00.000Z')
})

test('pages are fetched if configured, and an article whose page fails is used as the feed has it', async () => {
  const { pieces, log } = await collect('rss', { url: `${server.url}/feed`, fetch_articles: true, token: 't' })
  assert.deepEqual(
    pieces.map(({ text }) => text.includes('Page 1')),
    [true, false],
  )
  assert.match(pieces[1]?.text ?? '', /<title>Post 2<\/title>/)
  assert.match(log.join(), /The page of the article "Post 2" was not fetched: .*500/)
  assert.deepEqual(
    server.asked.map(({ headers }) => headers.authorization),
    ['Bearer t', 'Bearer t', 'Bearer t'],
  )
})

test('after ten failed pages, articles are used as the feed has them', async () => {
  feed = rss(...Array.from({ length: 15 }, (_, at) => item(100 + at).replace(/\/posts\/\d+/, '/posts/2')))
  const { pieces, log } = await collect('rss', { url: `${server.url}/feed`, fetch_articles: true })
  assert.deepEqual([pieces.length, log.length, server.asked.length], [15, 10, 11])
})

test('no page is fetched from an address that must not be called', async () => {
  feed = rss(item(1).replace('/posts/1', 'http://169.254.169.254/'), item(2).replace('/posts/2', 'file:///etc/passwd'))
  const { pieces, log } = await collect('rss', { url: `${server.url}/feed`, fetch_articles: true })
  assert.equal(pieces.length, 2)
  assert.equal(log.length, 1)
  assert.match(log[0] ?? '', /169\.254\.169\.254 is not a public address/)
})

test('articles without an id are identified by their link or content', async () => {
  feed = rss('<item><link>/a</link></item><item><title>T</title></item><item><title>U</title></item><item/>')
  const { pieces, cursor } = await collect('rss', { url: server.url })
  assert.equal(pieces.length, 4)
  feed += ' '
  assert.deepEqual((await collect('rss', { url: server.url }, { cursor })).pieces, [])
})

test('a document that is not a feed, or a hostile one, is refused', async () => {
  for (const text of [
    '<html><body/></html>',
    'no xml',
    '<!DOCTYPE r [<!ENTITY x SYSTEM "file:///etc/passwd">]><rss><channel><item><title>&x;</title></item></channel></rss>',
    `<rss>${'<a>'.repeat(300)}`,
  ]) {
    feed = text
    await assert.rejects(collect('rss', { url: server.url }), { kind: 'malformed' })
  }
  feed = rss('<item/>'.repeat(10_001))
  await assert.rejects(collect('rss', { url: server.url }), { kind: 'too-large' })
})
