import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startCollecting } from '../../../test/set-up/collecting.ts'
import { corvus, download, makeFeed, ok, person, writeBlock } from '../../../test/set-up/outgoing-feeds.ts'

const group = await ok('POST', 'groups', { name: 'Firewalls' })

test('the newest block of a feed is served at a stable address, like the block itself', async () => {
  const feed = await makeFeed()
  const paths = [
    `outgoing-feeds/${feed.id}/latest/content`,
    `/private/outgoing-feed-download/${feed.id}/latest/content`,
  ]
  for (const path of paths) {
    const { status, text } = await download(path)
    assert.equal(status, 404)
    assert.match(text, /The feed has not published anything yet/)
  }
  await writeBlock(feed.id, 'value\r\nold\r\n')
  const newest = await writeBlock(feed.id, 'value\r\nnew\r\n', { signature: 'SIGNED' })
  for (const path of paths) {
    const { status, text, headers } = await download(path)
    assert.deepEqual([status, text], [200, 'value\r\nnew\r\n'])
    assert.equal(headers['content-type'], 'text/csv; charset=utf-8; header=present')
    assert.match(String(headers.etag), /^"[0-9a-f]{64}"$/)
    assert.match(String(headers['last-modified']), /^\w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT$/)
    const again = async (more: Record<string, string>) => (await download(path, corvus.admin, more)).status
    assert.equal(await again({ 'if-none-match': String(headers.etag) }), 304)
    assert.equal(await again({ 'if-none-match': '"other"' }), 200)
    assert.equal(await again({ 'if-modified-since': String(headers['last-modified']) }), 304)
    assert.equal(await again({ 'if-modified-since': 'Mon, 01 Jan 2001 00:00:00 GMT' }), 200)
    assert.equal(await again({ 'if-modified-since': 'nonsense' }), 200)
    assert.equal(
      await again({ 'if-none-match': '"other"', 'if-modified-since': String(headers['last-modified']) }),
      200,
      'a tag counts more than a date',
    )
    assert.equal(await again({ range: 'bytes=0-3' }), 206)
    const head = await corvus.app.inject({
      method: 'HEAD',
      url: path.startsWith('/') ? path : `/api/v2/${path}`,
      headers: { authorization: `Bearer ${corvus.admin}` },
    })
    assert.deepEqual([head.statusCode, head.body, head.headers.etag], [200, '', headers.etag])
    assert.equal((await download(path.replace('content', 'signature'))).text, 'SIGNED')
  }
  assert.ok(
    (await ok('GET', `outgoing-feeds/${feed.id}`)).transport_access_details.latest_content_url.endsWith(paths[0]),
  )
  await ok('DELETE', `content-blocks/${newest}`)
  assert.equal((await download(paths[0] ?? '')).text, 'value\r\nold\r\n', 'what was purged is not served')
  await ok('POST', `outgoing-feeds/${feed.id}/restart`)
  assert.equal((await download(paths[0] ?? '')).status, 404, 'the next run sends everything')
})

test('only users who may download the newest block can read it', async () => {
  const feed = await makeFeed({ authorised_groups: [group.id] })
  await writeBlock(feed.id, 'x')
  const path = `outgoing-feeds/${feed.id}/latest/content`
  const compatible = `/private/outgoing-feed-download/${feed.id}/latest/content`
  const member = await person(['Firewalls'])
  const other = await person(['Default'])
  assert.deepEqual([(await download(path, member)).status, (await download(path, other)).status], [200, 404])
  assert.deepEqual(
    [(await download(compatible, member)).status, (await download(compatible, other)).status],
    [200, 404],
  )
  const without = await person(['Firewalls'], ['read outgoing-feeds'])
  assert.deepEqual([(await download(path, without)).status, (await download(compatible, without)).status], [403, 200])
  for (const id of ['0', 'x', '999999', ''])
    assert.equal((await download(`outgoing-feeds/${id}/latest/content`)).status, 404)
})

test('a feed of another installation downloads it once for each version', async () => {
  const feed = await makeFeed()
  const address = await corvus.app.listen({ port: 0, host: '127.0.0.1' })
  const { collect, stop } = startCollecting()
  const configuration = { url: `${address}/api/v2/outgoing-feeds/${feed.id}/latest/content`, token: corvus.admin }
  await writeBlock(feed.id, 'value\r\none\r\n')
  const first = await collect('http-download', configuration)
  assert.deepEqual(
    first.pieces.map(({ name, text }) => [name, text]),
    [['block.csv', 'value\r\none\r\n']],
  )
  const same = await collect('http-download', configuration, { cursor: first.cursor })
  assert.deepEqual([same.pieces, same.log], [[], ['The document has not changed.']])
  await writeBlock(feed.id, 'value\r\ntwo\r\n')
  const later = await collect('http-download', configuration, { cursor: first.cursor })
  assert.equal(later.pieces[0]?.text, 'value\r\ntwo\r\n')
  await stop()
})
