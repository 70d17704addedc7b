import type { z } from 'zod'

/**
 * Lets a record look only at the properties that are there. Of the forty that the data of an entity may have, most are
 * absent, and Zod asks for every one. What is wrong in the end is still said by Zod, which then reads the record again.
 */
export function sparse<S extends z.ZodObject>(schema: S): S {
  const internals = schema._zod
  const whole = internals.parse
  const types = new Map(Object.entries(schema.shape).map(([key, type]) => [key, (type as z.ZodType)._zod]))
  const required = [...types].filter(([, type]) => type.optin === undefined).map(([key]) => key)
  const parse: typeof whole = (payload, ctx) => {
    const input = payload.value
    if (typeof input !== 'object' || input === null || Array.isArray(input)) return whole(payload, ctx)
    for (const key of required) if (!Object.hasOwn(input, key)) return whole(payload, ctx)
    const value: Record<string, unknown> = {}
    for (const key of Object.keys(input)) {
      const given = (input as Record<string, unknown>)[key]
      const type = types.get(key)
      if (!type) {
        if (key !== '__proto__') value[key] = given
        continue
      }
      const result = type.run({ value: given, issues: [] }, ctx)
      if (result instanceof Promise || result.issues.length > 0) return whole(payload, ctx)
      if (result.value !== undefined) value[key] = result.value
    }
    payload.value = value
    return payload
  }
  internals.parse = parse
  // Without checks of its own a schema runs what was its parser when it was made.
  if (internals.run === whole) internals.run = parse
  return schema
}
