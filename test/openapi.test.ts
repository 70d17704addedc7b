import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createConfig, lintFromString } from '@redocly/openapi-core'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { collections } from '../server/collections.ts'
import { resources, routes } from '../server/registry.ts'
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

test('every route is in the document, with a unique operation id', () => {
  const operations = Object.values(document.paths).flatMap((path) => Object.values(path))
  assert.equal(operations.length, routes.length)
  assert.equal(new Set(operations.map(({ operationId }) => operationId)).size, operations.length)
})

test('every reference inside the document can be resolved', () => {
  const references = [...text.matchAll(/"\$ref":"#\/components\/schemas\/([^"]+)"/g)].map(([, name = '']) => name)
  assert.ok(references.length > 0)
  assert.deepEqual(
    references.filter((name) => !(name in document.components.schemas)),
    [],
  )
})

test('every filter of a list is described, with its values if they are few', () => {
  const undescribed = Object.values(resources).flatMap(({ collection, search, operations }) => {
    const parameters = (document.paths[`/api/v2/${collections[collection].path}`]?.get?.parameters ?? []) as Json[]
    const names = new Set(parameters.map(({ name }) => name))
    const filters = operations.list && names.size > 0 ? Object.keys(search?.filters ?? {}) : []
    return filters.filter((name) => !names.has(`filter[${name}]`)).map((name) => `${collection} ${name}`)
  })
  assert.deepEqual(undescribed, [])
  const ofNodes = document.paths['/api/v2/attacks']?.get?.parameters as Json[]
  const { schema } = ofNodes.find(({ name }) => name === 'filter[domains]') as { schema: { items: Json } }
  assert.deepEqual(schema.items.enum, ['enterprise-attack', 'mobile-attack', 'ics-attack', 'DISARM'])
})

test('write-only fields are in no response and read-only ones in no request body', () => {
  const schemas = document.components.schemas as Record<string, { properties: Json }>
  assert.ok(!('password' in (schemas.User?.properties ?? {})))
  assert.ok('password' in (schemas.UserCreate?.properties ?? {}))
  assert.ok(!('created_at' in (schemas.TicketCreate?.properties ?? {})))
})

test('fields describe their references, link attributes, permissions and secrets', () => {
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

test('every example is valid by its schema', () => {
  const ajv = new Ajv2020({ strict: false, allErrors: true })
  addFormats.default(ajv)
  ajv.addSchema({ ...document, $id: 'document' })
  const faults: string[] = []
  let examples = 0
  for (const [path, operations] of Object.entries(document.paths)) {
    for (const [method, { requestBody }] of Object.entries(operations)) {
      const contents = (requestBody as { content?: Record<string, Json> } | undefined)?.content ?? {}
      for (const [mediaType, content] of Object.entries(contents)) {
        if (!('example' in content)) continue
        examples++
        const steps = ['paths', path, method, 'requestBody', 'content', mediaType, 'schema']
        const pointer = steps.map((step) => encodeURIComponent(step.replaceAll('~', '~0').replaceAll('/', '~1')))
        const isRight = ajv.compile({ $ref: `document#/${pointer.join('/')}` })
        if (!isRight(content.example)) faults.push(`${method} ${path}: ${ajv.errorsText(isRight.errors)}`)
      }
    }
  }
  assert.ok(examples > 100, `${examples} examples`)
  assert.deepEqual(faults, [])
})

test('every collection that can be written has an example', () => {
  const without = Object.entries(document.paths).flatMap(([path, { post }]) => {
    const body = post?.requestBody as { content: Record<string, Json> } | undefined
    const isCreate = post?.operationId.startsWith('create_') && !path.includes('{')
    return isCreate && body && !('example' in (body.content['application/json'] ?? {})) ? [path] : []
  })
  assert.deepEqual(without, [])
})

test('no body of a PATCH has a default, so that omitted fields stay unchanged', () => {
  const patched = Object.values(document.paths).flatMap(({ patch }) => (patch ? [patch.requestBody] : []))
  const parts = Object.entries(document.components.schemas).filter(([name]) => name.endsWith('Patch'))
  assert.ok(patched.length > 30 && parts.length > 30)
  assert.deepEqual(
    [...patched, ...parts.map(([, schema]) => schema)].filter((schema) => /"default":/.test(JSON.stringify(schema))),
    [],
  )
})

test('the documentation page loads nothing from elsewhere', async () => {
  const page = await corvus.call('GET', '/docs/', undefined, null)
  assert.equal(page.status, 200)
  assert.ok(!/(src|href)="(https?:)?\/\//.test(page.body), page.body)
})
