import assert from 'node:assert/strict'
import { test } from 'node:test'
import { INCOMING_TRANSPORTS, OUTGOING_TRANSPORTS } from '../server/feeds/transports/transports.ts'
import { openApi } from '../server/http/openapi/openapi.ts'
import { resources, routes } from '../server/registry.ts'
import type { Schemas } from '../web/api/schema.ts'
import { configurationOf, textOf, transportsIn } from '../web/feeds/transport-form.ts'

const about = { title: 'Corvus', version: '0', description: '', serverUrl: '' }
const { components } = openApi(about, resources, routes) as { components: { schemas: Schemas } }

test('the form has every transport of the server, with a label for each and for each of its fields', () => {
  for (const [kind, transports] of [
    ['incoming', INCOMING_TRANSPORTS],
    ['outgoing', OUTGOING_TRANSPORTS],
  ] as const) {
    const forms = transportsIn(components.schemas, kind)
    assert.deepEqual(
      forms.map(({ type, label }) => [type, label]),
      Object.values(transports).map(({ type, label }) => [type, label]),
    )
    for (const [i, { configuration }] of Object.values(transports).entries()) {
      const fields = forms[i]?.fields ?? []
      assert.deepEqual(
        fields.map(({ name }) => name),
        Object.keys(configuration.shape),
      )
      assert.deepEqual(
        fields.filter(({ name, label }) => label === name),
        [],
      )
    }
  }
})

test('every field has an input that suits its values', () => {
  const kinds = Object.fromEntries(
    [...transportsIn(components.schemas, 'incoming'), ...transportsIn(components.schemas, 'outgoing')].flatMap(
      ({ fields }) => fields.map(({ name, kind }) => [name, kind]),
    ),
  )
  assert.deepEqual(kinds, {
    url: 'text',
    username: 'text',
    password: 'secret',
    token: 'secret',
    api_key: 'secret',
    api_key_header: 'text',
    client_certificate: 'pem',
    client_key: 'secret',
    client_key_passphrase: 'secret',
    ca_certificate: 'pem',
    verify_ssl: 'switch',
    proxy: 'text',
    headers: 'pairs',
    timeout_seconds: 'number',
    signature_url: 'text',
    collection_id: 'text',
    added_after: 'text',
    page_size: 'number',
    tags: 'list',
    published_only: 'switch',
    fetch_articles: 'switch',
    path: 'text',
    pattern: 'text',
    is_recursive: 'switch',
    after: 'choice',
    method: 'choice',
    filename: 'text',
    recipients: 'list',
    subject: 'text',
    most_megabytes: 'number',
  })
})

test('a configuration contains the typed values, in the types that the server accepts', () => {
  const transport = transportsIn(components.schemas, 'incoming').find(({ label }) => label === 'MISP feed')
  assert.ok(transport)
  const texts = {
    url: ' https://misp.example/feed ',
    tags: 'tlp:white\n\n apt ',
    published_only: 'true',
    headers: 'X-A: b: c\nX-D',
    timeout_seconds: '60',
    password: ' spaces count ',
    proxy: '',
  }
  const configuration: Record<string, unknown> = configurationOf(transport.fields, texts)
  assert.deepEqual(
    { ...configuration },
    {
      url: 'https://misp.example/feed',
      tags: ['tlp:white', 'apt'],
      published_only: true,
      password: ' spaces count ',
      headers: { 'X-A': 'b: c', 'X-D': '' },
      timeout_seconds: 60,
    },
  )
  const again = Object.fromEntries(
    transport.fields.map((field) => [field.name, textOf(field, configuration[field.name])]),
  )
  assert.deepEqual(configurationOf(transport.fields, again), {
    ...configuration,
    api_key_header: 'X-API-Key',
    verify_ssl: true,
  })
})
