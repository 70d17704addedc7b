import { z } from 'zod'

/**
 * Lets a record look only at the properties that are there, and leaves it where it is. Of the forty that the data of an
 * entity may have, most are absent, and Zod asks for every one and copies the rest. What is wrong in the end is still
 * said by Zod, which then reads the record again. Only for what nobody else holds, such as the body of a request.
 */
export function sparse<S extends z.ZodObject>(schema: S): S {
  const internals = schema._zod
  const whole = internals.parse
  const types = new Map(
    Object.entries(schema.shape).map(([key, type]) => {
      const { _zod: inner } = type as z.ZodType
      return [key, { run: inner.run, isFine: glanceOf(type as z.ZodType), isRequired: inner.optin === undefined }]
    }),
  )
  const required = [...types].filter(([, { isRequired }]) => isRequired).map(([key]) => key)
  const parse: typeof whole = (payload, ctx) => {
    if (!isRecord(payload.value)) return whole(payload, ctx)
    const record = payload.value
    for (const key of required) if (!Object.hasOwn(record, key)) return whole(payload, ctx)
    for (const key of Object.keys(record)) {
      const type = types.get(key)
      if (!type) continue
      const given = record[key]
      if (type.isFine?.(given)) continue
      const result = type.run({ value: given, issues: [] }, ctx)
      if (result instanceof Promise || result.issues.length > 0) return whole(payload, ctx)
      if (result.value !== given) record[key] = result.value
    }
    return payload
  }
  internals.parse = parse
  // Without checks of its own a schema runs what was its parser when it was made.
  if (internals.run === whole) internals.run = parse
  return schema
}

type Glance = (value: unknown) => boolean

/** Tells at a glance that a value is fine as it is; undefined where the type is more than that. */
function glanceOf(type: z.ZodType): Glance | undefined {
  const { def } = type._zod
  if ('checks' in def && def.checks && def.checks.length > 0) return undefined
  if (type instanceof z.ZodOptional) return glanceOf(type.unwrap() as z.ZodType)
  if (type instanceof z.ZodString) return (value) => typeof value === 'string'
  if (type instanceof z.ZodBoolean) return (value) => typeof value === 'boolean'
  if (type instanceof z.ZodEnum || type instanceof z.ZodLiteral) {
    const values = type._zod.values as ReadonlySet<unknown>
    return (value) => values.has(value)
  }
  if (!(type instanceof z.ZodArray)) return undefined
  const isItemFine = glanceOf(type.element as z.ZodType)
  return isItemFine && ((value) => Array.isArray(value) && value.every(isItemFine))
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
