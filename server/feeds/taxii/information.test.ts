import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startApp } from '../../../test/app.ts'
import { signIn } from '../../../test/browser.ts'
import { adminPassword } from '../../../test/database.ts'
import { startTaxii, TAXII, taxiiOf } from '../../../test/taxii.ts'

let corvus: Awaited<ReturnType<typeof startTaxii>>
before(async () => {
  corvus = await startTaxii()
})
after(() => corvus.stop())

const ROOT = '/taxii2/root/'

test('4.1: discovery has a title and lists the API roots', async () => {
  const { status, body, headers } = await corvus.ask('/taxii2/')
  assert.equal(status, 200)
  assert.equal(headers['content-type'], TAXII)
  assert.equal(body.title, 'Corvus')
  assert.deepEqual(body.api_roots, [ROOT])
  assert.ok(body.api_roots.includes(body.default), 'the default is one of them')
})

test('4.1.1: the URL of an API root is a path, or absolute if the server is reached by HTTPS', async () => {
  const other = await startApp(undefined, { environment: { CORVUS_URL: 'https://corvus.example' } })
  try {
    const { body } = await taxiiOf(other).ask('/taxii2/')
    assert.deepEqual([body.default, body.api_roots], ['https://corvus.example/taxii2/root/', [body.default]])
  } finally {
    await other.stop()
  }
})

test('4.1: discovery has the TAXII name of the installation', async () => {
  await corvus.call('PATCH', 'configurations/server', { data: { taxii_server_name: 'Sharing' } })
  assert.equal((await corvus.ask('/taxii2/')).body.title, 'Sharing')
  assert.equal((await corvus.ask('/taxii2')).body.title, 'Sharing', 'with and without a slash at the end')
})

test('4.2: the API root has a title, its versions as media types, and the maximum length of a body', async () => {
  const { status, body, headers } = await corvus.ask('/taxii2/root/')
  assert.equal(status, 200)
  assert.equal(headers['content-type'], TAXII)
  assert.equal(body.title, 'Sharing')
  assert.deepEqual(body.versions, [TAXII])
  assert.equal(body.max_content_length, 64 * 1024 * 1024)
})

test('4.2: a path that is not below an API root is a 404', async () => {
  for (const path of ['/taxii2/other/', '/taxii2/root/nothing/', '/taxii2/root/collections/x/y/z/']) {
    const { status, body, headers } = await corvus.ask(path)
    assert.equal(status, 404, path)
    assert.equal(headers['content-type'], TAXII)
    assert.equal(body.http_status, '404')
  }
})

test('3.6.1: an error message has a title, the status as text and an id that is also in the log', async () => {
  const { body, headers } = await corvus.ask('status/none/')
  assert.deepEqual(Object.keys(body), ['title', 'description', 'error_id', 'http_status'])
  assert.equal(body.title, 'Not Found')
  assert.equal(body.error_id, headers['x-request-id'])
})

test('3.6: errors outside of endpoints are error messages too', async () => {
  const address = await corvus.ask('/taxii2/root/collections/%E0%A4%A/')
  assert.deepEqual([address.status, address.headers['content-type'], address.body.http_status], [400, TAXII, '400'])
  const method = await corvus.ask('collections/', { method: 'PUT' })
  assert.deepEqual([method.status, method.body.http_status, method.headers.allow], [405, '405', 'GET'])
  const outside = await corvus.call('GET', '/taxii2x')
  assert.ok(Array.isArray(outside.body), 'elsewhere all is as it was')
})

test('3.2: a request without credentials is a 401 that names both authentication schemes', async () => {
  for (const path of ['/taxii2/', '/taxii2/root/', 'collections/', 'collections/x/objects/', 'status/x/']) {
    const { status, headers, body } = await corvus.ask(path, { token: null })
    assert.equal(status, 401, path)
    const challenges = headers['www-authenticate'] as string[]
    assert.deepEqual(
      challenges.map((challenge) => challenge.split(' ')[0]),
      ['Basic', 'Bearer'],
    )
    assert.equal(headers['content-type'], TAXII)
    assert.equal(body.title, 'Unauthorized')
  }
})

test('1.10: tokens and browser sessions are accepted as in the rest of the API', async () => {
  const { app } = corvus
  const { headers } = await signIn(app, 'admin', adminPassword)
  const answer = await app.inject({ method: 'GET', url: '/taxii2/', headers: { cookie: headers.cookie } })
  assert.equal(answer.statusCode, 200)
})

test('3.2: an Accept header that cannot be met is a 406', async () => {
  const cases: [accept: string, status: number][] = [
    [TAXII, 200],
    ['application/taxii+json', 200],
    ['application/taxii+json; version=2.1', 200],
    ['Application/TAXII+JSON;Version="2.1"', 200],
    ['text/html, application/taxii+json;version=2.0;q=0.9, application/taxii+json;q=0.1;version=2.1', 200],
    ['application/json, text/plain, */*', 200],
    ['application/*', 200],
    ['*/*;q=0.1', 200],
    ['', 200],
    ['application/taxii+json;version=2.0', 406],
    ['application/vnd.oasis.taxii+json; version=2.0', 406],
    ['application/json', 406],
    ['application/stix+json;version=2.1', 406],
    ['text/*', 406],
    ['application/taxii+json;version=2.1;q=0', 406],
    ['*/*, application/taxii+json;q=0', 406],
    ['nonsense', 406],
    ['"application/taxii+json', 406],
  ]
  for (const [accept, status] of cases) {
    const answer = await corvus.ask('/taxii2/root/', { headers: { accept } })
    assert.equal(answer.status, status, accept)
    assert.equal(answer.headers['content-type'], TAXII, accept)
    if (status === 406) assert.equal(answer.body.http_status, '406')
  }
})

test('3.2: HEAD is answered like GET, without the body', async () => {
  const head = await corvus.ask('/taxii2/root/', { method: 'HEAD' })
  assert.deepEqual([head.status, head.headers['content-type'], head.body], [200, TAXII, ''])
})

test('a long response is compressed if the client accepts that, with the same type', async () => {
  for (let i = 0; i < 30; i++) await corvus.publish(`Compressed ${i}`)
  const url = '/taxii2/root/collections/'
  const headers = { authorization: `Bearer ${corvus.admin}`, accept: TAXII, 'accept-encoding': 'gzip' }
  const answer = await corvus.app.inject({ method: 'GET', url, headers })
  assert.deepEqual([answer.headers['content-type'], answer.headers['content-encoding']], [TAXII, 'gzip'])
})

test('TAXII requests are in the audit trail', async () => {
  await corvus.ask('collections/no-such-thing/')
  for (let tries = 0; ; tries++) {
    const { body } = await corvus.call('GET', 'audit-trail?filter[path]=/taxii2/root/collections/no-such-thing/')
    if (body.total_count > 0) break
    assert.ok(tries < 100, 'it was not noted')
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
})
