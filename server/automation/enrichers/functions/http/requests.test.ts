import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import fc from 'fast-check'
import { effort } from '../../../../../test/effort.ts'
import { lookUpWithAnswers } from '../../../../../test/set-up/recorded-answers.ts'
import type { SourceRequest } from '../../function.ts'
import { parseDefinition } from './define.ts'

const NOTHING = { status: 404, headers: {}, body: Buffer.alloc(0) }

const definition = (request: object, more: object = {}) => ({
  title: 'Example',
  base: 'https://api.example.org/v1',
  parameters: {
    api_key: { kind: 'secret', title: 'Key', required: false },
    team: { kind: 'text', title: 'Team', required: false },
  },
  requests: [{ types: ['person'], path: '/x', ...request }],
  findings: [{ kind: 'tag', value: '{name}' }],
  ...more,
})

/** The request for a value, or why it is not sent. */
async function sent(given: unknown, value: string, parameters = {}): Promise<SourceRequest | string> {
  const parsed = parseDefinition('example', given)
  assert.ok('function' in parsed, JSON.stringify(parsed))
  const { ended, requests } = await lookUpWithAnswers(
    parsed.function,
    { type: 'person', value },
    [NOTHING],
    parsed.function.parameters.parse(parameters),
  )
  const [request] = requests
  if (request) return request
  assert.ok('state' in ended && ended.state === 'SKIPPED', JSON.stringify(ended))
  return ended.reason
}

/** Values that try to leave their place. */
const HOSTILE = [
  '..',
  '.',
  '../..',
  '%2e%2e',
  '%2E%2e/',
  '/',
  '//evil.example',
  '\\\\evil.example',
  '\\evil.example',
  '@evil.example',
  ':443@evil.example',
  'user:password@evil.example',
  'https://evil.example/',
  'evil.example#',
  '?a=b&c=d',
  '#fragment',
  '&key=value',
  'a=b',
  'a;b',
  'a\r\nx-injected: 1',
  'a\nb',
  'a\tb',
  '\u0000',
  '\ud800',
  '😀',
  '\u2028',
  '"}],"x":1',
  "'",
  '{api_key}',
  '{{value}}',
  `\${api_key}`,
  '%0d%0ax-injected: 1',
  '%00',
  ' ',
  '.%00.',
  '。。',
  '．．',
]

const everywhere = definition({
  method: 'POST',
  path: '/look/{value}/a{value}b/{value|base64url}/end',
  query: { q: '{value}', fixed: 'a&b', quoted: '"{value|quoted}"' },
  json: { value: '{value}', list: [1, true, null, '{value}'], 'nested{': { deep: 'x {value}' } },
})

const isLegal = (request: SourceRequest, value: string): void => {
  const url = new URL(request.url)
  const what = JSON.stringify(value)
  assert.equal(url.origin, 'https://api.example.org', what)
  assert.equal(`${url.username}${url.password}${url.hash}`, '', what)
  const parts = url.pathname.split('/')
  assert.deepEqual([parts.length, ...parts.slice(0, 3)], [7, '', 'v1', 'look'], what)
  assert.equal(parts.at(-1), 'end', what)
  assert.equal(decodeURIComponent(parts[3] ?? ''), value.toWellFormed(), what)
  assert.deepEqual([...url.searchParams.keys()], ['q', 'fixed', 'quoted'], what)
  assert.equal(url.searchParams.get('q'), value.toWellFormed(), what)
  assert.deepEqual(JSON.parse(request.body ?? ''), {
    value: value.toWellFormed(),
    list: [1, true, null, value.toWellFormed()],
    'nested{': { deep: `x ${value.toWellFormed()}` },
  })
  assert.deepEqual(Object.keys(request.headers ?? {}), ['accept', 'content-type'], what)
}

for (const value of HOSTILE) {
  test(`the value ${JSON.stringify(value)} stays in its place`, async () => {
    const request = await sent(everywhere, value)
    if (value === '.' || value === '..') assert.match(String(request), /would change the path/)
    else isLegal(request as SourceRequest, value)
  })
}

test('no value changes the server, the path before it or the headers', async () => {
  const value = fc.oneof(
    fc.string({ unit: 'binary', minLength: 1 }),
    fc.array(fc.constantFrom(...HOSTILE), { minLength: 1, maxLength: 4 }).map((parts) => parts.join('')),
  )
  await fc.assert(
    fc.asyncProperty(value, async (text) => {
      const request = await sent(everywhere, text)
      if (typeof request === 'string') assert.match(text, /^\.{1,2}$/)
      else isLegal(request, text)
    }),
    { numRuns: effort(20_000, 1000) },
  )
})

test('values of headers have one line of ASCII; anything else is not sent', async () => {
  const given = definition({ headers: { 'X-Value': 'a {value}', 'X-Team': '{team}' } })
  const request = await sent(given, 'plain')
  assert.deepEqual((request as SourceRequest).headers, { accept: 'application/json', 'x-value': 'a plain' })
  for (const value of ['a\r\nx-injected: 1', 'a\nb', 'a\0', 'é', '\u0085']) {
    assert.match(String(await sent(given, value)), /characters that a header cannot contain/)
  }
  assert.match(String(await sent(given, 'plain', { team: 'a\nb' })), /characters that a header cannot contain/)
})

test('fields whose parameter is absent are left out, and a path without its value is not sent', async () => {
  const given = definition({
    method: 'POST',
    path: '/x',
    query: { key: '{api_key}', v: '{value}' },
    form: { team: '{team}', v: 'c d&{value}' },
  })
  const request = (await sent(given, 'é')) as SourceRequest
  assert.equal(request.url, 'https://api.example.org/v1/x?v=%C3%A9')
  assert.equal(request.body, 'v=c%20d%26%C3%A9')
  const whole = (await sent(given, 'é', { api_key: 'k+/=', team: 'a&b' })) as SourceRequest
  assert.equal(whole.url, 'https://api.example.org/v1/x?key=k%2B%2F%3D&v=%C3%A9')
  assert.equal(whole.body, 'team=a%26b&v=c%20d%26%C3%A9')
  assert.match(String(await sent(definition({ path: '/{team}/{value}' }), 'x')), /is absent/)
})

test('forms of values are computed before they are escaped', async () => {
  const path = '/{value|md5}/{value|sha1}/{value|sha256}/{value|base64url}/{value|upper}/{value|digits}/{value|base64}'
  const request = (await sent(definition({ path }), 'AS12/é')) as SourceRequest
  const digest = (algorithm: string) => createHash(algorithm).update('AS12/é').digest('hex')
  assert.deepEqual(new URL(request.url).pathname.split('/').slice(2), [
    digest('md5'),
    digest('sha1'),
    digest('sha256'),
    Buffer.from('AS12/é').toString('base64url'),
    'AS12%2F%C3%89',
    '12',
    encodeURIComponent(Buffer.from('AS12/é').toString('base64')),
  ])
})

test('basic authentication is made of two texts', async () => {
  const given = definition({}, { basic_auth: { user: '{api_key}', password: '' } })
  const request = (await sent(given, 'x', { api_key: 'abc' })) as SourceRequest
  assert.equal(request.headers?.authorization, `Basic ${Buffer.from('abc:').toString('base64')}`)
})

test('the server is that of an address parameter, without its last slash', async () => {
  const given = definition(
    { path: '/look/{value}' },
    { base: '{url}', parameters: { url: { kind: 'address', title: 'Address', default: 'https://own.example/api/' } } },
  )
  const request = (await sent(given, '@evil.example/..')) as SourceRequest
  assert.equal(request.url, 'https://own.example/api/look/%40evil.example%2F..')
  const other = (await sent(given, 'x', { url: 'http://10.0.0.1:8080' })) as SourceRequest
  assert.equal(other.url, 'http://10.0.0.1:8080/look/x')
})
