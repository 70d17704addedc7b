import assert from 'node:assert/strict'
import { test } from 'node:test'
import { catalogueOf } from './catalogue.ts'
import type { EnricherFunction } from './enricher-queries.ts'

const named = (name: string, more: Partial<EnricherFunction> = {}): EnricherFunction => ({
  name,
  title: name,
  description: '',
  supported_types: ['ipv4'],
  parameters: {},
  secrets: [],
  limits: [],
  is_remote: true,
  requests_per_look_up: 1,
  source_urls: {},
  set_up: null,
  is_own: false,
  ...more,
})

const ALL = [
  named('builtin:dns', { supported_types: ['domain'] }),
  named('http:virustotal', { title: 'VirusTotal' }),
  named('http:ours', { is_own: true }),
  named('misp-module:whois'),
  named('table:kev', { description: 'Known exploited vulnerabilities', supported_types: ['cve'] }),
]

const shown = (searched: string) =>
  catalogueOf(ALL, searched).map(({ title, functions }) => [title, ...functions.map(({ name }) => name)])

test('functions are grouped by kind, and own definitions are apart from shipped services', () => {
  assert.deepEqual(shown(''), [
    ['Tables', 'table:kev'],
    ['Own definitions', 'http:ours'],
    ['Services', 'http:virustotal'],
    ['MISP modules', 'misp-module:whois'],
    ['Built-in', 'builtin:dns'],
  ])
})

test('all words are searched in name, title, description and types, without case', () => {
  assert.deepEqual(shown('VIRUSTOTAL'), [['Services', 'http:virustotal']])
  assert.deepEqual(shown('exploited cve'), [['Tables', 'table:kev']])
  assert.deepEqual(shown('domain'), [['Built-in', 'builtin:dns']])
  assert.deepEqual(shown('exploited ipv4'), [])
})
