import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { anyJson } from '../../../../../test/any-json.ts'
import { effort } from '../../../../../test/effort.ts'
import { lookUpWithAnswers, received } from '../../../../../test/set-up/recorded-answers.ts'
import { parseDefinition } from './define.ts'

const good = {
  title: 'Example',
  base: 'https://api.example.org',
  parameters: {
    api_key: { kind: 'secret', title: 'Key' },
    days: { kind: 'number', title: 'Days', minimum: 1, maximum: 9, default: 5 },
    plan: { kind: 'choice', title: 'Plan', choices: ['free', 'paid'], default: 'free' },
  },
  headers: { 'X-Key': '{api_key}' },
  requests: [{ types: ['ipv4', 'domain'], path: '/look/{value}' }],
  findings: [{ kind: 'verdict', value: 'score', thresholds: { high: 75, medium: 25 } }],
}

const faultsOf = (given: unknown): readonly string[] => {
  const parsed = parseDefinition('example', given)
  return 'faults' in parsed ? parsed.faults : []
}

const request = (more: object) => ({ ...good, requests: [{ types: ['ipv4'], path: '/x', ...more }] })
const finding = (...rules: object[]) => ({ ...good, findings: rules })

const wrong: readonly (readonly [string, unknown, readonly (string | RegExp)[]])[] = [
  ['nothing', {}, ['title: is required', 'requests: is required', 'findings: is required']],
  ['no document', null, [/definition: must be of type object/]],
  [
    'unknown members',
    { ...good, colour: 1, requests: [{ types: ['ipv4'], path: '/x', size: 2 }] },
    [/^requests\[0\]\.size: is not a member/, /^colour: is not a member/],
  ],
  ['a base without https', { ...good, base: 'http://api.example.org' }, [/^base: must be https/]],
  ['a base with a user', { ...good, base: 'https://user@api.example.org' }, [/^base: must be https/]],
  ['a base with a value', { ...good, base: 'https://{value}.example.org' }, [/^base: must be https/]],
  ['a base with a query', { ...good, base: 'https://api.example.org?x' }, [/^base: must be https/]],
  ['a base with dots', { ...good, base: 'https://api.example.org/a/..' }, [/^base: must be https/]],
  ['a base that is a number', { ...good, base: 'https://2130706433' }, [/^base: must be https/]],
  [
    'a base of a parameter that is no address',
    { ...good, base: '{api_key}' },
    [/^base: must be a parameter of the kind address/],
  ],
  ['no base', { ...good, base: undefined }, [/^requests\[0\]\.base: is required/]],
  ['a path without a slash', request({ path: 'x' }), [/^requests\[0\]\.path: must begin with '\/'/]],
  [
    'a path to another server',
    request({ path: '//evil.example/x' }),
    [/^requests\[0\]\.path: must not contain '\/\/'/],
  ],
  ['a path with a query', request({ path: '/x?a={value}' }), [/^requests\[0\]\.path: must not contain '\?'/]],
  ['a path with a backslash', request({ path: '/\\evil.example' }), [/^requests\[0\]\.path: must not contain/]],
  ['a path with dots', request({ path: '/a/../b' }), [/^requests\[0\]\.path: must not contain '\.'/]],
  ['a path with escaped dots', request({ path: '/a/%2E%2e/b' }), [/^requests\[0\]\.path: must not contain '\.'/]],
  [
    'an unknown placeholder',
    request({ path: '/{nothing}' }),
    [/^requests\[0\]\.path: there is no parameter 'nothing'/],
  ],
  ['an unknown form', request({ path: '/{value|rot13}' }), [/^requests\[0\]\.path: there is no form 'rot13'/]],
  [
    'a secret in another form',
    request({ query: { k: '{api_key|base64}' } }),
    [/^requests\[0\]\.query\.k: 'api_key' is a secret/],
  ],
  [
    'a placeholder in the name of a header',
    request({ headers: { '{value}': 'x' } }),
    [/^requests\[0\]\.headers\.\{value\}: the name must be the name of a header/],
  ],
  [
    'the header of the server',
    request({ headers: { HOST: 'evil.example' } }),
    [/^requests\[0\]\.headers\.HOST: the name is a header that definitions cannot set/],
  ],
  [
    'a placeholder in the name of a field',
    request({ query: { '{value}': 'x' } }),
    [/^requests\[0\]\.query\.\{value\}: the name must be/],
  ],
  [
    'a template in JSON',
    request({ method: 'POST', json: { a: [{ b: '{nothing}' }, '{'] } }),
    [/^requests\[0\]\.json\.a\[1\]: '\{' has no '\}'/],
  ],
  [
    'a placeholder in JSON',
    request({ method: 'POST', json: { a: [{ b: '{nothing}' }] } }),
    [/^requests\[0\]\.json\.a\[0\]\.b: there is no parameter/],
  ],
  ['a body of GET', request({ json: {} }), [/^requests\[0\]\.method: must be POST/]],
  ['two bodies', request({ method: 'POST', json: {}, form: {} }), [/^requests\[0\]: must not have both/]],
  [
    'two requests for a type',
    { ...good, requests: [...good.requests, ...good.requests] },
    [/^requests\[1\]\.types\[0\]: 'ipv4' already/, /^requests\[1\]\.types\[1\]/],
  ],
  [
    'an unknown type',
    request({ types: ['colour'] }),
    [/^requests\[0\]\.types\[0\]: 'colour' is not an observable type/],
  ],
  [
    'a page of a type without a request',
    { ...good, source_urls: { email: `https://example.org/\${input}` } },
    [/^source_urls\.email: there is no request/],
  ],
  [
    'a page whose server depends on the value',
    { ...good, source_urls: { ipv4: `https://\${input}.example.org/` } },
    [/^source_urls\.ipv4: must be an https address/],
  ],
  [
    'the name of a parameter that stands for the observable',
    { ...good, parameters: { ...good.parameters, value: { kind: 'text', title: 'x' } } },
    [/^parameters\.value: the name stands for the observable/],
  ],
  [
    'a default outside of its limits',
    {
      ...good,
      parameters: {
        api_key: good.parameters.api_key,
        n: { kind: 'number', title: 'x', maximum: 3, default: 4 },
        c: { kind: 'choice', title: 'x', choices: ['a'], default: 'b' },
      },
    },
    [/^parameters\.n\.default: must be between/, /^parameters\.c\.default: must be one of/],
  ],
  [
    'an expression',
    finding({ kind: 'tag', each: 'list[?', value: '{@' }),
    [/^findings\[0\]\.each: column 7/, /^findings\[0\]\.value: '\{' has no/],
  ],
  ['a sign', { ...good, answers: { not_found: { when: 'a ==' } } }, [/^answers\.not_found\.when: column 5/]],
  ['a kind of findings', finding({ kind: 'surprise' }), [/^findings\[0\]\.kind: must be verdict, link/]],
  [
    'a verdict without a level',
    finding({ kind: 'verdict', value: 'score' }),
    [/^findings\[0\]: must have one of maliciousness, thresholds and mapping/],
  ],
  [
    'a verdict without a value',
    finding({ kind: 'verdict', thresholds: { high: 1 } }),
    [/^findings\[0\]\.value: is required/],
  ],
  [
    'thresholds in the wrong order',
    finding({ kind: 'verdict', value: 'a', thresholds: { high: 1, low: 2 } }),
    [/^findings\[0\]\.thresholds: must have a higher number/],
  ],
  [
    'a relation',
    finding({ kind: 'link', relation: 'Resolves to', type: 'ipv4', value: '{a}' }),
    [/^findings\[0\]\.relation: must be lower-case words/],
  ],
  [
    'the type of a link',
    finding({ kind: 'link', relation: 'x', type: 'colour', value: '{a}' }),
    [/^findings\[0\]\.type: must be an observable type/],
  ],
  [
    'the type of a rule',
    finding({ kind: 'tag', value: 'x', types: ['email'] }),
    [/^findings\[0\]\.types\[0\]: there is no request/],
  ],
  [
    'a second answer without a second request',
    finding({ kind: 'tag', value: 'x', answer: 'second' }),
    [/^findings\[0\]\.answer: must be 'first'/],
  ],
  [
    'a value of the second request that hides a parameter',
    request({ second: { path: '/y', values: { api_key: 'a' } } }),
    [/^requests\[0\]\.second\.values\.api_key: is also the name of a parameter/],
  ],
]

for (const [what, given, expected] of wrong) {
  test(`${what}: a wrong definition is refused with the path in it`, () => {
    const faults = faultsOf(given)
    assert.equal(faults.length, expected.length, faults.join('\n'))
    for (const [i, fault] of faults.entries()) {
      assert.match(fault, /^definition[.:]/)
      const [wanted, text] = [expected[i] ?? '', fault.replace(/^definition\./, '')]
      if (typeof wanted === 'string') assert.equal(text, wanted)
      else assert.match(text, wanted)
    }
  })
}

test('a definition becomes a function with its parameters', () => {
  const parsed = parseDefinition('example', good)
  assert.ok('function' in parsed)
  const { name, supportedTypes, secrets, requestsPerLookUp, isRemote, parameters } = parsed.function
  assert.deepEqual(
    [name, supportedTypes, secrets, requestsPerLookUp, isRemote],
    ['http:example', ['ipv4', 'domain'], ['api_key'], 1, true],
  )
  assert.deepEqual(parameters.parse({ api_key: 'abc' }), { api_key: 'abc', days: 5, plan: 'free' })
  assert.equal(parameters.safeParse({ api_key: 'a b' }).success, false)
  assert.equal(parameters.safeParse({ api_key: 'abc', days: 10 }).success, false)
  assert.equal(parameters.safeParse({ api_key: 'abc', plan: 'other' }).success, false)
  assert.equal(parameters.safeParse({}).success, false)
})

test('any document is a definition or refused with paths, and never fails otherwise', () => {
  const broken = fc
    .tuple(fc.constantFrom(...Object.keys(good), 'answers', 'limits'), anyJson(4))
    .map(([name, value]) => ({ ...good, [name]: value }))
  fc.assert(
    fc.property(fc.oneof(anyJson(5), broken), (given) => {
      const parsed = parseDefinition('example', given)
      if ('faults' in parsed)
        assert.ok(parsed.faults.length > 0 && parsed.faults.every((fault) => fault.startsWith('definition')))
    }),
    { numRuns: effort(10_000, 500) },
  )
})

const lookUp = async (given: object, ...answers: object[]) => {
  const parsed = parseDefinition('example', { ...good, parameters: {}, headers: {}, ...given })
  assert.ok('function' in parsed, JSON.stringify(parsed))
  const received_ = answers.map((body) => received({ status: 200, body }))
  return lookUpWithAnswers(parsed.function, { type: 'domain', value: 'example.org' }, received_)
}

test('a second request uses values of the first answer, and is left out without them', async () => {
  const given = {
    requests: [{ types: ['domain'], path: '/a', second: { values: { id: 'ids[0]' }, when: '!stop', path: '/b/{id}' } }],
    findings: [
      { kind: 'tag', value: '{name}' },
      { kind: 'tag', answer: 'second', value: '{name}' },
    ],
  }
  const both = await lookUp(given, { ids: ['x/../y'], name: 'one' }, { name: 'two' })
  assert.deepEqual(
    both.requests.map(({ url }) => url),
    ['https://api.example.org/a', 'https://api.example.org/b/x%2F..%2Fy'],
  )
  assert.deepEqual(both.ended, {
    state: 'FOUND',
    findings: [
      { kind: 'tag', value: 'one' },
      { kind: 'tag', value: 'two' },
    ],
    warnings: [],
  })
  for (const first of [
    { name: 'one' },
    { name: 'one', ids: [''] },
    { name: 'one', ids: [{}] },
    { name: 'one', ids: ['x'], stop: true },
  ]) {
    const { requests, ended } = await lookUp(given, first)
    assert.equal(requests.length, 1)
    assert.deepEqual(ended, { state: 'FOUND', findings: [{ kind: 'tag', value: 'one' }], warnings: [] })
  }
})

test('a value of the first answer that would change the path of the second request is not sent', async () => {
  const given = {
    requests: [{ types: ['domain'], path: '/a', second: { values: { id: 'id' }, path: '/b/{id}/c' } }],
    findings: [{ kind: 'tag', value: '{name}' }],
  }
  const { requests, ended } = await lookUp(given, { id: '..', name: 'one' })
  assert.equal(requests.length, 1)
  assert.deepEqual(ended, {
    state: 'FOUND',
    findings: [{ kind: 'tag', value: 'one' }],
    warnings: ['The second request was left out: it would change the path of the address.'],
  })
})

test('what cannot be used is left out with a warning that counts it', async () => {
  const given = {
    findings: [
      {
        kind: 'link',
        relation: 'resolves-to',
        each: 'ips[*]',
        type: ['ipv4', 'ipv6'],
        value: '{ip}',
        last_seen: 'seen',
      },
      { kind: 'link', relation: 'related-to', each: 'any[*]', type: 'detect', value: '{@}' },
      { kind: 'attack', each: 'techniques[*]', node: '{@}' },
      { kind: 'reference', each: 'pages[*]', url: '{@}' },
      { kind: 'verdict', value: 'score', thresholds: { high: 5 } },
    ],
  }
  const { ended } = await lookUp(given, {
    ips: [
      { ip: '192.0.2.1' },
      { ip: 'x' },
      { ip: { a: 1 } },
      { ip: '2001:DB8::1', seen: '2024-01-01' },
      { ip: '192.0.2.2', seen: 'soon' },
      {},
    ],
    any: ['hxxp://evil[.]example/a', 'example.org', '?'],
    techniques: ['t1566.001', 'phishing'],
    pages: ['javascript:alert(1)', 'https://user:password@example.org/', 'https://example.org/a'],
    score: 'high',
  })
  assert.deepEqual(ended, {
    state: 'FOUND',
    findings: [
      { kind: 'link', relation: 'resolves-to', observable: { type: 'ipv4', value: '192.0.2.1' } },
      {
        kind: 'link',
        relation: 'resolves-to',
        observable: { type: 'ipv6', value: '2001:db8::1' },
        last_seen: '2024-01-01T00:00:00.000000+00:00',
      },
      { kind: 'link', relation: 'resolves-to', observable: { type: 'ipv4', value: '192.0.2.2' } },
      { kind: 'link', relation: 'related-to', observable: { type: 'uri', value: 'http://evil.example/a' } },
      { kind: 'attack', node: 'T1566.001' },
      { kind: 'reference', url: 'https://example.org/a' },
    ],
    warnings: [
      'findings[0]: 2 of 6 values were left out. The first one must be an IPv6 address such as 2001:db8::1, without a zone.',
      'findings[0]: 1 times cannot be read, and were left out.',
      'findings[1]: 1 of 3 values were left out. The first one is not an observable of a known type.',
      'findings[2]: 1 of 2 values were left out. The first one is not a technique such as T1566.001.',
      'findings[3]: 2 of 3 values were left out. The first one is not an http or https address.',
      'findings[4]: 1 of 1 values were left out. The first one is not a number.',
    ],
  })
})

test('an answer has at most 500 findings, and a rule as many as its limit', async () => {
  const rule = { kind: 'tag', each: 'names[*]', value: '{@}' }
  const names = Array.from({ length: 400 }, (_, i) => `n${i}`)
  const limited = await lookUp({ findings: [{ ...rule, limit: 10 }] }, { names })
  assert.ok('state' in limited.ended && limited.ended.state === 'FOUND')
  assert.equal(limited.ended.findings.length, 10)
  assert.deepEqual(limited.ended.warnings, [
    'findings[0]: 390 further values were left out, because the rule has a limit of 10.',
  ])
  const many = await lookUp({ findings: [rule, { ...rule, value: 'x{@}' }] }, { names })
  assert.ok('state' in many.ended && many.ended.state === 'FOUND')
  assert.equal(many.ended.findings.length, 500)
  assert.deepEqual(many.ended.warnings, ['300 further findings were left out, because an answer has at most 500.'])
})

test('expressions that take too long end with a warning, or make the answer unreadable', async () => {
  const list = Array.from({ length: 5000 }, (_, i) => ({ i }))
  const slow = 'list[?$.list[?$.list[?i == 1]]]'
  const findings = await lookUp(
    {
      findings: [
        { kind: 'tag', value: 'first' },
        { kind: 'tag', each: slow, value: '{@}' },
      ],
    },
    { list },
  )
  assert.deepEqual(findings.ended, {
    state: 'FOUND',
    findings: [{ kind: 'tag', value: 'first' }],
    warnings: ['The expressions take too many steps for this answer. The rest of the answer was left out.'],
  })
  const long = await lookUp({ findings: [{ kind: 'tag', value: '{a}'.repeat(600) }] }, { a: 'x'.repeat(1_500_000) })
  assert.partialDeepStrictEqual(long.ended, { state: 'FOUND', findings: [] })
  const sign = await lookUp({ answers: { not_found: { when: slow } } }, { list })
  assert.partialDeepStrictEqual(sign.ended, { fault: 'unreadable' })
})
