import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FEATURES as SERVER_FEATURES } from '../../server/ai/features.ts'
import { PROVIDER_NAMES } from '../../server/ai/providers.ts'
import { openApi } from '../../server/http/openapi/openapi.ts'
import { resources, routes } from '../../server/registry.ts'
import { FEATURES } from '../../web/ai/feature-names.ts'
import { providerName } from '../../web/ai/made.ts'
import type { ApiDocument } from '../../web/api/document.ts'
import { collectionsOf } from '../../web/generic/collections.ts'
import { defaultColumns } from '../../web/generic/list-search.ts'
import { nameOf, targetOf, withAttribute } from '../../web/generic/references.ts'
import { PROVIDERS } from '../../web/settings/ai/providers.ts'
import { settingsOf } from '../../web/settings/settings.ts'

const about = { title: 'Corvus', version: '1', description: '', serverUrl: '' }
const document = JSON.parse(JSON.stringify(openApi(about, resources, routes))) as ApiDocument
const collections = collectionsOf(document)
const get = (slug: string) => {
  const model = collections.get(slug)
  assert.ok(model, slug)
  return model
}

test('every resource of the server is a collection with a list and a page', () => {
  assert.deepEqual(
    [...collections.keys()].sort(),
    resources.map(({ collection }) => collection.replaceAll('_', '-')).sort(),
  )
})

test('verbs match the API, each with its permission', () => {
  assert.deepEqual(get('users').verbs.create, { permission: 'modify users' })
  assert.deepEqual(Object.keys(get('audit-trail').verbs), ['list', 'get'])
  assert.equal(get('task-runs').path, 'tasks/runs')
})

test('fields have their referenced collection, link attributes and required flag', () => {
  const sources = get('groups').inputs.find(({ name }) => name === 'sources')
  assert.equal(sources?.kind, 'references')
  assert.equal(sources?.collection, 'sources')
  assert.equal(sources?.attribute?.name, 'allowed_tlp')
  assert.equal(get('users').inputs.find(({ name }) => name === 'roles')?.permission, 'modify user-roles')
  assert.equal(get('retention-policies').inputs.find(({ name }) => name === 'keep_days')?.isRequired, true)
  assert.ok(!get('tickets').inputs.some(({ name }) => name === 'created_at'))
})

test('actions and nested lists of an object are derived from its paths', () => {
  const webhooks = get('webhooks')
  assert.deepEqual(
    webhooks.actions.map(({ method, path }) => `${method} ${path('7')}`),
    ['POST webhooks/7/test'],
  )
  assert.deepEqual(
    webhooks.below.map(({ path }) => path('7')),
    ['webhooks/7/deliveries'],
  )
  assert.deepEqual(get('groups').actions, [])
})

test('tables start with the name and have a limited number of columns', () => {
  for (const { shown, slug } of collections.values()) {
    const columns = defaultColumns(shown)
    assert.ok(columns.length > 0 && columns.length <= 6, `${slug}: ${columns}`)
  }
  assert.equal(defaultColumns(get('tickets').shown)[0], 'name')
})

test('API URLs are resolved to their collection', () => {
  const target = targetOf('https://corvus.test/api/v2/tasks/runs/abc?role=admin', collections)
  assert.equal(target?.model.slug, 'task-runs')
  assert.deepEqual([target?.id, target?.attributes], ['abc', { role: 'admin' }])
  assert.equal(targetOf('https://elsewhere.test/x', collections), undefined)
  assert.equal(
    withAttribute('/api/v2/sources/1?allowed_tlp=RED', 'allowed_tlp', 'GREEN'),
    '/api/v2/sources/1?allowed_tlp=GREEN',
  )
})

test('the name of an object is found in any of its fields', () => {
  assert.equal(nameOf({ id: 1, username: 'ada' }), 'ada')
  assert.equal(nameOf({ id: 1, meta: { title: 'Alias' }, data: { title: 'Title' } }), 'Alias')
  assert.equal(nameOf({ id: 1, name: '' }), undefined)
})

test('every configuration record has a form with write-only secrets', () => {
  const settings = settingsOf(document)
  assert.ok(settings.length >= 12)
  const email = settings.find(({ name }) => name === 'email')
  assert.equal(email?.inputs.find(({ name }) => name === 'password')?.kind, 'secret')
  assert.deepEqual(
    email?.actions.map(({ path }) => path('')),
    ['configurations/email/test'],
  )
})

test('the page of language models has every provider and feature of the server', () => {
  assert.deepEqual(PROVIDERS.map(({ type }) => type).sort(), [...PROVIDER_NAMES].sort())
  assert.deepEqual(FEATURES.map(({ name }) => name).sort(), [...SERVER_FEATURES].sort())
  for (const { type } of PROVIDERS) assert.notEqual(providerName(type), type)
})
