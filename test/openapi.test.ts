import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createConfig, lintFromString } from '@redocly/openapi-core'
import { routes } from '../server/registry.ts'
import { startApp } from './app.ts'

type Json = Record<string, unknown>
interface Operation extends Json {
  operationId: string
  responses: Json
}

let corvus: Awaited<ReturnType<typeof startApp>>
let text: string
let document: { paths: Record<string, Record<string, Operation>>; components: { schemas: Json } }
before(async () => {
  corvus = await startApp()
  document = (await corvus.call('GET', 'openapi.json', undefined, null)).body
  text = JSON.stringify(document)
})
after(() => corvus.stop())

test('the document passes a public linter', async () => {
  const config = await createConfig({ extends: ['recommended'] })
  const problems = await lintFromString({ source: text, config })
  assert.deepEqual(
    problems.filter(({ severity }) => severity === 'error').map(({ ruleId, message }) => `${ruleId}: ${message}`),
    [],
  )
})

test('every route is in the document, under an id of its own', () => {
  const operations = Object.values(document.paths).flatMap((path) => Object.values(path))
  assert.equal(operations.length, routes.length)
  assert.equal(new Set(operations.map(({ operationId }) => operationId)).size, operations.length)
})

test('every reference inside the document leads somewhere', () => {
  const references = [...text.matchAll(/"\$ref":"#\/components\/schemas\/([^"]+)"/g)].map(([, name = '']) => name)
  assert.ok(references.length > 0)
  assert.deepEqual(
    references.filter((name) => !(name in document.components.schemas)),
    [],
  )
})

test('write-only fields are in no answer and read-only ones in no body', () => {
  const schemas = document.components.schemas as Record<string, { properties: Json }>
  assert.ok(!('password' in (schemas.User?.properties ?? {})))
  assert.ok('password' in (schemas.UserCreate?.properties ?? {}))
  assert.ok(!('created_at' in (schemas.TicketCreate?.properties ?? {})))
})

test('fields tell what they refer to, what their links carry, what they need and what is kept secret', () => {
  const schemas = document.components.schemas as Record<string, { properties: Record<string, Json> }>
  const sources = schemas.GroupCreate?.properties.sources
  assert.equal(sources?.['x-corvus-collection'], 'sources')
  assert.equal((sources?.['x-corvus-attribute'] as Json | undefined)?.name, 'allowed_tlp')
  assert.equal(schemas.User?.properties.roles?.['x-corvus-permission'], 'modify user-roles')
  assert.equal(schemas.Webhook?.properties.secret?.format, 'password')
  assert.equal(schemas.User?.properties.is_admin?.readOnly, true)
  assert.equal(schemas.TicketCreate?.properties.due_at?.format, 'date-time')
  assert.equal(document.paths['/api/v2/users']?.get?.['x-corvus-permission'], 'read users')
})

test('the documentation page loads nothing from elsewhere', async () => {
  const page = await corvus.call('GET', '/docs/', undefined, null)
  assert.equal(page.status, 200)
  assert.ok(!/(src|href)="(https?:)?\/\//.test(page.body), page.body)
})
