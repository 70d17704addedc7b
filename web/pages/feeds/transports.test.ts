import assert from 'node:assert/strict'
import { test } from 'node:test'
import { INCOMING_TRANSPORTS, OUTGOING_TRANSPORTS, type Transport } from '../../../server/feeds/transports.ts'
import type { FeedKind } from '../../api/feeds.ts'
import { configurationOf, TRANSPORTS, textOf, transportOf } from './transports.ts'

test('forms cover all transports of the server and all their fields', () => {
  const all: Record<FeedKind, Record<string, Transport>> = {
    incoming: INCOMING_TRANSPORTS,
    outgoing: OUTGOING_TRANSPORTS,
  }
  for (const kind of ['incoming', 'outgoing'] as const) {
    const [forms, known] = [TRANSPORTS[kind], all[kind]]
    assert.deepEqual(forms.map(({ type }) => type).sort(), Object.keys(known).sort())
    for (const { type, fields } of forms) {
      const shape = known[type]?.configuration.shape ?? {}
      assert.deepEqual(fields.map(({ name }) => name).sort(), Object.keys(shape).sort(), type)
    }
  }
})

test('a configuration contains the typed values in the types that the server expects', () => {
  const transport = transportOf('incoming', 'eiq.incoming-transports.misp-feed')
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
  const configuration: Record<string, unknown> = configurationOf(transport, texts)
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
  assert.deepEqual(configurationOf(transport, again), {
    ...configuration,
    api_key_header: 'X-API-Key',
    verify_ssl: true,
  })
})
