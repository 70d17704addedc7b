import assert from 'node:assert/strict'
import { test } from 'node:test'
import { z } from 'zod'
import { entityData } from '../../server/intelligence/entities/entity-data.ts'
import { entityMeta } from '../../server/intelligence/entities/meta.ts'
import { isTimeName } from '../../web/forms/field-kind.ts'

/** The schemas inside of lists and optional fields. */
const bare = (schema: unknown): unknown => {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) return bare(schema.unwrap())
  return schema instanceof z.ZodArray ? bare(schema.element) : schema
}

/** Adds the names of all text fields in a schema, and whether they are times: these accept a date but no word. */
function addTexts(given: unknown, name: string, found: Map<string, boolean>, seen: Set<unknown>): void {
  const schema = bare(given)
  if (schema instanceof z.ZodUnion) for (const option of schema.options) addTexts(option, name, found, seen)
  if (schema instanceof z.ZodString) {
    found.set(name, schema.safeParse('2024-01-29').success && !schema.safeParse('heron').success)
  }
  if (!(schema instanceof z.ZodObject) || seen.has(schema)) return
  seen.add(schema)
  for (const [field, inner] of Object.entries(schema.shape)) addTexts(inner, field, found, seen)
}

test('forms and definitions agree on which fields are times', () => {
  const found = new Map<string, boolean>()
  const seen = new Set<unknown>()
  for (const schema of [...entityData.options, entityMeta]) addTexts(schema, '', found, seen)
  assert.ok(found.size > 50, `${found.size} texts`)
  assert.deepEqual(
    [...found].filter(([name, isTime]) => isTimeName(name) !== isTime).map(([name]) => name),
    [],
  )
})
