import { type ApiDocument, resolved } from '../api/document.ts'
import type { LinkAttribute, Schema } from '../api/schema.ts'

/** How a field is displayed and edited. */
export type Kind =
  | 'text'
  | 'long-text'
  | 'number'
  | 'boolean'
  | 'choice'
  | 'time'
  | 'reference'
  | 'references'
  | 'texts'
  | 'choices'
  | 'secret'
  | 'document'
  | 'json'

/** One field of an object, as described by the OpenAPI document. */
export interface FieldModel {
  readonly name: string
  readonly label: string
  readonly kind: Kind
  readonly isRequired: boolean
  readonly isNullable: boolean
  readonly isReadOnly: boolean
  readonly description?: string
  readonly choices?: readonly string[]
  /** Descriptions of the choices. */
  readonly notes?: Readonly<Record<string, string>>
  /** The collection that a reference points to. */
  readonly collection?: string
  readonly attribute?: LinkAttribute
  /** The fields of a nested document. */
  readonly fields?: readonly FieldModel[]
  readonly isInteger?: boolean
  readonly minimum?: number
  readonly maximum?: number
  /** An additional permission that is required to set this field. */
  readonly permission?: string
  readonly fallback?: unknown
}

/** Texts that may be longer than this get a multi-line input. */
const LONG_TEXT = 2_000

/** Documents nested more deeply than this are edited as JSON. */
const MAX_FORM_DEPTH = 3

/** The fields of an object, in order. */
export function fieldsOf(schema: Schema, document: ApiDocument, depth = 0): readonly FieldModel[] {
  const { properties = {}, required = [] } = resolved(document.components.schemas, schema)
  return Object.entries(properties).map(([name, property]) =>
    fieldOf(name, property, required.includes(name), document, depth),
  )
}

function fieldOf(
  name: string,
  property: Schema,
  isRequired: boolean,
  document: ApiDocument,
  depth: number,
): FieldModel {
  const marked = resolved(document.components.schemas, property)
  const { schema, isNullable } = withoutNull(marked, document)
  const fieldDescription = marked.description ?? schema.description
  const kind = kindOf(name, marked, schema, document, depth)
  const collection = marked['x-corvus-collection']
  const attribute = marked['x-corvus-attribute']
  const permission = marked['x-corvus-permission']
  const choices = kind === 'choice' ? choicesOf(schema) : kind === 'choices' ? itemChoices(schema, document) : undefined
  const notes = choices && fieldDescription ? notesIn(fieldDescription, choices) : undefined
  const description = notes ? undefined : fieldDescription
  return {
    name,
    label: fieldLabel(name),
    kind,
    isRequired,
    isNullable,
    isReadOnly: marked.readOnly ?? false,
    ...(description && { description }),
    ...(choices && { choices }),
    ...(notes && { notes }),
    ...(collection && { collection }),
    ...(attribute && { attribute }),
    ...(kind === 'document' && { fields: fieldsOf(schema, document, depth + 1) }),
    ...(schema.type === 'integer' && { isInteger: true }),
    ...(isSensible(schema.minimum) && { minimum: schema.minimum }),
    ...(isSensible(schema.maximum) && { maximum: schema.maximum }),
    ...(permission && { permission }),
    ...(marked.default !== undefined && { fallback: marked.default }),
  }
}

function kindOf(name: string, marked: Schema, schema: Schema, document: ApiDocument, depth: number): Kind {
  if (marked.format === 'password' || (marked.writeOnly && /password|secret/.test(name))) return 'secret'
  if (marked['x-corvus-collection']) return schema.type === 'array' ? 'references' : 'reference'
  if (choicesOf(schema)) return 'choice'
  if (schema.type === 'boolean') return 'boolean'
  if (schema.type === 'integer' || schema.type === 'number') return 'number'
  if (schema.type === 'array') return listKindOf(schema, document)
  if (schema.type === 'object') return isClosed(schema) && depth < MAX_FORM_DEPTH ? 'document' : 'json'
  if (schema.type !== 'string') return 'json'
  if (marked.format === 'date-time' || schema.format === 'date-time') return 'time'
  return (schema.maxLength ?? 0) > LONG_TEXT ? 'long-text' : 'text'
}

function listKindOf(schema: Schema, document: ApiDocument): Kind {
  if (itemChoices(schema, document)) return 'choices'
  return resolved(document.components.schemas, schema.items).type === 'string' ? 'texts' : 'json'
}

/** Whether a schema lists all properties of a document. */
const isClosed = ({ properties = {}, additionalProperties }: Schema): boolean =>
  Object.keys(properties).length > 0 && (additionalProperties === undefined || additionalProperties === false)

/** A schema without null. */
function withoutNull(marked: Schema, document: ApiDocument): { schema: Schema; isNullable: boolean } {
  if (Array.isArray(marked.type)) {
    const [only, ...others] = marked.type.filter((type) => type !== 'null')
    const { type: _, ...rest } = marked
    return {
      schema: others.length === 0 && only ? { ...rest, type: only } : rest,
      isNullable: marked.type.includes('null'),
    }
  }
  const options = marked.anyOf?.map((option) => resolved(document.components.schemas, option))
  if (!options) return { schema: marked, isNullable: false }
  const [only, ...others] = options.filter(({ type }) => type !== 'null')
  const isNullable = options.some(({ type }) => type === 'null')
  if (!only || others.length > 0) return { schema: {}, isNullable }
  const inner = withoutNull(only, document)
  return { schema: inner.schema, isNullable: isNullable || inner.isNullable }
}

const choicesOf = (schema: Schema): readonly string[] | undefined => {
  const values = schema.enum ?? (schema.const === undefined ? undefined : [schema.const])
  return values?.every((value) => typeof value === 'string') ? values : undefined
}

const itemChoices = ({ items }: Schema, document: ApiDocument): readonly string[] | undefined =>
  items && choicesOf(resolved(document.components.schemas, items))

/** The descriptions of choices, if the field description lists them as `choice: What it means.` */
function notesIn(description: string, choices: readonly string[]): Readonly<Record<string, string>> | undefined {
  const found = choices
    .map((choice) => ({ choice, at: description.search(new RegExp(`(?<=^|[.;] )${RegExp.escape(choice)}: `)) }))
    .filter(({ at }) => at >= 0)
    .sort((a, b) => a.at - b.at)
  if (found[0]?.at !== 0 || found.length < 2) return undefined
  return Object.fromEntries(
    found.map(({ choice, at }, index) => [
      choice,
      sentence(description.slice(at + choice.length + 2, found[index + 1]?.at ?? description.length)),
    ]),
  )
}

const sentence = (text: string): string => text.trim().replace(/^\w/, (letter) => letter.toUpperCase())

/** Bounds that only reflect the storage type are not worth showing. */
const isSensible = (bound: number | undefined): bound is number => bound !== undefined && Math.abs(bound) < 2 ** 31 - 1

const ABBREVIATIONS: Readonly<Record<string, string>> = {
  ai: 'AI',
  api: 'API',
  csv: 'CSV',
  id: 'ID',
  ids: 'IDs',
  jwt: 'JWT',
  sha256: 'SHA-256',
  stix: 'STIX',
  taxii: 'TAXII',
  tlp: 'TLP',
  ttp: 'TTP',
  ui: 'UI',
  url: 'URL',
}

/** The label of an API name: `csv_mapping` becomes “CSV mapping”. */
export function labelOf(name: string): string {
  const words = name.split(/[_\-.]+/).map((word) => ABBREVIATIONS[word] ?? word)
  const text = words.join(' ')
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** Compound names that the API writes as one word. */
const SPLIT: Readonly<Record<string, string>> = {
  firstname: 'First name',
  lastname: 'Last name',
  timezone: 'Time zone',
  username: 'Username',
}

/** The label of a field: `is_active` becomes “Active”, `last_login_at` “Last login”. */
export const fieldLabel = (name: string): string =>
  SPLIT[name] ?? labelOf(name.replace(/^is_(?=.)/, '').replace(/(?<=.)_at$/, ''))
