import { z } from 'zod'
import { collections } from '../collections.ts'
import { badRequest } from './errors.ts'
import { type Field, PASS_THROUGH } from './field.ts'
import { inTurns } from './in-turns.ts'
import { NOT_MINE, quickReader, type Read } from './quick.ts'
import type { Item, Resource } from './resource.ts'

/** The body of POST and of one PUT item. */
export const createSchema = once((resource) => bodySchema(resource, true))

/** Reads what `createSchema` takes, faster. */
const createReader = once((resource): Read => {
  const { shape } = createSchema(resource)
  const known = new Map<z.core.$ZodType, Read>()
  for (const [name, { props }] of Object.entries(resource.fields)) {
    const schema = shape[name]
    if (!schema) continue
    const read = quickReader(props.input, new Map(props.read && [[props.input, props.read]]))
    known.set(schema, isAbsentWhenNull(props) ? (value) => (value === null ? undefined : read(value)) : read)
  }
  return quickReader(createSchema(resource), known)
})

/** The body of PATCH: nothing is required, and documents are checked once they are merged. */
export const patchSchema = once((resource) => bodySchema(resource, false))

/** An object as it is answered. */
export const outputSchema = once((resource) => {
  const id = collections[resource.collection].id === 'uuid' ? z.uuid() : z.int()
  const shape: Record<string, z.ZodType> = { id }
  for (const [name, { props }] of Object.entries(resource.fields)) {
    if (props.access !== 'write-only' && props.access !== 'hidden') shape[name] = described(props.output, props.doc)
  }
  return z.object(shape)
})

/** Derives something from a resource once, so that the OpenAPI document can name a schema wherever it is used. */
function once<T>(make: (resource: Resource) => T): (resource: Resource) => T {
  const made = new WeakMap<Resource, T>()
  return (resource) => {
    const derived = made.get(resource) ?? make(resource)
    made.set(resource, derived)
    return derived
  }
}

// Unknown and read-only fields are dropped by Zod: clients send back what they were given.
function bodySchema(resource: Resource, isWhole: boolean): z.ZodObject {
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

/** An id that the client chooses: in the form that the database gives it back. */
const chosenId = z
  .guid('must be a UUID')
  .toLowerCase()
  .nullish()
  .transform((id) => id ?? undefined)

const described = (schema: z.ZodType, doc?: string): z.ZodType => (doc ? schema.describe(doc) : schema)

/** A part of a document may lack what the whole needs. */
const patchOf = (schema: z.ZodType): z.ZodType => {
  const inner = schema instanceof z.ZodNullable ? schema.unwrap() : schema
  const part = inner instanceof z.ZodObject ? z.looseObject({}) : z.unknown().refine(isPresent, MUST_BE_PRESENT)
  return schema instanceof z.ZodNullable ? part.nullable() : part
}

const isPresent = (value: unknown): boolean => value !== null
const MUST_BE_PRESENT = 'must not be null'

const perhapsAbsent = (schema: z.ZodType, { isNullable }: Field['props']): z.ZodType =>
  isNullable ? schema.optional() : schema.nullish().transform((value) => value ?? undefined)

/** Whether null in a new object means the same as nothing. */
const isAbsentWhenNull = ({ isRequired, isNullable }: Field['props']): boolean => !isRequired && !isNullable

const resettable = (schema: z.ZodType, { isNullable, fallback }: Field['props']): z.ZodType =>
  !isNullable && fallback !== undefined ? schema.nullish() : schema.optional()

/** Reads one object out of `{"data": {…}}` or out of the bare form. */
export function parseOne(resource: Resource, schema: z.ZodObject, body: unknown): Item {
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

/** Reads the objects of a PUT: wrapped or bare, a list or a single one. */
export async function parseMany(
  resource: Resource,
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

/** Reads objects of a list that stands at a place of something larger; every fault begins with the place. */
export function parseItems(
  resource: Resource,
  schema: z.ZodObject,
  list: readonly unknown[],
  path: PropertyKey[],
): Item[] {
  const faults: string[] = []
  const items = list.map((item, i) => parseItem(resource, schema, item, faults, path, i))
  if (faults.length > 0) throw badRequest(faults)
  return items
}

/** One sentence per fault, each beginning with the path of what is wrong. */
export const faultsOf = (error: z.ZodError, path: readonly PropertyKey[] = []): string[] =>
  error.issues.flatMap((issue) => {
    const at = [...path, ...issue.path]
    return [`${at.length > 0 ? `${pathText(at)}: ` : ''}${issue.message}`]
  })

/** Says what is wrong so that it continues the path of the field; undefined leaves it to Zod. */
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

/** Wrong values are quoted only where they are short and plain: a long text may be anything. */
function shownValue(value: unknown): string {
  if (value === null || ['number', 'boolean'].includes(typeof value)) return String(value)
  if (typeof value === 'string') return value.length <= 40 ? `'${value}'` : 'a longer text'
  return Array.isArray(value) ? 'a list' : 'an object'
}

const pathText = (path: readonly PropertyKey[]): string =>
  path.map((part, i) => (typeof part === 'number' ? `[${part}]` : `${i > 0 ? '.' : ''}${String(part)}`)).join('')

const isObject = (value: unknown): value is Item => typeof value === 'object' && value !== null && !Array.isArray(value)

/**
 * Whether `data` wraps the object. A resource that has a `data` field of its own is told apart by shape: its own
 * `data` is no object, or one with a `type`; a wrapped object has fields of the resource.
 */
function wraps(resource: Resource, body: unknown): body is { data: unknown } {
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
  resource: Resource,
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
  const more = isNew ? (resource.faultsIn?.(item) ?? []) : []
  const quick = isNew && more.length === 0 ? createReader(resource)(given) : NOT_MINE
  if (quick !== NOT_MINE) return quick as Item
  const parsed = schema.safeParse(given, { error: messageOf })
  if (parsed.success && more.length === 0) return parsed.data
  const path = pathOf()
  const named = new Set(parsed.error?.issues.map((issue) => issue.path[0]))
  if (parsed.error) faults.push(...faultsOf(parsed.error, path))
  for (const { field, fault } of more) {
    if (!named.has(field)) faults.push(`${pathText([...path, field])}: ${fault}`)
  }
  return {}
}

/** The pass-through token in place of a secret means that nothing changes. */
function withoutTokens(resource: Resource, item: Item): Item {
  if (!hasSecrets(resource) || !Object.values(item).includes(PASS_THROUGH)) return item
  const kept = Object.entries(item).filter(
    ([name, value]) => !(value === PASS_THROUGH && resource.fields[name]?.props.access === 'secret'),
  )
  return Object.fromEntries(kept)
}

const hasSecrets = once((resource): boolean =>
  Object.values(resource.fields).some(({ props }) => props.access === 'secret'),
)
