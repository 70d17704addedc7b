import { z } from 'zod'

/**
 * Readers return what Zod returns, without the objects that Zod allocates for each value: in a request with a thousand entities,
 * these are most of the work. A reader is a pure function. It is tried first; a value that it declines is read again by Zod,
 * which reports what is wrong with it.
 */

/** Returned by a reader in place of a value that it cannot read, or that Zod would refuse. */
export const DECLINED = Symbol('declined')

/** Reads a value as Zod would, or returns `DECLINED`. Never modifies the value. */
export type Read = (value: unknown) => unknown

/** Readers of schemas that cannot be inspected, such as transforms. Zod reads the values that they decline. */
export type KnownReaders = ReadonlyMap<z.core.$ZodType, Read>

/** Compiles a schema into a reader. Zod reads the parts that this module cannot compile. */
export function compileReader(schema: z.core.$ZodType, known: KnownReaders = new Map()): Read {
  return compile(schema, known, new Map())
}

function compile(schema: z.core.$ZodType, known: KnownReaders, made: Map<z.core.$ZodType, Read>): Read {
  const existing = made.get(schema)
  if (existing) return existing
  // A schema may contain itself: the inner reader calls the outer one, which is assigned below.
  let reader: Read | undefined
  made.set(schema, (value) => (reader ? reader(value) : DECLINED))
  const given = known.get(schema)
  const byZod = zodReader(schema)
  reader = given ? firstOf([given, byZod]) : (readerOf(schema, (inner) => compile(inner, known, made)) ?? byZod)
  made.set(schema, reader)
  return reader
}

const zodReader =
  (schema: z.core.$ZodType): Read =>
  (value) => {
    const result = z.safeParse(schema, value)
    return result.success ? result.data : DECLINED
  }

type Compile = (schema: z.core.$ZodType) => Read

/** The reader of a schema, or undefined where Zod has to read. */
function readerOf(schema: z.core.$ZodType, inner: Compile): Read | undefined {
  if (schema instanceof z.ZodString) return stringReader(schema)
  if (!(schema instanceof z.ZodType) || schema.def.checks?.length) return undefined
  if (schema instanceof z.ZodOptional) return valueOr(undefined, inner(schema.unwrap()))
  if (schema instanceof z.ZodNullable) return valueOr(null, inner(schema.unwrap()))
  if (schema instanceof z.ZodBoolean && !isCoerced(schema)) return when((value) => typeof value === 'boolean')
  if (schema instanceof z.ZodNumber && !isCoerced(schema)) return numberReader(schema)
  if (schema instanceof z.ZodEnum) return oneOf(new Set<unknown>(schema.options))
  if (schema instanceof z.ZodLiteral) return oneOf(schema.values)
  if (schema instanceof z.ZodDiscriminatedUnion) return unionByProperty(schema, inner)
  if (schema instanceof z.ZodUnion) return firstOf(schema.options.map(inner))
  if (schema instanceof z.ZodArray) return listOf(inner(schema.element))
  if (schema instanceof z.ZodObject) return objectReader(schema, inner)
  return undefined
}

const isCoerced = ({ def }: z.ZodType): boolean => 'coerce' in def && def.coerce === true

const when =
  (isAccepted: (value: unknown) => boolean): Read =>
  (value) =>
    isAccepted(value) ? value : DECLINED

const oneOf = (values: ReadonlySet<unknown>): Read => when((value) => values.has(value))

const valueOr =
  (empty: null | undefined, read: Read): Read =>
  (value) =>
    value === empty ? empty : read(value)

/** Reads strings without checks other than bounds of their length. */
function stringReader(schema: z.ZodString): Read | undefined {
  const { minLength, maxLength, format } = schema
  const checks = schema.def.checks?.length ?? 0
  const bounds = Number(minLength !== null) + Number(maxLength !== null)
  // A check of an exact length sets both bounds, so the number of checks would not reveal another one.
  if (format || isCoerced(schema) || checks !== bounds || (bounds > 0 && minLength === maxLength)) return undefined
  const min = minLength ?? 0
  const max = maxLength ?? Number.POSITIVE_INFINITY
  return when((value) => typeof value === 'string' && hasLengthBetween(value, min, max))
}

/** Zod counts code points: a text has at least half as many as UTF-16 units, and at most as many. */
function hasLengthBetween(value: string, min: number, max: number): boolean {
  if (value.length <= max && value.length >= 2 * min) return true
  if (value.length < min || value.length > 2 * max) return false
  const length = Array.from(value).length
  return length >= min && length <= max
}

function numberReader({ format }: z.ZodNumber): Read | undefined {
  if (format === 'safeint') return when(Number.isSafeInteger)
  return format ? undefined : when(Number.isFinite)
}

const firstOf =
  (options: readonly Read[]): Read =>
  (value) => {
    for (const read of options) {
      const result = read(value)
      if (result !== DECLINED) return result
    }
    return DECLINED
  }

/** Reads by the option that the discriminator names. Zod reads values that name none. */
function unionByProperty(schema: z.ZodDiscriminatedUnion, inner: Compile): Read {
  const { discriminator } = schema.def
  const options = new Map<unknown, Read>()
  for (const option of schema.options) {
    const named = option instanceof z.ZodObject ? option.shape[discriminator] : undefined
    if (named instanceof z.ZodLiteral) for (const value of named.values) options.set(value, inner(option))
  }
  const byZod = zodReader(schema)
  return (value) => (isRecord(value) ? (options.get(value[discriminator]) ?? byZod)(value) : DECLINED)
}

/** Returns the list itself, or a copy if an item is read as another value. */
const listOf =
  (read: Read): Read =>
  (value) => {
    if (!Array.isArray(value)) return DECLINED
    let list: unknown[] = value
    // By position: iterating over entries takes longer than reading most items.
    for (let i = 0; i < value.length; i++) {
      const item = value[i]
      const result = read(item)
      if (result === DECLINED) return DECLINED
      if (result === item) continue
      if (list === value) list = value.slice()
      list[i] = result
    }
    return list
  }

/**
 * Reads only the properties that are present: of forty possible ones, most are absent, and Zod looks for each. Returns a loose
 * object itself unless one of its properties is read as another value.
 */
function objectReader(schema: z.ZodObject, inner: Compile): Read | undefined {
  const { catchall } = schema.def
  const isLoose = catchall instanceof z.ZodUnknown
  if (catchall && !isLoose) return undefined
  const readers = new Map<string, Read>()
  const required: string[] = []
  for (const [key, type] of Object.entries(schema.shape)) {
    const absent = z.safeParse(type, undefined)
    if (!absent.success) required.push(key)
    // An absent property would get a value, which only Zod knows.
    else if (absent.data !== undefined) return undefined
    readers.set(key, inner(type))
  }
  const hasRequired = (record: Record<string, unknown>) => required.every((key) => Object.hasOwn(record, key))
  return (value) => {
    if (!isRecord(value) || !hasRequired(value)) return DECLINED
    const changed: Record<string, unknown> = {}
    let isChanged = !isLoose
    for (const key in value) {
      const read = readers.get(key)
      if (!read) continue
      const result = read(value[key])
      if (result === DECLINED) return DECLINED
      if (isLoose && result === value[key]) continue
      changed[key] = result
      isChanged = true
    }
    if (!isChanged) return value
    return isLoose ? { ...value, ...changed } : changed
  }
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
