import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { corrupted } from '../../../../../test/set-up/corrupted.ts'
import { startDnsServer } from '../../../../../test/set-up/dns-server.ts'
import { lookUps } from '../../../../../test/set-up/enricher-tables.ts'
import { detailsOf, type Enrichers, startEnrichers } from '../../../../../test/set-up/enrichers.ts'

let corvus: Enrichers
let names: Awaited<ReturnType<typeof startDnsServer>>
before(async () => {
  names = await startDnsServer()
  corvus = await startEnrichers()
  await corvus.startProcess()
})
after(async () => {
  await corvus.stop()
  await names.stop()
})

const link = (relation: string, type: string, value: string) => ({
  kind: 'link',
  relation,
  observable: { type, value },
})

const asking = (parameters: object = {}) =>
  lookUps(corvus, 'builtin:dns', ['domain', 'ipv4', 'ipv6'], { servers: [names.server], ...parameters })

test('the records of a name become links, and every question counts as a call', async () => {
  names.answers('asked.example A', ['198.51.100.7', '10.0.0.7'])
  names.answers('asked.example AAAA', ['2001:db8:0:0:0:0:0:7'])
  names.answers('asked.example MX', ['10 mx.asked.example'])
  names.answers('asked.example NS', ['ns1.provider.example'])
  names.answers('asked.example TXT', [
    'v=spf1 ip4:192.0.2.0/24 ip6:2001:db8::25 include:_spf.mail.example a:out.example/28 exists:%{i}.example ~all',
    'site-verification=7',
  ])
  const enricher = await corvus.ask('POST', 'enrichers', {
    name: 'names',
    enricher: 'builtin:dns',
    is_active: true,
    supported_observable_types: ['domain'],
    execution_cap: 8,
    parameters: { servers: [names.server] },
  })
  assert.equal(enricher.max_tlp, 'GREEN')
  const { id } = await corvus.observable('asked.example')
  const run = await corvus.ended(await corvus.run({ enrichers: [enricher.id], observables: [id] }))
  assert.equal(run.state, 'SUCCESS', JSON.stringify(run))
  const enrichment = await corvus.enrichmentOf(enricher.id, id)
  assert.deepEqual(enrichment.findings, [
    link('resolves-to', 'ipv4', '198.51.100.7'),
    link('resolves-to', 'ipv4', '10.0.0.7'),
    { kind: 'tag', value: 'private-address' },
    link('resolves-to', 'ipv6', '2001:db8::7'),
    link('mail-server', 'domain', 'mx.asked.example'),
    link('name-server', 'domain', 'ns1.provider.example'),
    link('allows-mail-from', 'ipv4-cidr', '192.0.2.0/24'),
    link('allows-mail-from', 'ipv6', '2001:db8::25'),
    link('allows-mail-from', 'domain', '_spf.mail.example'),
    link('allows-mail-from', 'domain', 'out.example'),
  ])
  assert.deepEqual(enrichment.warnings, [])
  assert.deepEqual(
    names.asked.filter((question) => question.startsWith('asked.')).map((question) => question.split(' ')[1]),
    ['A', 'AAAA', 'CNAME', 'MX', 'NS', 'TXT'],
  )
  const { quota } = await corvus.ask('GET', `enrichers/${enricher.id}`)
  assert.partialDeepStrictEqual(quota, [{ calls: 8, used: 6 }])
  assert.equal((await corvus.ask('GET', `observable-links?filter[observable]=${id}`)).length, 9)
  const raw = await corvus.call('GET', `enrichments/${enrichment.id}/raw`)
  assert.match(String(raw.body), /site-verification=7/)
})

test('addresses are resolved to names', async () => {
  const ask = await asking()
  names.answers('9.100.51.198.in-addr.arpa PTR', ['host9.provider.example'])
  const reverse = `9.0.0.0.${'0.'.repeat(20)}8.b.d.0.1.0.0.2.ip6.arpa PTR`
  names.answers(reverse, ['six.provider.example'])
  assert.deepEqual((await ask('ipv4', '198.51.100.9')).findings, [
    link('reverse-resolves-to', 'domain', 'host9.provider.example'),
  ])
  const six = await ask('ipv6', '2001:db8::9')
  assert.deepEqual(six.findings, [link('reverse-resolves-to', 'domain', 'six.provider.example')])
  assert.match(six.requests[0].url, /^dns:9\.0\.0\..*ip6\.arpa\?type=PTR$/)
  assert.equal((await ask('ipv4', '198.51.100.10')).state, 'EMPTY')
})

test('a name that does not exist is asked for once, and one without records is empty', async () => {
  const ask = await asking({ record_types: ['A', 'MX', 'NS'] })
  assert.equal((await ask('domain', 'absent.example')).state, 'EMPTY')
  assert.deepEqual(
    names.asked.filter((question) => question.startsWith('absent.')),
    ['absent.example A'],
  )
  names.answers('bare.example SOA', [])
  assert.equal((await ask('domain', 'bare.example')).state, 'EMPTY')
  assert.equal(names.asked.filter((question) => question.startsWith('bare.')).length, 3)
})

test('name servers that fail, refuse or are silent end a look-up with a sentence', async () => {
  const ask = await asking({ record_types: ['A', 'MX'] })
  for (const type of ['A', 'MX']) names.answers(`broken.example ${type}`, 'SERVFAIL')
  assert.match(
    (await ask('domain', 'broken.example')).reason,
    /^The name servers of broken.example do not answer properly/,
  )
  names.answers('half.example A', ['198.51.100.1'])
  names.answers('half.example MX', 'SERVFAIL')
  assert.partialDeepStrictEqual(await ask('domain', 'half.example'), {
    state: 'FOUND',
    warnings: ['The name servers of the zone do not answer for MX.'],
  })
  names.answers('refused.example A', 'REFUSED')
  assert.match((await ask('domain', 'refused.example')).reason, /the name servers refuse to answer/)
  names.answers('silent.example A', 'SILENCE')
  assert.match((await ask('domain', 'silent.example')).reason, /do not answer in time/)
})

test('name servers must be addresses that may be called', async () => {
  for (const server of ['10.0.0.53', '[::1]:53', '198.51.100.53:5353', '169.254.169.254']) {
    const ask = await asking({ servers: [server] })
    const { state, reason } = await ask('domain', 'guarded.example')
    assert.equal(state, 'FAILED')
    assert.match(reason, /is not a public address, and CORVUS_ALLOWED_NETWORKS does not list it/, server)
  }
  const bad = await corvus.call('POST', 'enrichers', {
    data: {
      name: 'named_server',
      enricher: 'builtin:dns',
      is_active: true,
      supported_observable_types: ['domain'],
      limits: [{ calls: 2, seconds: 60 }],
      parameters: { servers: ['dns.example', '192.0.2.1:99999'], record_types: ['PTR'] },
    },
  })
  assert.deepEqual(
    detailsOf(bad).map((detail) => detail.split(':')[0]),
    ['limits[0].calls', 'parameters.servers[0]', 'parameters.servers[1]', 'parameters.record_types[0]'],
  )
})

test('50 damaged answers are results, or failures with a reason', async () => {
  const ask = await asking({ record_types: ['A'] })
  // What follows the id of a message: one question, one answer.
  const whole = Buffer.concat([
    Buffer.from(
      '818000010001000000000764616d61676564076578616d706c650000010001c00c000100010000003c0004c6336407',
      'hex',
    ),
  ])
  const seen = new Set<string>()
  names.answers('damaged.example A', whole)
  assert.equal((await ask('domain', 'damaged.example')).state, 'FOUND')
  for (let seed = 0; seed < 50; seed++) {
    const bytes = corrupted(whole, seed)
    // A message that does not fit the question is ignored until the time is over: few of these are enough.
    if (!bytes.subarray(0, 31).equals(whole.subarray(0, 31)) && seed % 10 !== 0) continue
    names.answers('damaged.example A', bytes)
    const { state, reason } = await ask('domain', 'damaged.example')
    seen.add(state)
    if (state === 'FAILED') assert.match(reason, /^The name servers/, `seed ${seed}`)
  }
  assert.ok(seen.has('FAILED'), [...seen].join())
})
