import { resolved } from '../api/document.ts'
import type { Schema, Schemas } from '../api/schema.ts'
import { optionsOf } from './options-of.ts'
import { isDocument } from './paths.ts'

/** The input for a field. */
export type Kind =
  | { readonly kind: 'text' | 'long-text' | 'time' | 'day' | 'yes-no' | 'json' }
  | { readonly kind: 'number'; readonly isWhole: boolean; readonly least?: number; readonly most?: number }
  /** One of several values; an open choice accepts other values too. */
  | { readonly kind: 'choice'; readonly values: readonly string[]; readonly isOpen: boolean }
  /** A list of words or short texts. */
  | { readonly kind: 'words'; readonly values: readonly string[]; readonly isOpen: boolean }
  | { readonly kind: 'list'; readonly item: Schema }
  | { readonly kind: 'record'; readonly fields: readonly Drawn[]; readonly fixed: Readonly<Record<string, unknown>> }

/** A field of a record. */
export interface Drawn {
  readonly name: string
  readonly schema: Schema
  readonly isRequired: boolean
}

const TIME =
  /(?:^|_)(?:time|timestamp|datetime|seen|created|modified|published|generated_at|valid_from|valid_until|started|ended|submitted)$/
const LONG = /(?:^|_)(?:description|pattern|content|opinion|comments|abstract|effect|xml|definition|specification)$/

/**
 * Chooses the input for a value by its schema, and by the value itself if the schema leaves a choice. Schemas describe times as
 * plain strings, so they are recognised by name; a test compares the names with the definitions.
 */
export function kindOf(schemas: Schemas, schema: Schema, name: string, value: unknown): Kind {
  const options = optionsOf(schemas, schema)
  const texts = options.filter(({ type }) => type === 'string')
  const records = options.filter(({ type }) => type === 'object')
  if (records.length > 0 && (texts.length === 0 || isDocument(value))) {
    return options.length > texts.length + records.length ? { kind: 'json' } : recordKind(records)
  }
  if (texts.length > 0) return typeof value === 'object' && value !== null ? { kind: 'json' } : textKind(texts, name)
  const [only] = options
  if (options.length !== 1 || !only) return { kind: 'json' }
  if (only.type === 'array') return listKind(schemas, only, value)
  if (only.type === 'boolean') return { kind: 'yes-no' }
  if (only.type === 'integer' || only.type === 'number') return numberKind(only)
  return { kind: 'json' }
}

/** Whether a field name is that of a time. */
export const isTimeName = (name: string): boolean => TIME.test(name)

function textKind(options: readonly Schema[], name: string): Kind {
  const values = options.flatMap((option) => option.enum ?? []).map(String)
  const isOpen = options.some((option) => option.enum === undefined && option.const === undefined)
  if (values.length > 0) return { kind: 'choice', values, isOpen }
  const format = options.find((option) => option.format)?.format
  if (format === 'date') return { kind: 'day' }
  if (format === 'date-time' || isTimeName(name)) return { kind: 'time' }
  return { kind: LONG.test(name) ? 'long-text' : 'text' }
}

function numberKind({ type, minimum, maximum }: Schema): Kind {
  return {
    kind: 'number',
    isWhole: type === 'integer',
    ...(minimum !== undefined && minimum > Number.MIN_SAFE_INTEGER && { least: minimum }),
    ...(maximum !== undefined && maximum < Number.MAX_SAFE_INTEGER && { most: maximum }),
  }
}

/** A list of words if the schema allows it and the value is not something else already. */
function listKind(schemas: Schemas, { items = {} }: Schema, value: unknown): Kind {
  const options = optionsOf(schemas, items)
  const texts = options.filter(({ type }) => type === 'string')
  const isPlain = !Array.isArray(value) || value.every((item) => typeof item === 'string')
  if (texts.length > 0 && isPlain) {
    const values = texts.flatMap((option) => option.enum ?? []).map(String)
    return { kind: 'words', values, isOpen: texts.some((option) => option.enum === undefined) }
  }
  const isDrawn = options.some(({ type, properties }) => type === 'object' && Object.keys(properties ?? {}).length > 0)
  return isDrawn ? { kind: 'list', item: resolved(schemas, items) } : { kind: 'json' }
}

function recordKind(options: readonly Schema[]): Kind {
  const [record] = options
  const properties = Object.entries(record?.properties ?? {})
  if (options.length !== 1 || properties.length === 0) return { kind: 'json' }
  return {
    kind: 'record',
    fields: properties
      .filter(([, schema]) => schema.const === undefined)
      .map(([name, schema]) => ({ name, schema, isRequired: record?.required?.includes(name) ?? false })),
    fixed: Object.fromEntries(
      properties.flatMap(([name, schema]) => (schema.const === undefined ? [] : [[name, schema.const]])),
    ),
  }
}

/** The initial value of a new record or item: the properties with a constant value. */
export function emptyOf(schemas: Schemas, schema: Schema): unknown {
  const kind = kindOf(schemas, schema, '', {})
  return kind.kind === 'record' ? kind.fixed : {}
}
