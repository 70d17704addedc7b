import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { corrupted, corruptedJson } from '../../../../../test/set-up/corrupted.ts'
import { lookUps } from '../../../../../test/set-up/enricher-tables.ts'
import { detailsOf, type Enrichers, type Reply, startEnrichers } from '../../../../../test/set-up/enrichers.ts'

let corvus: Enrichers
before(async () => {
  corvus = await startEnrichers()
  await corvus.startProcess()
})
after(() => corvus.stop())

const json =
  (value: unknown): Reply =>
  (response) =>
    void response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(value))

const described = (name: string, input: readonly string[], format?: string) => ({
  name,
  type: 'expansion',
  mispattributes: { input, output: ['ip-src', 'ip-dst'], ...(format && { format }) },
  meta: { version: '0.2', 'module-type': ['expansion', 'hover'], config: ['apikey'] },
})

const MODULES = [
  described('passive', ['hostname', 'domain', 'ip-src', 'ip-dst', 'AS'], 'misp_standard'),
  described('dns', ['hostname', 'domain']),
  { name: 'export', type: 'export', meta: { 'module-type': ['export'] } },
]

const STANDARD = {
  results: {
    Attribute: [
      {
        type: 'ip-dst',
        value: '198.51.100.7',
        category: 'Network activity',
        Tag: [
          { name: 'misp-galaxy:mitre-attack-pattern="Phishing - T1566"' },
          { name: 'osint:source-type="blog-post"' },
        ],
      },
      { type: 'domain', value: 'asked.example' },
      { type: 'comment', value: 'Seen twice.' },
      { type: 'filename|md5', value: 'a.exe|d41d8cd98f00b204e9800998ecf8427e' },
    ],
    Object: [
      {
        name: 'vulnerability',
        'meta-category': 'vulnerability',
        Attribute: [
          { type: 'vulnerability', object_relation: 'id', value: 'CVE-2021-44228' },
          { type: 'text', object_relation: 'summary', value: 'Log4Shell.' },
          { type: 'link', object_relation: 'references', value: 'https://logging.apache.org/' },
        ],
      },
    ],
    Tag: [{ name: 'misp-galaxy:threat-actor="APT28"' }],
  },
}

const link = (type: string, value: string) => ({
  kind: 'link',
  relation: 'related-to',
  observable: { type, value },
})

/** An enricher of a server at a path of its own. */
const asking = (path: string, module: string, config: object = {}) => {
  corvus.source.answers(`/${path}/modules`, json(MODULES))
  return lookUps(corvus, `misp-module:${module}`, ['domain', 'ipv4', 'asn', 'hash-md5'], {
    url: `${corvus.source.url}/${path}`,
    config,
  })
}

test('attributes, objects and tags of a module become links, entities, techniques, references and tags', async () => {
  const ask = await asking('standard', 'passive', { apikey: 'key-of-passive', limit: 5 })
  corvus.source.answers('/standard/query', json(STANDARD))
  const found = await ask('domain', 'asked.example')
  assert.equal(found.state, 'FOUND', JSON.stringify(found))
  assert.deepEqual(found.findings, [
    { kind: 'entity', type: 'threat-actor', id: 'misp-galaxy:APT28', title: 'APT28' },
    { kind: 'attack', node: 'T1566' },
    { kind: 'tag', value: 'osint:source-type="blog-post"' },
    link('ipv4', '198.51.100.7'),
    link('file', 'a.exe'),
    link('hash-md5', 'd41d8cd98f00b204e9800998ecf8427e'),
    {
      kind: 'entity',
      type: 'exploit-target',
      id: 'CVE-2021-44228',
      title: 'CVE-2021-44228',
      description: 'Log4Shell.',
    },
    link('cve', 'CVE-2021-44228'),
    { kind: 'reference', url: 'https://logging.apache.org/' },
  ])
  assert.deepEqual(found.warnings, ['2 values were left out, of the types comment, text. The raw answer has them.'])
  const [call] = corvus.source.callsTo('/standard/query')
  const sent = JSON.parse(call?.raw ?? '')
  assert.partialDeepStrictEqual(sent, {
    module: 'passive',
    attribute: { type: 'domain', value: 'asked.example' },
    config: { apikey: 'key-of-passive', limit: 5 },
  })
  assert.match(sent.attribute.uuid, /^[0-9a-f-]{36}$/)
  assert.doesNotMatch(JSON.stringify(found), /key-of-passive/)
  assert.equal((await ask('asn', 'AS64500')).state, 'FOUND')
  assert.partialDeepStrictEqual(JSON.parse(corvus.source.callsTo('/standard/query').at(-1)?.raw ?? ''), {
    attribute: { type: 'AS', value: '64500' },
  })
  assert.equal(corvus.source.callsTo('/standard/modules').length, 1)
})

test('modules of the older form are asked by type, and answer with types and values', async () => {
  const ask = await asking('legacy', 'dns')
  corvus.source.answers(
    '/legacy/query',
    json({
      results: [
        { types: ['ip-src', 'ip-dst'], values: ['198.51.100.7', '2001:db8::7'] },
        { types: ['link'], values: 'https://dns.example/asked', comment: 'x' },
        { types: ['freetext', 'text'], values: ['free words'], tags: ['parked'] },
      ],
    }),
  )
  const found = await ask('domain', 'asked.example')
  assert.deepEqual(found.findings, [
    link('ipv4', '198.51.100.7'),
    link('ipv6', '2001:db8::7'),
    { kind: 'reference', url: 'https://dns.example/asked' },
    { kind: 'tag', value: 'parked' },
  ])
  assert.match(found.warnings[0], /^1 values were left out, of the types freetext/)
  assert.deepEqual(JSON.parse(corvus.source.callsTo('/legacy/query')[0]?.raw ?? ''), {
    module: 'dns',
    domain: 'asked.example',
    config: {},
  })
  const other = await ask('hash-md5', 'd41d8cd98f00b204e9800998ecf8427e')
  assert.partialDeepStrictEqual(other, {
    state: 'SKIPPED',
    reason: 'The module does not take hash-md5, only hostname, domain.',
  })
})

test('errors of modules, which come with status 200, are told apart', async () => {
  const secret = { apikey: 'key-of-errors' }
  const ask = await asking('errors', 'dns', secret)
  const cases: [unknown, string, RegExp | null][] = [
    [{ error: 'No result found.' }, 'EMPTY', null],
    [{ results: [] }, 'EMPTY', null],
    [{ results: { Attribute: [], Object: [] } }, 'EMPTY', null],
    [{ error: 'Invalid API key key-of-errors' }, 'FAILED', /^The module said: Invalid API key \*\*\*$/],
    [{ error: 'Query quota reached' }, 'FAILED', /quota/],
    [{ error: { code: 7 } }, 'FAILED', /The module said: \{"code":7\}/],
    [{ results: 'none' }, 'FAILED', /has no results/],
    [[], 'FAILED', /not a JSON object/],
  ]
  for (const [answer, state, reason] of cases) {
    corvus.source.answers('/errors/query', json(answer))
    const tested = await ask('domain', 'asked.example')
    assert.equal(tested.state, state, JSON.stringify(answer))
    if (reason) assert.match(tested.reason, reason)
  }
})

test('a module that the server does not have, or a wrong address, is said', async () => {
  const ask = await asking('missing', 'absent')
  assert.match((await ask('domain', 'a.example')).reason, /has no expansion module 'absent'. It has dns, passive\./)
  corvus.source.answers('/missing/modules', json({ hello: 'world' }))
  assert.match((await ask('domain', 'a.example')).reason, /does not list its modules: check that its address/)
  corvus.source.answers('/missing/modules', (response) => void response.writeHead(200).end('<html>Sign in</html>'))
  assert.match((await ask('domain', 'a.example')).reason, /is a web page or XML/)
  const bad = await corvus.call('POST', 'enrichers', {
    data: { enricher: 'misp-module:not a name', is_active: true, supported_observable_types: ['ipv4'] },
  })
  assert.equal(bad.status, 400)
})

test('texts among the options are secrets: they are never returned, kept by the token, and never move', async () => {
  const item = {
    name: 'options',
    enricher: 'misp-module:dns',
    is_active: true,
    supported_observable_types: ['domain'],
    parameters: { url: `${corvus.source.url}/options`, config: { apikey: 'key-of-options', limit: 3 } },
  }
  corvus.source.answers('/options/modules', json(MODULES))
  corvus.source.answers('/options/query', json({ results: [] }))
  const made = await corvus.ask('POST', 'enrichers', item)
  assert.deepEqual(made.parameters.config, { apikey: '<PASS_THROUGH_TOKEN>', limit: 3 })
  const kept = await corvus.ask('PATCH', `enrichers/${made.id}`, { parameters: made.parameters, description: 'x' })
  assert.deepEqual(kept.parameters.config, made.parameters.config)
  await corvus.ask('POST', `enrichers/${made.id}/test`, { type: 'domain', value: 'a.example' })
  assert.match(corvus.source.callsTo('/options/query').at(-1)?.raw ?? '', /"apikey":"key-of-options"/)
  const moved = await corvus.call('PATCH', `enrichers/${made.id}`, {
    data: { parameters: { ...made.parameters, url: 'https://elsewhere.example' } },
  })
  assert.deepEqual(detailsOf(moved), [
    'parameters.config.apikey: must be given again, because it would go to another server',
  ])
  const { rows } = await corvus.pool.query('select * from enrichers where id = $1', [made.id])
  assert.doesNotMatch(JSON.stringify(rows), /key-of-options/)
})

test('a run with a module stores its links in the source of the enricher', async () => {
  corvus.source.answers('/run/modules', json(MODULES))
  corvus.source.answers('/run/query', json(STANDARD))
  const enricher = await corvus.enricher({
    name: 'module_run',
    enricher: 'misp-module:passive',
    supported_observable_types: ['domain'],
    parameters: { url: `${corvus.source.url}/run` },
  })
  const { id } = await corvus.observable('asked.example')
  const run = await corvus.ended(await corvus.run({ enrichers: [enricher.id], observables: [id] }))
  assert.equal(run.state, 'SUCCESS', JSON.stringify(run))
  assert.equal((await corvus.ask('GET', `observable-links?filter[observable]=${id}`)).length, 4)
  const entities = await corvus.ask('GET', `entities?filter[observables]=${id}`)
  assert.deepEqual(entities.map(({ data }: { data: { title: string } }) => data.title).sort(), [
    'APT28',
    'CVE-2021-44228',
  ])
})

test('100 damaged answers are results, or failures with a reason', async () => {
  const ask = await asking('damaged', 'passive')
  const whole = Buffer.from(JSON.stringify(STANDARD))
  const seen = new Set<string>()
  for (let seed = 0; seed < 50; seed++) {
    for (const body of [corrupted(whole, seed), Buffer.from(JSON.stringify(corruptedJson(STANDARD, seed)) ?? '')]) {
      corvus.source.answers('/damaged/query', (response) => void response.writeHead(200).end(body))
      const { state, reason } = await ask('domain', 'asked.example')
      seen.add(state)
      if (state === 'FAILED') assert.match(reason, /^The (answer of the (service|module)|module said)/, `seed ${seed}`)
    }
  }
  assert.deepEqual([...seen].sort(), ['FAILED', 'FOUND'])
})
