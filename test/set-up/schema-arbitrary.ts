import fc from 'fast-check'
import { z } from 'zod'

/** Values that a schema accepts, with every field of every record present or absent; undefined instead of values that a check refuses. */
export function arbitraryOf(schema: z.core.$ZodType, depth = 0): fc.Arbitrary<unknown> {
  return bare(schema, depth).map((value) => (z.safeParse(schema, structuredClone(value)).success ? value : undefined))
}

const MAX_DEPTH = 7

const text = fc.oneof(
  { weight: 6, arbitrary: fc.string({ maxLength: 12 }) },
  fc.string({ unit: 'binary', maxLength: 8 }).map((value) => value.toWellFormed().replaceAll('\0', '')),
  fc.constantFrom(
    'High',
    'CVE-2014-0160',
    'CWE-79',
    'CAPEC-98',
    'https://example.com/a?b=c#d',
    'a b',
    '<&>"\'',
    ']]>',
    '5.0',
    'none',
  ),
  fc.constantFrom('{http://example.com/}Tool-1', 'x:y', 'malware--11111111-1111-4111-8111-111111111111'),
)

const time = fc.constantFrom(
  '2024-01-29',
  '2024-01-29 07:42',
  '2024-01-29T07:42:07Z',
  '2024-01-29T07:42:07.059329+02:00',
)

/** The schemas of texts all look alike, so their checks are found by trying. */
function textOf(schema: z.core.$ZodType): fc.Arbitrary<string> {
  return z.safeParse(schema, 'x').success ? text : fc.oneof(time, fc.constantFrom('00ff', 'CAPEC-98'), text)
}

function bare(schema: z.core.$ZodType, depth: number): fc.Arbitrary<unknown> {
  const { def } = schema._zod as unknown as { def: Definition }
  const inner = (one: z.core.$ZodType | undefined) => (one ? arbitraryOf(one, depth + 1) : fc.constant(undefined))
  switch (def.type) {
    case 'string':
      return textOf(schema)
    case 'number':
      return fc.integer({ min: 0, max: 90 })
    case 'boolean':
      return fc.boolean()
    case 'enum':
      return fc.constantFrom(...Object.values(def.entries ?? {}))
    case 'literal':
      return fc.constantFrom(...(def.values ?? []))
    case 'array':
      return depth > MAX_DEPTH
        ? fc.constant([])
        : fc.array(inner(def.element), { maxLength: 2 }).map((list) => list.filter((item) => item !== undefined))
    case 'object':
      return recordOf(def.shape ?? {}, depth)
    case 'record':
      return fc.dictionary(fc.constantFrom('MD5', 'x'), fc.string())
    case 'union':
      return fc.oneof(...(def.options ?? []).map((option) => inner(option)))
    case 'optional':
    case 'nullable':
      return inner(def.innerType)
    case 'pipe':
      return inner(def.in?._zod.def.type === 'transform' ? def.out : def.in)
    default:
      return fc.constantFrom('x', { x: 1 })
  }
}

interface Definition {
  readonly type: string
  readonly entries?: Record<string, unknown>
  readonly values?: readonly unknown[]
  readonly element?: z.core.$ZodType
  readonly shape?: Record<string, z.core.$ZodType>
  readonly options?: readonly z.core.$ZodType[]
  readonly innerType?: z.core.$ZodType
  readonly in?: z.core.$ZodType
  readonly out?: z.core.$ZodType
}

function recordOf(shape: Record<string, z.core.$ZodType>, depth: number): fc.Arbitrary<unknown> {
  const required = Object.keys(shape).filter((key) => shape[key]?._zod.optin === undefined)
  if (depth > MAX_DEPTH && required.length === 0) return fc.constant({})
  const model = Object.fromEntries(Object.entries(shape).map(([key, field]) => [key, fieldOf(key, field, depth + 1)]))
  return fc
    .record(model, { requiredKeys: required })
    .map((record) => Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined)))
}

/** Names of objects must not be blank, because a document could not show them. */
const fieldOf = (key: string, field: z.core.$ZodType, depth: number): fc.Arbitrary<unknown> =>
  key === 'title' && depth <= 1 ? fc.constantFrom('A title', 'Another', 'T\u00e4tel <&>') : arbitraryOf(field, depth)
