import { z } from 'zod'

/**
 * Reads values as Zod would, without the records that Zod makes on the way: for a request with a thousand entities these
 * are most of the work. Whatever is not certain is left to Zod, which reads it again and says what is wrong with it.
 */

/** What a reader says of a value that it is not sure of. */
export const UNSURE = Symbol('unsure')

/** Gives a value as it is read, or `UNSURE`. */
export type Read = (value: unknown) => unknown

interface Reader {
  readonly read: Read
  /** Whether Zod refuses whatever this one is not sure of. */
  readonly isExact: boolean
}

// By definition: a schema that is described, or made optional, is another object with the same one.
const readers = new WeakMap<object, Reader>()

/** Says how values of a schema are read at once; what it gives must be what Zod would give. */
export function quickly<S extends z.ZodType>(schema: S, read: Read): S {
  readers.set(schema._zod.def, { read, isExact: false })
  return schema
}

/** How null is read where it stands for nothing at all. */
export const absentWhenNull = (schema: z.ZodType): z.ZodType => {
  const absent = schema.nullish().transform((value) => value ?? undefined)
  const reader = readerOf(schema)
  return reader
    ? quickly(absent, (value) => (value === null || value === undefined ? undefined : reader.read(value)))
    : absent
}

/** Reads what has the form of a schema at once; undefined where only Zod can. */
export const quickOf = (schema: z.ZodType): Read | undefined => readerOf(schema)?.read

/**
 * Lets a record look only at the properties that are there, and leaves it where it is. Of the forty that the data of an
 * entity may have, most are absent, and Zod asks for every one and copies the rest. Only for what nobody else holds, such
 * as the body of a request.
 */
export function sparse<S extends z.ZodObject>(schema: S): S {
  const internals = schema._zod
  const whole = internals.parse
  for (const type of Object.values(schema.shape)) own(type as z.ZodType)
  const read = inPlace(schema)
  readers.set(internals.def, checked(schema, { read, isExact: false }))
  const parse: typeof whole = (payload, ctx) => (read(payload.value) === UNSURE ? whole(payload, ctx) : payload)
  internals.parse = parse
  // Without checks of its own a schema runs what was its parser when it was made.
  if (internals.run === whole) internals.run = parse
  return schema
}

/** Lets the records inside of a record be read where they are, too. */
function own(type: z.ZodType): void {
  if (readers.has(type._zod.def)) return
  if (type instanceof z.ZodOptional || type instanceof z.ZodNullable) own(type.unwrap() as z.ZodType)
  else if (type instanceof z.ZodArray) own(type.element as z.ZodType)
  else if (type instanceof z.ZodUnion) for (const option of type.options) own(option as z.ZodType)
  else if (type instanceof z.ZodObject && type._zod.def.catchall instanceof z.ZodUnknown) {
    // Not this one inside of itself: such records are left to Zod.
    readers.set(type._zod.def, { read: () => UNSURE, isExact: false })
    for (const inner of Object.values(type.shape)) own(inner as z.ZodType)
    readers.set(type._zod.def, checked(type, { read: inPlace(type), isExact: false }))
  }
}

/** Lets an object be read at once into one of its own, with the properties that its schema has. */
export function apart<S extends z.ZodObject>(schema: S): S {
  const fields = fieldsOf(schema)
  if (!fields) return schema
  return quickly(schema, (value) => {
    if (!isRecord(value) || !hasAll(fields, value)) return UNSURE
    const kept: Record<string, unknown> = {}
    for (const key in value) {
      const read = fields.readers.get(key)
      if (!read) continue
      const result = read(value[key])
      if (result === UNSURE) return UNSURE
      kept[key] = result
    }
    return kept
  })
}

/** A reader of records that are changed where they are. */
function inPlace(schema: z.ZodObject): Read {
  const fields = fieldsOf(schema)
  if (!fields) return () => UNSURE
  return (value) => {
    if (!isRecord(value) || !hasAll(fields, value)) return UNSURE
    for (const key in value) {
      const read = fields.readers.get(key)
      if (!read) continue
      const given = value[key]
      const result = read(given)
      if (result === UNSURE) return UNSURE
      if (result !== given) value[key] = result
    }
    return value
  }
}

interface Fields {
  readonly readers: ReadonlyMap<string, Read>
  readonly required: readonly string[]
}

/** How the properties of an object are read; undefined where one that is absent would become something. */
function fieldsOf(schema: z.ZodObject): Fields | undefined {
  const found = new Map<string, Read>()
  const required: string[] = []
  for (const [key, type] of Object.entries(schema.shape) as [string, z.ZodType][]) {
    const absent = type.safeParse(undefined)
    if (!absent.success) required.push(key)
    else if (absent.data !== undefined) return undefined
    found.set(key, readerOrZod(type))
  }
  return { readers: found, required }
}

function hasAll({ required }: Fields, record: Record<string, unknown>): boolean {
  for (const key of required) if (!Object.hasOwn(record, key)) return false
  return true
}

function readerOrZod(type: z.ZodType): Read {
  const quick = readerOf(type)?.read
  const { run } = type._zod
  const slow: Read = (value) => {
    const result = run({ value, issues: [] }, { async: false })
    return result instanceof Promise || result.issues.length > 0 ? UNSURE : result.value
  }
  if (!quick) return slow
  return (value) => {
    const result = quick(value)
    return result === UNSURE ? slow(value) : result
  }
}

function readerOf(type: z.ZodType): Reader | undefined {
  const known = readers.get(type._zod.def)
  if (known) return known
  const plain = plainReaderOf(type)
  return plain && checked(type, plain)
}

const when = (isFine: (value: unknown) => boolean): Reader => ({
  read: (value) => (isFine(value) ? value : UNSURE),
  isExact: true,
})

function plainReaderOf(type: z.ZodType): Reader | undefined {
  if (type instanceof z.ZodOptional) return readerOf(type.unwrap() as z.ZodType)
  if (type instanceof z.ZodString && isPlain(type._zod.def)) return when((value) => typeof value === 'string')
  if (type instanceof z.ZodBoolean && isPlain(type._zod.def)) return when((value) => typeof value === 'boolean')
  if (type instanceof z.ZodEnum || type instanceof z.ZodLiteral) {
    const values = type._zod.values as ReadonlySet<unknown>
    return when((value) => values.has(value))
  }
  if (type instanceof z.ZodNumberFormat && isInteger(type._zod.def)) return when(Number.isSafeInteger)
  if (type instanceof z.ZodNullable) return nullable(readerOf(type.unwrap() as z.ZodType))
  if (type instanceof z.ZodDiscriminatedUnion) return byProperty(type)
  if (type instanceof z.ZodUnion) return firstOf(type.options.map((option) => readerOf(option as z.ZodType)))
  if (type instanceof z.ZodArray) return listOf(readerOf(type.element as z.ZodType))
  return undefined
}

/** Whether a text is any text, and not one of a format, or one that is made of something else. */
const isPlain = (def: object): boolean => !('format' in def && def.format) && !('coerce' in def && def.coerce)

const isInteger = ({ format, coerce }: z.core.$ZodNumberFormatDef): boolean => format === 'safeint' && !coerce

const nullable = (inner: Reader | undefined): Reader | undefined =>
  inner && { read: (value) => (value === null ? null : inner.read(value)), isExact: inner.isExact }

/** Of several forms the first counts that fits; one that is not sure leaves the rest to Zod. */
function firstOf(options: readonly (Reader | undefined)[]): Reader | undefined {
  const unknown = options.indexOf(undefined)
  const certain = options.slice(0, unknown < 0 ? undefined : unknown) as Reader[]
  const read: Read = (value) => {
    for (const option of certain) {
      const result = option.read(value)
      if (result !== UNSURE || !option.isExact) return result
    }
    return UNSURE
  }
  return options[0] && { read, isExact: certain.length === options.length && certain.every(({ isExact }) => isExact) }
}

function byProperty(type: z.ZodDiscriminatedUnion): Reader | undefined {
  const { discriminator } = type._zod.def
  const options = new Map<unknown, Read>()
  for (const option of type.options as z.ZodObject[]) {
    const read = readerOf(option)?.read
    for (const value of option._zod.propValues?.[discriminator] ?? []) if (read) options.set(value, read)
  }
  const read: Read = (value) => (isRecord(value) ? (options.get(value[discriminator])?.(value) ?? UNSURE) : UNSURE)
  return { read, isExact: false }
}

/** A list stays as it is; where an item is read as something else, another list is made. */
function listOf(item: Reader | undefined): Reader | undefined {
  if (!item) return undefined
  const read: Read = (value) => {
    if (!Array.isArray(value)) return UNSURE
    let list: unknown[] = value
    for (let i = 0; i < value.length; i++) {
      const result = item.read(value[i])
      if (result === UNSURE) return UNSURE
      if (result === value[i]) continue
      if (list === value) list = value.slice()
      list[i] = result
    }
    return list
  }
  return { read, isExact: item.isExact }
}

type Check = z.core.$ZodCheck<never>

/** A reader that does what the checks of a schema do. */
function checked(type: z.ZodType, { read, isExact }: Reader): Reader {
  const { checks = [] } = type._zod.def
  if (checks.length === 0) return { read, isExact }
  const tests = (checks as readonly Check[]).map(testOf)
  const readAndCheck: Read = (value) => {
    let result = read(value)
    for (const test of tests) {
      if (result === UNSURE) return UNSURE
      result = test(result)
    }
    return result
  }
  return { read: readAndCheck, isExact }
}

function testOf(check: Check): Read {
  const { def } = check._zod
  const bound = boundOf(def as unknown as Bound)
  if (bound) return (value) => (bound(value) ? value : UNSURE)
  // One list for all that is fine: it stays empty.
  let issues: z.core.$ZodRawIssue[] = []
  return (value) => {
    if (issues.length > 0) issues = []
    const payload = { value: value as never, issues }
    if (def.when && !def.when(payload)) return value
    const said = check._zod.check(payload)
    return said instanceof Promise || payload.issues.length > 0 ? UNSURE : payload.value
  }
}

interface Bound {
  readonly check: string
  readonly minimum?: number
  readonly maximum?: number
  readonly value?: unknown
  readonly inclusive?: boolean
}

/** The checks of limits at a glance. */
function boundOf({ check, minimum = 0, maximum = 0, value: limit, inclusive }: Bound): Read | undefined {
  const lengthOf = (value: unknown) => (value as string | unknown[]).length
  if (check === 'min_length') return (value) => lengthOf(value) >= minimum
  if (check === 'max_length') return (value) => lengthOf(value) <= maximum
  if (typeof limit !== 'number' || !inclusive) return undefined
  if (check === 'greater_than') return (value) => Number(value) >= limit
  if (check === 'less_than') return (value) => Number(value) <= limit
  return undefined
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
