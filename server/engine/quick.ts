import { z } from 'zod'

/**
 * Readers that give what Zod gives, without the records that Zod makes for every value: for a request with a thousand
 * entities these are most of the work. A reader is a pure function. It is asked first; what it does not take, Zod reads
 * again, to say what is wrong with it.
 */

/** What a reader says of a value that Zod refuses. */
export const NOT_MINE = Symbol('not mine')

/** Reads a value as Zod would, or says `NOT_MINE`; never changes the value itself. */
export type Read = (value: unknown) => unknown

/** Readers of schemas that cannot be looked into, such as transforms. Values that they do not take are left to Zod. */
export type KnownReaders = ReadonlyMap<z.core.$ZodType, Read>

/** Compiles a schema into a reader; parts of a kind that is not known here are read by Zod. */
export function quickReader(schema: z.core.$ZodType, known: KnownReaders = new Map()): Read {
  return compile(schema, known, new Map())
}

function compile(schema: z.core.$ZodType, known: KnownReaders, made: Map<z.core.$ZodType, Read>): Read {
  const before = made.get(schema)
  if (before) return before
  // A schema may contain itself: until its reader is made, the inner one refers to it.
  let reader: Read | undefined
  made.set(schema, (value) => (reader ? reader(value) : NOT_MINE))
  const given = known.get(schema)
  const byZod = zodReader(schema)
  reader = given ? orBy(given, byZod) : (readerOf(schema, (inner) => compile(inner, known, made)) ?? byZod)
  made.set(schema, reader)
  return reader
}

const zodReader =
  (schema: z.core.$ZodType): Read =>
  (value) => {
    const result = z.safeParse(schema, value)
    return result.success ? result.data : NOT_MINE
  }

const orBy =
  (first: Read, second: Read): Read =>
  (value) => {
    const result = first(value)
    return result === NOT_MINE ? second(value) : result
  }

type Compile = (schema: z.core.$ZodType) => Read

/** The reader of a schema; undefined where Zod has to read. */
function readerOf(schema: z.core.$ZodType, inner: Compile): Read | undefined {
  if (schema instanceof z.ZodString) return stringReader(schema)
  if (!(schema instanceof z.ZodType) || schema.def.checks?.length) return undefined
  if (schema instanceof z.ZodOptional) return orElse(undefined, inner(schema.unwrap()))
  if (schema instanceof z.ZodNullable) return orElse(null, inner(schema.unwrap()))
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
  (isFine: (value: unknown) => boolean): Read =>
  (value) =>
    isFine(value) ? value : NOT_MINE

const oneOf = (values: ReadonlySet<unknown>): Read => when((value) => values.has(value))

const orElse =
  (nothing: null | undefined, read: Read): Read =>
  (value) =>
    value === nothing ? nothing : read(value)

/** Texts of any form; with bounds of their length where there are no other checks. */
function stringReader(schema: z.ZodString): Read | undefined {
  const { minLength, maxLength, format } = schema
  const checks = schema.def.checks?.length ?? 0
  const bounds = Number(minLength !== null) + Number(maxLength !== null)
  // One check of an exact length sets both bounds, and would hide another one.
  if (format || isCoerced(schema) || checks !== bounds || (bounds > 0 && minLength === maxLength)) return undefined
  const least = minLength ?? 0
  const most = maxLength ?? Number.POSITIVE_INFINITY
  return when((value) => typeof value === 'string' && isOfLength(value, least, most))
}

/** Zod counts code points, of which a text has between half as many and as many as UTF-16 units. */
function isOfLength(value: string, least: number, most: number): boolean {
  if (value.length <= most && value.length >= 2 * least) return true
  if (value.length < least || value.length > 2 * most) return false
  const length = Array.from(value).length
  return length >= least && length <= most
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
      if (result !== NOT_MINE) return result
    }
    return NOT_MINE
  }

/** Reads by the option that the discriminator names; what names none of them is left to Zod. */
function unionByProperty(schema: z.ZodDiscriminatedUnion, inner: Compile): Read {
  const { discriminator } = schema.def
  const options = new Map<unknown, Read>()
  for (const option of schema.options) {
    const named = option instanceof z.ZodObject ? option.shape[discriminator] : undefined
    if (named instanceof z.ZodLiteral) for (const value of named.values) options.set(value, inner(option))
  }
  const byZod = zodReader(schema)
  return (value) => (isRecord(value) ? (options.get(value[discriminator]) ?? byZod)(value) : NOT_MINE)
}

/** A list stays as it is; where an item is read as something else, another list is made. */
const listOf =
  (read: Read): Read =>
  (value) => {
    if (!Array.isArray(value)) return NOT_MINE
    let list: unknown[] = value
    // By position: an iterator over pairs takes longer than most items.
    for (let i = 0; i < value.length; i++) {
      const item = value[i]
      const result = read(item)
      if (result === NOT_MINE) return NOT_MINE
      if (result === item) continue
      if (list === value) list = value.slice()
      list[i] = result
    }
    return list
  }

/**
 * Reads the properties that are there: of the forty that the data of an entity may have, most are absent, and Zod asks for
 * each of them. A loose object stays as it is unless one of its properties is read as something else.
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
    // One that is absent becomes something: Zod knows what.
    else if (absent.data !== undefined) return undefined
    readers.set(key, inner(type))
  }
  const hasRequired = (record: Record<string, unknown>) => required.every((key) => Object.hasOwn(record, key))
  return (value) => {
    if (!isRecord(value) || !hasRequired(value)) return NOT_MINE
    const changed: Record<string, unknown> = {}
    let isChanged = !isLoose
    for (const key in value) {
      const read = readers.get(key)
      if (!read) continue
      const result = read(value[key])
      if (result === NOT_MINE) return NOT_MINE
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
