import assert from 'node:assert/strict'
import { after } from 'node:test'
import { startApp } from '../app.ts'
import { isCounted, makeCounter } from './counting.ts'

const { count, statementsOf: countStatements } = makeCounter()

/** The application of the importing test file. */
export const corvus = await startApp((statement) => {
  if (isCounted(statement)) count()
})
after(() => corvus.stop())

/** Counts the statements of a request, except those for authentication and audit. */
export const statementsOf = countStatements

type Attribute = { name: string; data_type: string; allowed_values?: unknown[]; default_value?: unknown }

/** Defines a custom type, or adds custom attributes to a built-in one. */
export async function define(type: string, attributes: readonly Attribute[] = []): Promise<number> {
  const own = attributes.map(({ default_value: _, ...attribute }) => attribute)
  const made = own.length === 0 ? [] : (await corvus.call('PUT', 'custom-attributes', own)).body.data
  const sent = attributes.map(({ default_value = null }, i) => ({ custom_attribute_id: made[i].id, default_value }))
  const { status, body } = await corvus.call('PUT', 'entity-definitions', [{ name: type, type, attributes: sent }])
  assert.ok(status < 300, JSON.stringify(body))
  return body.data[0].id
}

/** An entity of a custom type. */
export const custom = (type: string, rest: object = {}) => ({
  data: { type: 'custom-entity', custom_entity_type: type, title: 'Custom', ...rest },
})
export const post = (data: object) => corvus.call('POST', 'entities', { data })
export const details = (body: { detail: string }[]) => body.map(({ detail }) => detail)

/** Creates an entity. */
export async function make(data: object) {
  const { status, body } = await post(data)
  assert.equal(status, 201, JSON.stringify(body))
  return body.data
}
