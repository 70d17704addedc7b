import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { corrupted, corruptedJson } from '../../../../../test/set-up/corrupted.ts'
import { lookUps } from '../../../../../test/set-up/enricher-tables.ts'
import { type Enrichers, type Reply, startEnrichers, status } from '../../../../../test/set-up/enrichers.ts'
import { recordFindings } from './record-findings.ts'

let corvus: Enrichers
before(async () => {
  corvus = await startEnrichers()
  await corvus.startProcess()
})
after(() => corvus.stop())

const json =
  (value: unknown): Reply =>
  (response) =>
    void response.writeHead(200, { 'content-type': 'application/rdap+json' }).end(JSON.stringify(value))

const contact = (roles: string[], ...properties: [string, string][]) => ({
  objectClassName: 'entity',
  roles,
  vcardArray: [
    'vcard',
    [['version', {}, 'text', '4.0'], ...properties.map(([name, value]) => [name, {}, 'text', value])],
  ],
})

const DOMAIN = {
  objectClassName: 'domain',
  handle: '123_DOMAIN',
  ldhName: 'ASKED.EXAMPLE',
  links: [{ rel: 'self', href: 'https://rdap.registry.example/domain/asked.example' }],
  status: ['client transfer prohibited', 'active'],
  events: [
    { eventAction: 'registration', eventDate: '1995-08-14T04:00:00Z' },
    { eventAction: 'expiration', eventDate: '2030-08-13T04:00:00Z' },
  ],
  entities: [
    {
      ...contact(['registrar'], ['fn', 'Example Registrar']),
      entities: [contact(['abuse'], ['fn', 'Abuse'], ['email', 'abuse@registrar.example'])],
    },
    contact(['registrant'], ['fn', 'REDACTED FOR PRIVACY']),
  ],
  nameservers: [{ ldhName: 'NS1.PROVIDER.EXAMPLE' }, { ldhName: 'ns2.provider.example.' }],
  secureDNS: { delegationSigned: true },
}

const NETWORK = {
  objectClassName: 'ip network',
  handle: 'NET-198-51-100-0-1',
  name: 'EXAMPLE-NET',
  country: 'NL',
  startAddress: '198.51.100.0',
  endAddress: '198.51.100.255',
  cidr0_cidrs: [{ v4prefix: '198.51.100.0', length: 24 }],
  entities: [contact(['registrant'], ['org', 'Example Carrier'])],
}

const link = (relation: string, type: string, value: string) => ({
  kind: 'link',
  relation,
  observable: { type, value },
})
const tag = (value: string) => ({ kind: 'tag', value })

/** An enricher whose list of servers is at a path of its own. */
function asking(path: string, services: Record<string, [string[], string[]][]>, types = ['domain', 'ipv4', 'asn']) {
  for (const [file, listed] of Object.entries(services))
    corvus.source.answers(`/${path}/${file}.json`, json({ version: '1.0', services: listed }))
  return lookUps(corvus, 'builtin:rdap', types, { bootstrap_url: `${corvus.source.url}/${path}` })
}

test('a domain is asked for at the registry that IANA lists, which is read once a day', async () => {
  const { url } = corvus.source
  const ask = await asking('domains', {
    dns: [
      [['com'], ['https://other.example/']],
      [['example'], [`${url}/registry/`]],
    ],
  })
  corvus.source.answers('/registry/domain/asked.example', json(DOMAIN))
  const found = await ask('domain', 'www.asked.example')
  assert.deepEqual(found.findings, [
    {
      kind: 'reference',
      url: 'https://rdap.registry.example/domain/asked.example',
      title: 'RDAP record ASKED.EXAMPLE',
      description: 'Registration 1995-08-14, expiration 2030-08-13.',
    },
    link('registered-by', 'registrar', 'Example Registrar'),
    tag('registrar:Example Registrar'),
    link('abuse-contact', 'email', 'abuse@registrar.example'),
    tag('registrant-redacted'),
    link('name-server', 'domain', 'ns1.provider.example'),
    link('name-server', 'domain', 'ns2.provider.example'),
    tag('rdap:client-transfer-prohibited'),
    tag('rdap:active'),
    tag('dnssec'),
  ])
  assert.equal(found.requests.length, 2)
  assert.equal((await ask('domain', 'asked.example')).requests.length, 1)
  assert.equal((await ask('domain', 'absent.example')).state, 'EMPTY')
  assert.partialDeepStrictEqual(await ask('domain', 'asked.onion'), { state: 'SKIPPED' })
})

test('an address is asked for at the registry of the narrowest network, a system at that of its number', async () => {
  const { url } = corvus.source
  const ask = await asking('numbers', {
    ipv4: [
      [['198.0.0.0/8'], ['https://wide.example/']],
      [['198.51.0.0/16'], ['http://192.0.2.1/', `${url}/rir`].slice(1)],
    ],
    asn: [[['64496-64511', '1'], [`${url}/rir`]]],
  })
  corvus.source.answers('/rir/ip/198.51.100.7', json(NETWORK))
  assert.deepEqual((await ask('ipv4', '198.51.100.7')).findings.slice(1), [
    link('registered-to', 'organization', 'Example Carrier'),
    link('in-network', 'ipv4-cidr', '198.51.100.0/24'),
    link('in-network', 'netname', 'EXAMPLE-NET'),
    tag('country:NL'),
  ])
  assert.match((await ask('ipv4', '203.0.113.7')).reason, /IANA lists no RDAP server for 203\.0\.113\.7/)
  corvus.source.answers('/rir/autnum/64500', json({ objectClassName: 'autnum', handle: 'AS64500', name: 'EXAMPLE-AS' }))
  assert.deepEqual((await ask('asn', 'AS64500')).findings.slice(1), [tag('as-name:EXAMPLE-AS')])
})

test('redirects are followed on the same server or to https, and no further than three', async () => {
  const { url } = corvus.source
  const ask = await asking('redirects', { ipv4: [[['0.0.0.0/0'], [`${url}/from`]]] })
  const leads = (location: string): Reply => status(302, { location })
  corvus.source.answers('/from/ip/198.51.100.1', leads('/to/ip/198.51.100.1'))
  corvus.source.answers('/to/ip/198.51.100.1', json(NETWORK))
  const found = await ask('ipv4', '198.51.100.1')
  assert.equal(found.state, 'FOUND')
  assert.equal(found.requests.length, 3)
  corvus.source.answers('/from/ip/198.51.100.2', leads(`${url.replace('127.0.0.1', '127.0.0.2')}/to`))
  assert.match((await ask('ipv4', '198.51.100.2')).reason, /redirects to an address that is not https/)
  corvus.source.answers('/from/ip/198.51.100.3', leads('https://10.0.0.1/ip/198.51.100.3'))
  assert.match((await ask('ipv4', '198.51.100.3')).reason, /10\.0\.0\.1 is not a public address/)
  corvus.source.answers('/from/ip/198.51.100.4', leads('/from/ip/198.51.100.4'))
  const circle = await ask('ipv4', '198.51.100.4')
  assert.match(circle.reason, /More than 3 redirects/)
  assert.equal(circle.requests.length, 4)
})

test('a registry that refuses does not suspend the enricher, and one that is busy pauses it', async () => {
  const { url } = corvus.source
  const ask = await asking('refusing', { dns: [[['example'], [`${url}/refusing`]]] })
  const cases: [Reply, RegExp][] = [
    [status(403), /refuses the request \(403\)/],
    [status(429, { 'retry-after': '60' }), /responded with 429/],
    [status(500), /responded with 500/],
    [json({ objectClassName: 'help' }), /is not an RDAP record/],
    [(response) => void response.writeHead(200).end('<html></html>'), /is a web page/],
  ]
  for (const [reply, reason] of cases) {
    corvus.source.answers('/refusing/domain/asked.example', reply)
    assert.match((await ask('domain', 'asked.example')).reason, reason)
  }
})

test('a run stores links to name servers and the registrar', async () => {
  const { url } = corvus.source
  corvus.source.answers('/run/dns.json', json({ services: [[['example'], [`${url}/registry/`]]] }))
  const enricher = await corvus.enricher({
    name: 'registry_run',
    enricher: 'builtin:rdap',
    supported_observable_types: ['domain'],
    parameters: { bootstrap_url: `${url}/run` },
    execution_cap: 5,
  })
  const { id } = await corvus.observable('asked.example')
  const run = await corvus.ended(await corvus.run({ enrichers: [enricher.id], observables: [id] }))
  assert.equal(run.state, 'SUCCESS', JSON.stringify(run))
  const links = await corvus.ask('GET', `observable-links?filter[observable]=${id}`)
  assert.deepEqual(links.map(({ relation }: { relation: string }) => relation).sort(), [
    'abuse-contact',
    'name-server',
    'name-server',
    'registered-by',
  ])
  assert.partialDeepStrictEqual(await corvus.ask('GET', `enrichers/${enricher.id}`), { quota: [{ used: 2 }] })
})

test('a domain that was registered within 30 days is marked', () => {
  const now = Date.parse('1995-09-01T00:00:00Z')
  const isMarked = (time: number) =>
    recordFindings(DOMAIN, 'https://x.example/', time).some(
      (finding) => finding.kind === 'tag' && finding.value === 'newly-registered',
    )
  assert.equal(isMarked(now), true)
  assert.equal(isMarked(now + 30 * 86_400_000), false)
})

test('100 damaged records and 50 damaged lists of servers are results, or failures with a reason', async () => {
  const { url } = corvus.source
  const ask = await asking('damaged', { dns: [[['example'], [`${url}/damaged-registry`]]] })
  const whole = Buffer.from(JSON.stringify(DOMAIN))
  const seen = new Set<string>()
  for (let seed = 0; seed < 50; seed++) {
    for (const body of [corrupted(whole, seed), Buffer.from(JSON.stringify(corruptedJson(DOMAIN, seed)))]) {
      corvus.source.answers(
        '/damaged-registry/domain/asked.example',
        (response) => void response.writeHead(200).end(body),
      )
      const { state, reason } = await ask('domain', 'asked.example')
      seen.add(state)
      if (state === 'FAILED') assert.match(reason, /^The answer of the (service|server)/, `seed ${seed}`)
    }
  }
  assert.deepEqual([...seen].sort(), ['FAILED', 'FOUND'])
  const list = { services: [[['example'], [`${url}/registry/`]]] }
  for (let seed = 0; seed < 50; seed++) {
    corvus.source.answers(`/list${seed}/dns.json`, json(corruptedJson(list, seed)))
    const other = await lookUps(corvus, 'builtin:rdap', ['domain'], { bootstrap_url: `${url}/list${seed}` })
    const { state, reason } = await other('domain', 'asked.example')
    assert.ok(state !== 'FAILED' || /^The (list of RDAP servers|answer of the service|service)/.test(reason), reason)
  }
})
