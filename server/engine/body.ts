import { z } from 'zod'
import { collections } from '../collections.ts'
import { compileReader, DECLINED, type Read } from '../fast/compiled-reader.ts'
import type { Item } from './context.ts'
import { badRequest } from './errors.ts'
import type { ExposedResource } from './exposed-resource.ts'
import { type Field, PASS_THROUGH } from './field-class.ts'
import { inTurns } from './in-turns.ts'

/** The schema of the body of POST, and of one item of PUT. */
export const createSchema = once((resource) => bodySchema(resource, true))

/** A faster reader of what `createSchema` accepts. */
const createReader = once((resource): Read => {
  const { shape } = createSchema(resource)
  const known = new Map<z.core.$ZodType, Read>()
  for (const [name, { props }] of Object.entries(resource.fields)) {
    const schema = shape[name]
    if (!schema) continue
    const read = compileReader(props.input, new Map(props.read && [[props.input, props.read]]))
    known.set(schema, isAbsentWhenNull(props) ? (value) => (value === null ? undefined : read(value)) : read)
  }
  return compileReader(createSchema(resource), known)
})

/** The schema of the body of PATCH: nothing is required, and documents are validated after they are merged. */
export const patchSchema = once((resource) => bodySchema(resource, false))

/** The schema of an object in responses. */
export const outputSchema = once((resource) => {
  const id = collections[resource.collection].id === 'uuid' ? z.uuid() : z.int()
  const shape: Record<string, z.ZodType> = { id }
  for (const [name, { props }] of Object.entries(resource.fields)) {
    if (props.access !== 'write-only' && props.access !== 'hidden') shape[name] = described(props.output, props.doc)
  }
  return z.object(shape)
})

/** Derives something from a resource once, so that the OpenAPI document can name a schema wherever it is used. */
function once<T>(make: (resource: ExposedResource) => T): (resource: ExposedResource) => T {
  const made = new WeakMap<ExposedResource, T>()
  return (resource) => {
    const derived = made.get(resource) ?? make(resource)
    made.set(resource, derived)
    return derived
  }
}

// Zod drops unknown and read-only fields, because clients send back what they received.
function bodySchema(resource: ExposedResource, isWhole: boolean): z.ZodObject {
  const shape: Record<string, z.ZodType> = resource.key.includes('id') ? { id: chosenId } : {}
  for (const [name, { props }] of Object.entries(resource.fields)) {
    if (props.access === 'read-only' || props.access === 'hidden') continue
    const schema = described(isDocument(props) && !isWhole ? patchOf(props.input) : props.input, props.doc)
    shape[name] =
      isWhole && props.isRequired ? schema : isWhole ? perhapsAbsent(schema, props) : resettable(schema, props)
  }
  return z.object(shape)
}

const isDocument = ({ storage }: Field['props']): boolean =>
  storage.kind === 'document' || (storage.kind === 'column' && storage.type === 'jsonb')

/** An id that the client chooses, in the form in which the database returns it. */
const chosenId = z
  .guid('must be a UUID')
  .toLowerCase()
  .nullish()
  .transform((id) => id ?? undefined)

const described = (schema: z.ZodType, doc?: string): z.ZodType => (doc ? schema.describe(doc) : schema)

/** A partial document may lack required properties. */
const patchOf = (schema: z.ZodType): z.ZodType => {
  const inner = schema instanceof z.ZodNullable ? schema.unwrap() : schema
  const part = inner instanceof z.ZodObject ? z.looseObject({}) : z.unknown().refine(isPresent, MUST_BE_PRESENT)
  return schema instanceof z.ZodNullable ? part.nullable() : part
}

const isPresent = (value: unknown): boolean => value !== null
const MUST_BE_PRESENT = 'must not be null'

const perhapsAbsent = (schema: z.ZodType, { isNullable }: Field['props']): z.ZodType =>
  isNullable ? schema.optional() : schema.nullish().transform((value) => value ?? undefined)

/** Whether null in a new object means the same as an absent value. */
const isAbsentWhenNull = ({ isRequired, isNullable }: Field['props']): boolean => !isRequired && !isNullable

const resettable = (schema: z.ZodType, { isNullable, fallback }: Field['props']): z.ZodType =>
  !isNullable && fallback !== undefined ? schema.nullish() : schema.optional()

/** Parses one object, with or without its `data` wrapper. */
export function parseOne(resource: ExposedResource, schema: z.ZodObject, body: unknown): Item {
  refuseNothing(body)
  const isWrapped = wraps(resource, body)
  const item = isWrapped ? body.data : body
  const faults: string[] = []
  const parsed = parseItem(resource, schema, item, faults, isWrapped ? ['data'] : [])
  if (faults.length > 0) throw badRequest(faults)
  return parsed
}

/** `{"data": null}` wraps nothing, whatever `data` means for the resource. */
function refuseNothing(body: unknown): void {
  if (isObject(body) && body.data === null && Object.keys(body).length === 1)
    throw badRequest('data: must not be null.')
}

/** Parses the objects of a PUT: a list or a single object, with or without the `data` wrapper. */
export async function parseMany(
  resource: ExposedResource,
  schema: z.ZodObject,
  body: unknown,
): Promise<{ items: Item[]; isSingle: boolean }> {
  refuseNothing(body)
  const isWrapped = isObject(body) && (Array.isArray(body.data) || wraps(resource, body))
  const content = isWrapped ? body.data : body
  const path = isWrapped ? ['data'] : []
  const faults: string[] = []
  const isList = Array.isArray(content)
  const items = await inTurns(isList ? content : [content], (item, i) =>
    parseItem(resource, schema, item, faults, path, isList ? i : undefined),
  )
  if (faults.length > 0) throw badRequest(faults)
  return { items, isSingle: !isList }
}

/** Parses a list inside a larger body; every error begins with the path of the list. */
export function parseItems(
  resource: ExposedResource,
  schema: z.ZodObject,
  list: readonly unknown[],
  path: PropertyKey[],
): Item[] {
  const faults: string[] = []
  const items = list.map((item, i) => parseItem(resource, schema, item, faults, path, i))
  if (faults.length > 0) throw badRequest(faults)
  return items
}

/** One sentence per error, each beginning with the path of the invalid value. */
export const faultsOf = (error: z.ZodError, path: readonly PropertyKey[] = []): string[] =>
  error.issues.flatMap((issue) => {
    const at = [...path, ...issue.path]
    return [`${at.length > 0 ? `${pathText(at)}: ` : ''}${issue.message}`]
  })

/** An error message that continues the path of the field; undefined for the message of Zod. */
export function messageOf(issue: z.core.$ZodRawIssue): string | undefined {
  if (issue.input === undefined) return 'is required'
  if (issue.code === 'invalid_value') {
    const allowed = issue.values.map((value) => (typeof value === 'string' ? `'${value}'` : String(value)))
    return `must be ${allowed.length > 1 ? 'one of ' : ''}${allowed.join(', ')}, not ${shownValue(issue.input)}`
  }
  if (issue.code === 'invalid_type') return `must be of type ${issue.expected}, not ${shownValue(issue.input)}`
  if (issue.code === 'too_small' || issue.code === 'too_big') {
    const limit = issue.code === 'too_small' ? `at least ${issue.minimum}` : `at most ${issue.maximum}`
    const unit = { string: 'characters', array: 'items' }[issue.origin as string]
    return unit ? `must have ${limit} ${limit.endsWith(' 1') ? unit.slice(0, -1) : unit}` : `must be ${limit}`
  }
  return undefined
}

/** Invalid values are quoted only if they are short and plain. */
function shownValue(value: unknown): string {
  if (value === null || ['number', 'boolean'].includes(typeof value)) return String(value)
  if (typeof value === 'string') return value.length <= 40 ? `'${value}'` : 'a longer text'
  return Array.isArray(value) ? 'a list' : 'an object'
}

const pathText = (path: readonly PropertyKey[]): string =>
  path.map((part, i) => (typeof part === 'number' ? `[${part}]` : `${i > 0 ? '.' : ''}${String(part)}`)).join('')

const isObject = (value: unknown): value is Item => typeof value === 'object' && value !== null && !Array.isArray(value)

/**
 * Whether `data` wraps the object. For a resource with a field named `data`, the shape decides: the field
 * is not an object, or has a `type`; a wrapped object has fields of the resource.
 */
function wraps(resource: ExposedResource, body: unknown): body is { data: unknown } {
  if (!isObject(body) || !Object.hasOwn(body, 'data')) return false
  const own = Object.hasOwn(resource.fields, 'data') ? resource.fields.data : undefined
  if (!own) return true
  const { data } = body
  if (!isDocument(own.props)) return isObject(data)
  if (!isObject(data) || (typeof data.type === 'string' && !isObject(data.data))) return false
  const isField = (name: string) =>
    Object.hasOwn(resource.fields, name) && resource.fields[name]?.props.access !== 'hidden'
  if (Object.keys(body).some((name) => name !== 'data' && isField(name))) return false
  return Object.keys(data).some(isField)
}

function parseItem(
  resource: ExposedResource,
  schema: z.ZodObject,
  item: unknown,
  faults: string[],
  base: readonly PropertyKey[],
  position?: number,
): Item {
  const pathOf = () => (position === undefined ? base : [...base, position])
  if (!isObject(item)) {
    const path = pathOf()
    faults.push(`${path.length > 0 ? pathText(path) : 'The body'} must be a JSON object.`)
    return {}
  }
  const given = withoutTokens(resource, item)
  const isNew = schema === createSchema(resource)
  const more = isNew ? checked(resource, item) : []
  const quick = isNew && more.length === 0 ? createReader(resource)(given) : DECLINED
  if (quick !== DECLINED) return quick as Item
  const parsed = schema.safeParse(given, { error: messageOf })
  if (parsed.success && more.length === 0) return parsed.data
  const path = pathOf()
  const named = new Set(parsed.error?.issues.map((issue) => issue.path[0]))
  if (parsed.error) faults.push(...faultsOf(parsed.error, path))
  for (const issue of more) {
    if (!named.has(issue.path[0])) faults.push(`${pathText([...path, ...issue.path])}: ${issue.message}`)
  }
  return {}
}

/** What the checks of fields find wrong with a new object. */
const checked = (resource: ExposedResource, item: Item) =>
  checksOf(resource).flatMap(([name, check]) =>
    check(item[name], item).map(({ path, message }) => ({ path: [name, ...path], message })),
  )

const checksOf = once(({ fields }) =>
  Object.entries(fields).flatMap(([name, { props }]) => (props.check ? [[name, props.check] as const] : [])),
)

/** The pass-through token in place of a secret means that nothing changes. */
function withoutTokens(resource: ExposedResource, item: Item): Item {
  if (!hasSecrets(resource) || !Object.values(item).includes(PASS_THROUGH)) return item
  const kept = Object.entries(item).filter(
    ([name, value]) => !(value === PASS_THROUGH && resource.fields[name]?.props.access === 'secret'),
  )
  return Object.fromEntries(kept)
}

const hasSecrets = once((resource): boolean =>
  Object.values(resource.fields).some(({ props }) => props.access === 'secret'),
)
