import { z } from 'zod'
import type { Form, Message } from '../calling/question.ts'

/** Keywords that strict providers refuse. Values are checked here in any case. */
const REFUSED = new Set([
  '$schema',
  'default',
  'format',
  'pattern',
  'propertyNames',
  'minLength',
  'maxLength',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
  'minItems',
  'maxItems',
  'uniqueItems',
])
/** Keywords whose members are schemas by names, which may be like those of keywords. */
const NAMED = new Set(['properties', '$defs', 'definitions'])

/** The form of an answer. Every property of the schema must be required: use `nullable` rather than `optional`. */
export const formOf = (name: string, schema: z.ZodType): Form => ({
  name,
  schema: plain(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })) as Form['schema'],
})

type Document = Record<string, unknown>

function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plain)
  if (!isDocument(value)) return value
  const schema: Document = {}
  for (const [name, member] of Object.entries(value)) {
    if (REFUSED.has(name)) continue
    // Strict providers know only one way to offer a choice.
    if (name === 'oneOf') schema.anyOf = plain(member)
    else if (NAMED.has(name) && isDocument(member)) schema[name] = mapped(member)
    else schema[name] = name === 'enum' || name === 'const' ? member : plain(member)
  }
  return schema.type === 'object' && isDocument(schema.properties)
    ? { ...schema, required: Object.keys(schema.properties), additionalProperties: false }
    : schema
}

const isDocument = (value: unknown): value is Document =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const mapped = (schemas: Document): Document =>
  Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, plain(schema)]))

/** The messages with the form in words, for models whose server ignores it otherwise. Some servers allow system messages only first. */
export function withForm(messages: readonly Message[], { schema }: Form): Message[] {
  const first = messages.findIndex(({ role }) => role !== 'system')
  const at = first < 0 ? messages.length : first
  const form: Message = {
    role: 'system',
    content: `Answer with one JSON document and nothing else. It must match this JSON Schema: ${JSON.stringify(schema)}`,
  }
  return messages.toSpliced(at, 0, form)
}

const MAX_FAULTS = 5

/** The value in an answer, which some models wrap in a fence, in words or behind their thoughts. */
export function valueIn<T>(text: string, schema: z.ZodType<T>): { readonly value: T } | { readonly fault: string } {
  let fault = 'it contains no JSON document'
  for (const candidate of candidatesIn(text)) {
    const read = readDocument(candidate, schema)
    if ('value' in read) return read
    fault = read.fault
  }
  return { fault }
}

const THOUGHT_END = '</think>'

/** What may be the document, the most likely last: its faults are reported. */
function candidatesIn(text: string): string[] {
  const end = text.lastIndexOf(THOUGHT_END)
  const answer = end < 0 ? text : text.slice(end + THOUGHT_END.length)
  const between = (open: string, close: string) => {
    const [from, to] = [answer.indexOf(open), answer.lastIndexOf(close)]
    return from >= 0 && to > from ? [{ from, document: answer.slice(from, to + 1) }] : []
  }
  const found = [...between('{', '}'), ...between('[', ']')]
  // Words before the document may contain brackets, too.
  return found.sort((a, b) => b.from - a.from).map(({ document }) => document)
}

function readDocument<T>(text: string, schema: z.ZodType<T>): { readonly value: T } | { readonly fault: string } {
  try {
    const parsed = schema.safeParse(JSON.parse(text))
    if (parsed.success) return { value: parsed.data }
    const faults = parsed.error.issues.slice(0, MAX_FAULTS).map(({ path, message }) => `${path.join('.')}: ${message}`)
    return { fault: faults.join('; ') }
  } catch {
    return { fault: 'it is not valid JSON' }
  }
}
