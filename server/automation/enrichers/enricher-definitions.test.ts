import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { detailsOf, type Enrichers, type Reply, startEnrichers, status } from '../../../test/set-up/enrichers.ts'

let corvus: Enrichers
before(async () => {
  corvus = await startEnrichers()
  await corvus.startProcess()
})
after(() => corvus.stop())

const answers =
  (body: unknown): Reply =>
  (response) =>
    void response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body))

const reputation = {
  title: 'Reputation',
  base: '{url}',
  parameters: {
    url: { kind: 'address', title: 'Address' },
    api_key: { kind: 'secret', title: 'API key' },
  },
  limits: [{ calls: 100, seconds: 60 }],
  source_urls: { domain: `https://reputation.example/domains/\${input}` },
  headers: { 'X-Api-Key': '{api_key}' },
  requests: [{ types: ['domain'], path: '/reputation/{value}', query: { detail: 'full' } }],
  answers: { not_found: { status: [404], when: 'known == false' } },
  findings: [
    { kind: 'verdict', value: 'score', thresholds: { high: 75, medium: 25 }, reason: 'Score {score}.' },
    {
      kind: 'link',
      relation: 'resolves-to',
      each: 'addresses[*]',
      type: ['ipv4', 'ipv6'],
      value: '{ip}',
      last_seen: 'seen',
    },
    { kind: 'entity', type: 'malware', each: 'families[*]', id: '{id}', title: '{name}' },
  ],
}

const enricherWith = (name: string) =>
  corvus.ask('POST', 'enrichers', {
    name,
    enricher: `http:${name}`,
    is_active: true,
    supported_observable_types: ['domain'],
    parameters: { url: corvus.source.url, api_key: `key-of-${name}` },
  })

test('an enricher with a definition of its own looks observables up and stores what it finds', async () => {
  const made = await corvus.ask('POST', 'enricher-definitions', { name: 'reputation', definition: reputation })
  assert.equal(made.function, 'http:reputation')
  const functions = await corvus.ask('GET', 'enrichers/functions')
  const shown = functions.find(({ name }: { name: string }) => name === 'http:reputation')
  assert.partialDeepStrictEqual(shown, {
    is_own: true,
    supported_types: ['domain'],
    secrets: ['api_key'],
    parameters: {
      properties: { api_key: { format: 'password' }, url: { format: 'uri' } },
      required: ['url', 'api_key'],
    },
  })
  const enricher = await enricherWith('reputation')
  assert.partialDeepStrictEqual(enricher, {
    max_tlp: 'GREEN',
    limits: [{ calls: 100, seconds: 60 }],
    source_urls: reputation.source_urls,
  })
  corvus.source.answers(
    '/reputation/bad.example?detail=full',
    answers({
      score: 80,
      addresses: [{ ip: '192.0.2.9', seen: 1706745600 }, { ip: 'none' }],
      families: [{ id: 7, name: 'Emotet' }],
      secret: 'key-of-reputation',
    }),
  )
  corvus.source.answers('/reputation/unknown.example?detail=full', answers({ known: false }))
  const bad = await corvus.observable('bad.example')
  const unknown = await corvus.observable('unknown.example')
  const run = await corvus.ended(await corvus.run({ enrichers: [enricher.id], observables: [bad.id, unknown.id] }))
  assert.partialDeepStrictEqual(run.result, { look_ups: 2, found: 1, empty: 1 })
  assert.equal((await corvus.ask('GET', `observables/${bad.id}`)).meta.maliciousness, 'high')
  const enrichment = await corvus.enrichmentOf(enricher.id, bad.id)
  assert.equal(enrichment.findings.length, 3)
  assert.equal(enrichment.warnings.length, 1)
  assert.match(enrichment.warnings[0], /^findings\[1\]: 1 of 2 values were left out/)
  const [link] = await corvus.ask('GET', `observable-links?filter[observable]=${bad.id}`)
  assert.partialDeepStrictEqual(link, { relation: 'resolves-to', last_seen: '2024-02-01T00:00:00.000000+00:00' })
  const [call] = corvus.source.callsTo('/reputation/bad.example?detail=full')
  assert.equal(call?.headers['x-api-key'], 'key-of-reputation')
  const raw = await corvus.call('GET', `enrichments/${enrichment.id}/raw`)
  assert.doesNotMatch(JSON.stringify(raw.body), /key-of-reputation/)
  const tested = await corvus.ask('POST', `enrichers/${enricher.id}/test`, { type: 'domain', value: 'bad.example' })
  assert.partialDeepStrictEqual(tested, { state: 'FOUND', requests: [{ headers: { 'x-api-key': '***' } }] })
})

test('answers that are pages, limits and refusals have their usual effect on enrichers with a definition', async () => {
  await corvus.ask('POST', 'enricher-definitions', { name: 'faulty', definition: reputation })
  const enricher = await enricherWith('faulty')
  const page: Reply = (response) => void response.writeHead(200).end('<html><body>Welcome</body></html>')
  corvus.source.answers('/reputation/page.example?detail=full', page)
  const { id } = await corvus.observable('page.example')
  const run = await corvus.ended(await corvus.run({ enrichers: [enricher.id], observables: [id] }))
  assert.equal(run.state, 'FAILURE')
  assert.match((await corvus.enrichmentOf(enricher.id, id)).reason, /is a web page or XML, not JSON/)
  corvus.source.answers('/reputation/refused.example?detail=full', status(403))
  const tested = await corvus.ask('POST', `enrichers/${enricher.id}/test`, { type: 'domain', value: 'refused.example' })
  assert.partialDeepStrictEqual(tested, { state: 'FAILED' })
  assert.match(tested.reason, /responded with 403. Check the API key/)
})

test('a wrong definition is refused with every path, and those of the platform cannot be replaced', async () => {
  const wrong = { ...reputation, colour: 'blue', requests: [{ types: ['domain'], path: '//elsewhere.example/{key}' }] }
  const answer = await corvus.call('POST', 'enricher-definitions', { data: { name: 'wrong', definition: wrong } })
  assert.equal(answer.status, 400)
  assert.deepEqual(
    detailsOf(answer).map((detail) => detail.split(':')[0]),
    ['definition.requests[0].path', 'definition.colour'],
  )
  const many = await corvus.call('PUT', 'enricher-definitions', {
    data: [
      { name: 'first', definition: reputation },
      { name: 'second', definition: { ...reputation, base: 'http://plain.example' } },
    ],
  })
  assert.equal(many.status, 400)
  assert.match(detailsOf(many).join(), /^\[1\]\.definition\.base: must be https/)
  const taken = await corvus.call('POST', 'enricher-definitions', {
    data: { name: 'virustotal', definition: reputation },
  })
  assert.match(detailsOf(taken).join(), /^name: 'virustotal' is a function of the platform/)
})

test('an enricher with a definition that comes with the platform is complete without further settings', async () => {
  const made = await corvus.ask('POST', 'enrichers', {
    enricher: 'http:virustotal',
    is_active: false,
    supported_observable_types: ['domain', 'hash-sha256'],
    parameters: { api_key: 'of-an-account' },
  })
  assert.partialDeepStrictEqual(made, {
    name: 'http_virustotal',
    max_tlp: 'GREEN',
    limits: [
      { calls: 4, seconds: 60 },
      { calls: 500, seconds: 86_400 },
    ],
    parameters: { api_key: '<PASS_THROUGH_TOKEN>' },
  })
  const answer = await corvus.call('PATCH', `enrichers/${made.id}`, {
    data: { is_active: true, parameters: { api_key: '' } },
  })
  assert.equal(answer.status, 400)
  assert.match(detailsOf(answer).join(), /^parameters\.api_key: is required, as characters without spaces/)
})
