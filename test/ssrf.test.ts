import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { isThisMachine } from '../server/ai/calling/model-ports.ts'
import { root } from '../server/config.ts'
import { openOutbound, readNetwork } from '../server/ports/outbound.ts'
import { startApp } from './app.ts'
import { addressFields } from './set-up/address-fields.ts'
import {
  aiPlace,
  collectedPlace,
  downloadedPlace,
  type Place,
  previewedPlace,
  pushedPlace,
  steppedPlace,
  triedPlace,
} from './set-up/address-places.ts'
import { startServer } from './set-up/hostile-server.ts'
import { leadsAway, ssrfCorpus } from './set-up/ssrf-corpus.ts'

let corvus: Awaited<ReturnType<typeof startApp>>
/** Records every call that gets through. */
let canary: Awaited<ReturnType<typeof startServer>>
/** Serves the documents that are needed before an address is called. */
let origin: Awaited<ReturnType<typeof startServer>>
const strict = openOutbound([])
const open = openOutbound([readNetwork('127.0.0.1')].filter((network) => network !== undefined))

before(async () => {
  corvus = await startApp()
  canary = await startServer((_, response) => void response.end('{}'))
  origin = await startServer((_, response) => void response.end('{}'))
})

after(async () => {
  await Promise.all([strict.close(), open.close()])
  await canary.stop()
  await origin.stop()
  await corvus.stop()
})

const TARGET = 'http://8.8.8.8/'
const provider = { name: 'P', client_id: 'c', client_secret: 's' }
const taxii = { collection_id: 'c' }
const fetching = (name: string, more = {}) => ({
  [`incoming-transports.${name}: url`]: () => collectedPlace(strict, name, (url) => ({ url, ...more })),
  [`incoming-transports.${name}: proxy`]: () =>
    collectedPlace(strict, name, (proxy) => ({ url: TARGET, ...more, proxy })),
})

/** Every setting with an address that the server calls. Add new ones to this list. */
const CALLED: Record<string, () => Place> = {
  'webhooks: url': () =>
    triedPlace(corvus, 'webhooks', (url) => ({ name: 'W', url, secret: 'sent again for each address' })),
  'playbook-steps.webhook: url': () => steppedPlace(strict),
  'identity-providers: issuer': () => triedPlace(corvus, 'identity-providers', (issuer) => ({ ...provider, issuer })),
  'configurations/ai: base_url': () => aiPlace(corvus),
  'attacks/frameworks/preview: url': () => previewedPlace(corvus),
  'enricher-tables: url': () => downloadedPlace(corvus, strict),
  ...fetching('http-download'),
  ...fetching('taxii2', taxii),
  ...fetching('misp-feed'),
  ...fetching('rss'),
  'incoming-transports.http-download: signature_url': () =>
    collectedPlace(open, 'http-download', (signature_url) => ({ url: origin.url, signature_url })),
  'outgoing-transports.http-push: url': () => pushedPlace(strict, (url) => ({ url })),
  'outgoing-transports.http-push: proxy': () => pushedPlace(strict, (proxy) => ({ url: TARGET, proxy })),
}

/** The same for addresses among the parameters of adapters, which the documentation does not list as fields. */
const PARAMETERS: Record<string, () => Place> = {
  'detonators: parameters.url': () =>
    triedPlace(corvus, 'detonators', (url) => ({ adapter: 'cape', parameters: { url, api_key: 'given-again' } })),
}

/** Addresses that are stored and shown but never called, as the last test checks. */
const KEPT = [
  '/private/entities: external_references.url',
  // Shown with the result.
  'ai/web-enrichment/refine: enrichment_output.sources.url',
  'attack_analyses/import-layer: links.url',
  'attack_analyses/import-layer: techniques.links.url',
  'attack_analyses: ui_metadata.layer.links.url',
  'attack_analyses: ui_metadata.layer.techniques.links.url',
  'configuration-bundle-producers: api_url',
  'configurations/cover-page: url',
  'configurations/intel-report: logo_url',
  'configurations/stix: namespace',
  'csv-mappings: csv_url',
  // Sent to the sandbox, which opens it.
  'detonations: url',
  // Shown to people.
  'enrichers: source_urls',
  'entities: external_references.url',
  'files: inline_csv_mapping.csv_url',
  'user-identities: issuer',
]

test('every field that takes an address is listed here', async () => {
  const { body } = await corvus.call('GET', 'openapi.json', undefined, null)
  assert.deepEqual([...new Set(addressFields(body))].sort(), [...Object.keys(CALLED), ...KEPT].sort())
})

const REFUSED =
  /is not a public address|must be called over https|only http and https|must not contain credentials|belongs to another protocol|must be an http or https URL/

for (const [name, makePlace] of Object.entries({ ...CALLED, ...PARAMETERS })) {
  test(`${name} leads to no address of the corpus`, async () => {
    const place = makePlace()
    // The API is slower than the calls it makes, so one scheme per host is enough there.
    const schemes = name.includes('transports') ? undefined : ['https']
    // If another document is needed first, this machine is allowed. So it is for language models.
    const corpus = ssrfCorpus(canary.port, schemes).filter(
      ([, url]) =>
        (!name.endsWith('signature_url') || leadsAway(url, origin.url)) &&
        (!name.startsWith('configurations/ai') || !isThisMachine(url)),
    )
    assert.ok(corpus.length > 50)
    for (const [what, url] of corpus) {
      const said = JSON.stringify(await place(url))
      // Whether this name resolves depends on the machine.
      const isUnknown = what.endsWith('localhost.') && /ENOTFOUND|EAI_AGAIN/.test(said)
      assert.ok(REFUSED.test(said) || isUnknown, `${what}: ${said}`)
    }
    assert.deepEqual(canary.asked, [])
  })
}

/** Files that reach other servers without the guarded port, each with the reason. */
const OWN_WAYS: Record<string, string> = {
  'ports/blobs-s3.ts': 'calls the S3 server that the operator sets in the environment',
  'ports/mail.ts': 'speaks SMTP with the mail server',
  'ports/outbound.ts': 'is the guarded port',
  'ports/outbound/dispatchers.ts': 'is a part of it',
  'ports/outbound/resolve.ts': 'is a part of it',
}
const WAYS_OUT =
  /^import (?!type\b|\{ (?:type \w+|is\w+)(?:, (?:type \w+|is\w+))* \}).*'(?:undici|node:(?:https?|http2|net|tls|dgram|dns(?:\/promises)?))'|import\('(?:undici|s3mini|nodemailer)'\)|(?<![.\w] ?)fetch\(url|(?:WebSocket|EventSource)\(/m

test('no other file of the server reaches other servers', () => {
  const found = readdirSync(join(root, 'server'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .filter((file) => WAYS_OUT.test(readFileSync(join(root, 'server', file), 'utf8')))
  assert.deepEqual(found.sort(), Object.keys(OWN_WAYS).sort())
})
