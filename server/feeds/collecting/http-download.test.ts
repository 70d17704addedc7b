import assert from 'node:assert/strict'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { after, before, test } from 'node:test'
import { startCollecting } from '../../../test/set-up/collecting.ts'
import { startServer } from '../../../test/set-up/hostile-server.ts'

const { collect, stop } = startCollecting()
let server: Awaited<ReturnType<typeof startServer>>
let other: Awaited<ReturnType<typeof startServer>>
let version = 1

function answer({ url, headers, socket }: IncomingMessage, response: ServerResponse): void {
  const { pathname } = new URL(url ?? '', 'http://x')
  const modified = new Date(version * 1000).toUTCString()
  if (pathname === '/tagged.json') {
    const etag = `W/"${version}"`
    if (headers['if-none-match'] === etag) response.writeHead(304).end()
    else response.writeHead(200, { etag, 'content-type': 'application/json' }).end(`{"version": ${version}}`)
  } else if (pathname === '/dated.txt') {
    if (headers['if-modified-since'] === modified) response.writeHead(304).end()
    else response.writeHead(200, { 'last-modified': modified }).end(`version ${version}`)
  } else if (pathname === '/odd-tag') {
    socket.end(`HTTP/1.1 200 OK\r\nETag: "\u20ac"\r\nLast-Modified: ${'x'.repeat(2000)}\r\nContent-Length: 1\r\n\r\nx`)
  } else if (pathname === '/armored')
    response.end('-----BEGIN PGP SIGNATURE-----\n\nabc\n-----END PGP SIGNATURE-----\n')
  else if (pathname === '/binary') response.end(Buffer.of(0x88, 1, 2, 3))
  else if (pathname === '/none') response.writeHead(404).end()
  else if (pathname === '/not-modified') response.writeHead(304).end()
  else if (pathname.startsWith('/named')) {
    const disposition = decodeURIComponent(pathname.slice('/named/'.length))
    response.writeHead(200, { 'content-disposition': disposition }).end('x')
  } else response.end('plain')
}

before(async () => {
  server = await startServer(answer)
  other = await startServer(answer)
})

after(async () => {
  await stop()
  await server.stop()
  await other.stop()
})

test('each version of a document is fetched once, by its ETag or date', async () => {
  for (const path of ['tagged.json', 'dated.txt']) {
    const url = `${server.url}/${path}`
    const first = await collect('http-download', { url })
    assert.deepEqual(
      first.pieces.map(({ name }) => name),
      [path],
    )
    const again = await collect('http-download', { url }, { cursor: first.cursor })
    assert.deepEqual([again.pieces, again.cursors, again.log], [[], [], ['The document has not changed.']])
    version++
    const changed = await collect('http-download', { url }, { cursor: first.cursor })
    assert.match(changed.pieces[0]?.text ?? '', new RegExp(`${version}`))
  }
})

test('the validators of one address are not used for another, and the cursor does not contain the address', async () => {
  const { cursor } = await collect('http-download', { url: `${server.url}/tagged.json?key=hunter2` })
  assert.doesNotMatch(JSON.stringify(cursor), /hunter2/)
  const { pieces } = await collect('http-download', { url: `${server.url}/tagged.json` }, { cursor })
  assert.equal(pieces.length, 1)
  await assert.rejects(collect('http-download', { url: `${server.url}/not-modified` }), { kind: 'server' })
})

test('an ETag that cannot be sent back does not break the next run', async () => {
  const url = `${server.url}/odd-tag`
  const { cursor } = await collect('http-download', { url })
  assert.equal((await collect('http-download', { url }, { cursor })).pieces.length, 1)
})

test('every kind of credentials is sent', async () => {
  const url = `${server.url}/auth`
  const headersFor = async (given: object) => {
    await collect('http-download', { url, ...given })
    return server.asked.at(-1)?.headers ?? {}
  }
  const basic = await headersFor({ username: 'ada', password: 'pass:word\u00e9' })
  assert.equal(basic.authorization, `Basic ${Buffer.from('ada:pass:word\u00e9').toString('base64')}`)
  assert.equal((await headersFor({ token: 't0ken' })).authorization, 'Bearer t0ken')
  assert.equal((await headersFor({ api_key: 'k3y' }))['x-api-key'], 'k3y')
  const own = await headersFor({ api_key: 'k3y', api_key_header: 'X-Custom', headers: { 'X-More': '1' } })
  assert.deepEqual([own['x-custom'], own['x-more'], own.authorization], ['k3y', '1', undefined])
})

test('a signature is armored and comes with its document, and credentials for it go to the same server only', async () => {
  const url = `${server.url}/plain`
  const { pieces } = await collect('http-download', { url, token: 't', signature_url: `${server.url}/armored` })
  assert.match(pieces[0]?.signature ?? '', /^-----BEGIN PGP SIGNATURE-----\n\nabc/)
  assert.equal(server.asked.at(-1)?.headers.authorization, 'Bearer t')
  const binary = await collect('http-download', { url, token: 't', signature_url: `${other.url}/binary` })
  assert.equal(binary.pieces[0]?.signature, '-----BEGIN PGP SIGNATURE-----\n\niAECAw==\n-----END PGP SIGNATURE-----\n')
  assert.equal(other.asked.at(-1)?.headers.authorization, undefined)
})

test('a document whose signature cannot be fetched is left for a later run', async () => {
  const url = `${server.url}/tagged.json`
  for (const [path, kind] of [
    ['none', 'not-found'],
    ['plain', 'signature'],
  ]) {
    await assert.rejects(collect('http-download', { url, signature_url: `${server.url}/${path}` }), { kind })
  }
})

test('a document gets the name that its server states, without any path', async () => {
  for (const [disposition, expected] of [
    ['attachment; filename="report.pdf"', 'report.pdf'],
    ['attachment; filename=report.pdf; size=3', 'report.pdf'],
    ['attachment; filename="a.txt"; filename*=UTF-8\'\'%e2%82%ac.txt', '\u20ac.txt'],
    ['attachment; filename="../../etc/passwd"', 'passwd'],
    ['attachment; filename="C:\\evil\\x.exe"', 'x.exe'],
    ['attachment; filename=".."', 'attachment; filename=".."'],
    [`attachment; filename="${'x'.repeat(500)}"`, 'x'.repeat(200)],
  ] as const) {
    const url = `${server.url}/named/${encodeURIComponent(disposition)}`
    const { pieces } = await collect('http-download', { url })
    assert.equal(pieces[0]?.name, expected)
  }
  assert.equal((await collect('http-download', { url: server.url })).pieces[0]?.name, `127.0.0.1:${server.port}`)
})
