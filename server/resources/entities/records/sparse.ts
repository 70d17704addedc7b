import type { z } from 'zod'

/**
 * Lets a record look only at the properties that are there, and leaves it where it is. Of the forty that the data of an
 * entity may have, most are absent, and Zod asks for every one and copies the rest. What is wrong in the end is still
 * said by Zod, which then reads the record again. Only for what nobody else holds, such as the body of a request.
 */
export function sparse<S extends z.ZodObject>(schema: S): S {
  const internals = schema._zod
  const whole = internals.parse
  const types = new Map(Object.entries(schema.shape).map(([key, type]) => [key, (type as z.ZodType)._zod]))
  const required = [...types].filter(([, type]) => type.optin === undefined).map(([key]) => key)
  const parse: typeof whole = (payload, ctx) => {
    if (!isRecord(payload.value)) return whole(payload, ctx)
    const record = payload.value
    for (const key of required) if (!Object.hasOwn(record, key)) return whole(payload, ctx)
    for (const key of Object.keys(record)) {
      const type = types.get(key)
      if (!type) continue
      const given = record[key]
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

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
