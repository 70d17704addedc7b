import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { corrupted } from '../../../../../test/set-up/corrupted.ts'
import { loadedTable, lookUps, sendContent } from '../../../../../test/set-up/enricher-tables.ts'
import { type Enrichers, startEnrichers } from '../../../../../test/set-up/enrichers.ts'
import { mmdbOf } from '../../../../../test/set-up/mmdb.ts'

let corvus: Enrichers
before(async () => {
  corvus = await startEnrichers()
  await corvus.startProcess()
})
after(() => corvus.stop())

interface Case {
  readonly name: string
  readonly table: Record<string, unknown>
  readonly content: string | Buffer
  readonly parameters?: Record<string, unknown>
  readonly found: readonly [type: string, value: string, findings: readonly object[]]
  readonly missing: readonly [type: string, value: string]
}

const tag = (value: string) => ({ kind: 'tag', value })
const link = (relation: string, type: string, value: string) => ({
  kind: 'link',
  relation,
  observable: { type, value },
})

const CASES: readonly Case[] = [
  {
    name: 'geoip',
    table: { format: 'mmdb' },
    content: mmdbOf({
      '203.0.113.0/24': { country: { iso_code: 'NL' }, city: { names: { en: 'Utrecht' } } },
      '2001:db8::/32': { country_code: 'DE' },
    }),
    found: [
      'ipv4',
      '203.0.113.9',
      [tag('country:NL'), link('located-in', 'country-code', 'NL'), link('located-in', 'city', 'Utrecht')],
    ],
    missing: ['ipv4', '198.51.100.1'],
  },
  {
    name: 'asn',
    table: {
      format: 'csv',
      columns: ['start', 'end', 'as_number', 'country_code', 'as_description'],
      key_column: 'start',
      end_column: 'end',
    },
    content: gzipSync(
      [
        '198.51.100.0\t198.51.100.255\t64500\tNL\tEXAMPLE-NET Example, "Carrier", Inc.',
        '203.0.113.0\t203.0.113.255\t0\tNone\tNot routed',
        '2001:db8::\t2001:db8:ffff:ffff:ffff:ffff:ffff:ffff\t64501\tDE\tEXAMPLE-SIX',
      ].join('\n'),
    ),
    found: [
      'ipv4',
      '198.51.100.7',
      [link('announced-by', 'asn', 'AS64500'), tag('as:64500'), tag('as-name:EXAMPLE-NET Example, "Carrier", Inc.')],
    ],
    missing: ['ipv4', '203.0.113.7'],
  },
  {
    name: 'kev',
    table: { format: 'json', key_column: 'cveID' },
    content: JSON.stringify({
      title: 'CISA Catalog of Known Exploited Vulnerabilities',
      count: 1,
      vulnerabilities: [
        {
          cveID: 'CVE-2021-44228',
          vendorProject: 'Apache',
          product: 'Log4j2',
          vulnerabilityName: 'Apache Log4j2 Remote Code Execution Vulnerability',
          dateAdded: '2021-12-10',
          shortDescription: 'Apache Log4j2 contains a vulnerability.',
          requiredAction: 'Apply updates.',
          dueDate: '2021-12-24',
          knownRansomwareCampaignUse: 'Known',
        },
      ],
    }),
    found: [
      'cve',
      'CVE-2021-44228',
      [
        { kind: 'verdict', maliciousness: 'high', reason: 'Known to be exploited, also by ransomware.' },
        tag('known-exploited'),
        tag('ransomware'),
        {
          kind: 'reference',
          url: 'https://nvd.nist.gov/vuln/detail/CVE-2021-44228',
          title: 'Apache Log4j2 Remote Code Execution Vulnerability',
          description: 'Added 2021-12-10. Due 2021-12-24. Apply updates.',
        },
        {
          kind: 'entity',
          type: 'exploit-target',
          id: 'CVE-2021-44228',
          title: 'CVE-2021-44228 Apache Log4j2 Remote Code Execution Vulnerability',
          description: 'Apache Log4j2 contains a vulnerability.',
        },
      ],
    ],
    missing: ['cve', 'CVE-2020-0001'],
  },
  {
    name: 'epss',
    table: { format: 'csv', key_column: 'cve' },
    content: gzipSync(
      '#model_version:v2025.03.14,score_date:2026-01-01T00:00:00+0000\ncve,epss,percentile\nCVE-2021-44228,0.94358,0.99955\n',
    ),
    parameters: { high_from: 0.5 },
    found: [
      'cve',
      'CVE-2021-44228',
      [
        {
          kind: 'verdict',
          maliciousness: 'high',
          reason: 'Exploited within 30 days with a probability of 94.4%.',
        },
        tag('epss:94.4%'),
        tag('epss-percentile:100%'),
      ],
    ],
    missing: ['cve', 'CVE-2020-0001'],
  },
  {
    name: 'tranco',
    table: { format: 'csv', columns: ['rank', 'domain'], key_column: 'domain' },
    content: '1,popular.example\n2500,less.example\n',
    parameters: { safe_up_to: 10 },
    found: [
      'host',
      'www.popular.example',
      [{ kind: 'verdict', maliciousness: 'safe', reason: 'popular.example has rank 1.' }, tag('tranco:top-100')],
    ],
    missing: ['domain', 'unpopular.example'],
  },
  {
    name: 'warning-list',
    table: { format: 'json' },
    content: JSON.stringify([
      { name: 'Public resolvers', version: 1, type: 'cidr', matching_attributes: ['ip-src'], list: ['192.0.2.53/32'] },
      { name: 'Clouds', version: 1, type: 'cidr', list: ['192.0.2.0/24', '2001:db8::/32'] },
      { name: 'Top sites', version: 1, type: 'hostname', list: ['popular.example'] },
      { name: 'Exact names', version: 1, type: 'string', list: ['exact.example'] },
    ]),
    found: ['ipv4', '192.0.2.53', [tag('warning-list:Public resolvers'), tag('warning-list:Clouds')]],
    missing: ['domain', 'www.exact.example'],
  },
  {
    name: 'tor-exits',
    table: { format: 'list' },
    content: '# Exit addresses\n198.51.100.21\n2001:0db8:0::21\n',
    parameters: { verdict: 'low' },
    found: [
      'ipv6',
      '2001:db8::21',
      [{ kind: 'verdict', maliciousness: 'low', reason: 'A Tor exit node.' }, tag('tor-exit')],
    ],
    missing: ['ipv4', '198.51.100.22'],
  },
  {
    name: 'disposable-mail',
    table: { format: 'list' },
    content: 'short.example\r\nbrief.example\r\n',
    found: [
      'email',
      'anyone@mx.short.example',
      [
        { kind: 'verdict', maliciousness: 'low', reason: 'short.example offers disposable addresses.' },
        tag('disposable-mail'),
      ],
    ],
    missing: ['email', 'anyone@lasting.example'],
  },
  {
    name: 'oui',
    table: { format: 'csv', key_column: 'Assignment' },
    content:
      'Registry,Assignment,Organization Name,Organization Address\nMA-L,00005E,"Example Assigned, Inc.",Anywhere\nMA-S,00005E005,Small Example,Elsewhere\n',
    found: [
      'mac-48',
      '00:00:5e:00:53:01',
      [tag('manufacturer:Small Example'), link('manufactured-by', 'organization', 'Small Example')],
    ],
    missing: ['mac-48', '00:00:5f:00:53:01'],
  },
]

for (const { name, table, content, parameters = {}, found, missing } of CASES) {
  test(`table:${name} finds what its table says, and says which table to load`, async () => {
    const [type, value, findings] = found
    const ask = await lookUps(corvus, `table:${name}`, [type, missing[0]], parameters)
    const skipped = await ask(type, value)
    assert.equal(skipped.state, 'SKIPPED')
    assert.match(skipped.reason, new RegExp(`^The table '${name}' is not loaded. Create the table \`${name}\``))
    await loadedTable(corvus, { name, ...table }, content)
    const answer = await ask(type, value)
    assert.deepEqual(answer.findings, findings)
    assert.equal(answer.state, 'FOUND')
    assert.deepEqual(answer.warnings, [])
    assert.deepEqual(answer.requests, [])
    assert.partialDeepStrictEqual(await ask(...missing), { state: 'EMPTY', findings: [] })
  })
}

test('functions for tables say how to set them up, and send nothing', async () => {
  const listed = await corvus.ask('GET', 'enrichers/functions')
  const tables = listed.filter(
    (known: { name: string; is_own: boolean }) => known.name.startsWith('table:') && !known.is_own,
  )
  assert.equal(tables.length, 9)
  for (const { name, set_up, is_remote, requests_per_look_up } of tables) {
    assert.match(set_up, /^Create the table/, name)
    assert.deepEqual([is_remote, requests_per_look_up], [false, 0])
  }
})

test('a table of the organisation is a function of its own, with verdict, tags, columns and links', async () => {
  const early = await corvus.call('POST', 'enrichers', {
    data: { name: 'early', enricher: 'table:blocked', is_active: true, supported_observable_types: ['domain'] },
  })
  assert.equal(early.status, 400)
  await loadedTable(
    corvus,
    { name: 'blocked', format: 'csv', key_column: 'what' },
    'what;level;team;ticket\nbad.example;high;SOC;https://tickets.example/7\n203.0.113.0/28;odd;NOC;\n203.0.113.5;low;;\n',
  )
  const functions = await corvus.ask('GET', 'enrichers/functions')
  assert.partialDeepStrictEqual(
    functions.find((known: { name: string }) => known.name === 'table:blocked'),
    { title: 'Own table: blocked', is_own: true },
  )
  const parameters = {
    verdict: 'medium',
    verdict_column: 'level',
    tags: ['blocked'],
    columns: ['team'],
    links: [{ column: 'ticket', type: 'uri', relation: 'tracked-by' }],
  }
  const types = ['domain', 'uri', 'ipv4', 'email']
  const ask = await lookUps(corvus, 'table:blocked', types, parameters)
  const bad = [
    { kind: 'verdict', maliciousness: 'high', reason: "Listed as bad.example in the table 'blocked'." },
    tag('blocked'),
    tag('team:SOC'),
    link('tracked-by', 'uri', 'https://tickets.example/7'),
  ]
  for (const [type, value] of [
    ['domain', 'www.bad.example'],
    ['uri', 'https://bad.example/login'],
    ['email', 'x@bad.example'],
  ] as const) {
    assert.deepEqual((await ask(type, value)).findings, bad, value)
  }
  assert.partialDeepStrictEqual(await ask('ipv4', '203.0.113.5'), {
    findings: [{ maliciousness: 'low' }, tag('blocked'), tag('team:NOC')],
    warnings: ["'odd' is not a verdict: safe, low, medium, high."],
  })
  assert.equal((await ask('ipv4', '203.0.113.16')).state, 'EMPTY')
  const exact = await lookUps(corvus, 'table:blocked', types, { match_parents: false })
  assert.equal((await exact('domain', 'www.bad.example')).state, 'EMPTY')
  assert.deepEqual((await exact('domain', 'bad.example')).findings, [tag('listed:blocked')])
  assert.equal((await exact('uri', 'http://203.0.113.6/')).state, 'FOUND')
})

test('a run with a table stores verdict, links and entity, and a new version of the table changes the next result', async () => {
  const table = await loadedTable(
    corvus,
    { name: 'hosts', format: 'csv', key_column: 'name' },
    'name,asset\nold.example,192.0.2.80\n',
  )
  const enricher = await corvus.ask('POST', 'enrichers', {
    enricher: 'table:hosts',
    name: 'hosts',
    is_active: true,
    supported_observable_types: ['domain'],
    parameters: {
      verdict: 'high',
      tags: ['listed'],
      links: [{ column: 'asset', type: 'ipv4', relation: 'hosted-on' }],
    },
  })
  assert.equal(enricher.max_tlp, null)
  const { id } = await corvus.observable('old.example')
  const run = await corvus.ended(await corvus.run({ enrichers: [enricher.id], observables: [id] }))
  assert.equal(run.state, 'SUCCESS', JSON.stringify(run))
  const enrichment = await corvus.enrichmentOf(enricher.id, id)
  assert.partialDeepStrictEqual(enrichment, {
    state: 'FOUND',
    findings: [{ kind: 'verdict' }, tag('listed'), { kind: 'link' }],
  })
  assert.equal((await corvus.ask('GET', `observables/${id}`)).meta.maliciousness, 'high')
  const [stored] = await corvus.ask('GET', `observable-links?filter[observable]=${id}`)
  assert.equal(stored.relation, 'hosted-on')

  assert.equal((await sendContent(corvus, table.id, 'name,asset\nnew.example,192.0.2.81\n')).status, 200)
  await corvus.ended(await corvus.run({ enrichers: [enricher.id], observables: [id], force: true }))
  assert.partialDeepStrictEqual(await corvus.enrichmentOf(enricher.id, id), { state: 'EMPTY', findings: [] })
  assert.equal((await corvus.ask('GET', `observables/${id}`)).meta.maliciousness, 'unknown')

  await corvus.ask('DELETE', `enricher-tables/${table.id}`)
  const gone = await corvus.ended(await corvus.run({ enrichers: [enricher.id], observables: [id], force: true }))
  assert.equal(gone.state, 'FAILURE')
  assert.match(gone.error_detail, /There is no function 'table:hosts'/)
})

test('a table of KEV creates the vulnerability as an entity', async () => {
  const enricher = await corvus.ask('POST', 'enrichers', {
    enricher: 'table:kev',
    name: 'kev_run',
    is_active: true,
    supported_observable_types: ['cve'],
  })
  const { id } = await corvus.observable('CVE-2021-44228', { type: 'cve' })
  const run = await corvus.ended(await corvus.run({ enrichers: [enricher.id], observables: [id] }))
  assert.equal(run.state, 'SUCCESS', JSON.stringify(run))
  const [entity] = await corvus.ask('GET', `entities?filter[observables]=${id}`)
  assert.partialDeepStrictEqual(entity.data, {
    type: 'exploit-target',
    description: 'Apache Log4j2 contains a vulnerability.',
  })
})

test('50 damaged databases are refused with a 400, or looked up without an internal error', async () => {
  const whole = mmdbOf({ '203.0.113.0/24': { country: { iso_code: 'NL' } }, '2001:db8::/32': { country_code: 'DE' } })
  const { id } = await corvus.ask('POST', 'enricher-tables', { name: 'damaged', format: 'mmdb' })
  const ask = await lookUps(corvus, 'table:geoip', ['ipv4', 'ipv6'], { table: 'damaged' })
  const seen = new Set<string>()
  for (let seed = 0; seed < 50; seed++) {
    const { status, body } = await sendContent(corvus, id, corrupted(whole, seed))
    seen.add(String(status))
    if (status === 400) {
      assert.match(body[0].detail, /^data: (is not a MaxMind database, or damaged|must not be empty)/)
      continue
    }
    assert.equal(status, 200, JSON.stringify(body))
    for (const [type, value] of [
      ['ipv4', '203.0.113.9'],
      ['ipv6', '2001:db8::1'],
    ] as const) {
      const { state } = await ask(type, value)
      assert.ok(['FOUND', 'EMPTY', 'FAILED'].includes(state), state)
    }
  }
  assert.ok(seen.has('400'))
})
