import { isRecord } from '../../server/domain/record.ts'
import type { FieldModel } from './fields.ts'

/** The placeholder that the API returns instead of a secret. */
const PASS_THROUGH = '<PASS_THROUGH_TOKEN>'

/** The input values of a form by field name. */
export type FormValues = Readonly<Record<string, unknown>>

/** Validation errors by field path that prevent a form from being sent. */
export class FormFault extends Error {
  override name = 'FormFault'
  readonly faults: Readonly<Record<string, string>>

  constructor(faults: Readonly<Record<string, string>>) {
    super('The form contains invalid values.')
    this.faults = faults
  }
}

/** The initial input values of a form: those of the object, or the defaults of a new one. */
export const formOf = (fields: readonly FieldModel[], object?: Readonly<Record<string, unknown>>): FormValues =>
  Object.fromEntries(
    fields.map((field) => [field.name, inputOf(field, object ? object[field.name] : (field.fallback ?? undefined))]),
  )

function inputOf(field: FieldModel, value: unknown): unknown {
  switch (field.kind) {
    case 'secret':
      return ''
    case 'boolean':
      return value ?? (field.isNullable ? null : false)
    case 'number':
      return value ?? ''
    case 'choice':
    case 'reference':
      return value ?? null
    case 'texts':
    case 'choices':
    case 'references':
      return Array.isArray(value) ? value : []
    case 'document':
      return value === null || (value === undefined && field.isNullable)
        ? null
        : formOf(field.fields ?? [], isRecord(value) ? value : undefined)
    case 'json':
      return value === undefined || value === null ? '' : JSON.stringify(value, null, 2)
    default:
      return typeof value === 'string' ? value : ''
  }
}

/** Whether a secret is stored. */
export const isSecretStored = (value: unknown): boolean => value === PASS_THROUGH

/**
 * The data to send: for an existing object the changes, for a new one the required fields and those that differ from their
 * defaults. Throws a `FormFault` if an input is invalid.
 */
export function sentOf(
  fields: readonly FieldModel[],
  values: FormValues,
  initial: FormValues,
  isNew: boolean,
): Readonly<Record<string, unknown>> {
  const faults: Record<string, string> = {}
  const sent: Record<string, unknown> = {}
  for (const field of fields) {
    const isSame = JSON.stringify(values[field.name]) === JSON.stringify(initial[field.name])
    const isNeeded = isNew && field.isRequired
    if (isSame && !isNeeded) continue
    const value = sentValue(field, values[field.name], field.name, faults)
    if (value !== undefined) sent[field.name] = value
  }
  if (Object.keys(faults).length > 0) throw new FormFault(faults)
  return sent
}

/** The value of an input as it is sent; undefined is omitted. */
function sentValue(field: FieldModel, input: unknown, path: string, faults: Record<string, string>): unknown {
  switch (field.kind) {
    case 'secret':
      return input === '' ? undefined : input
    case 'number':
      return input === '' ? null : Number(input)
    case 'text':
    case 'long-text':
      return input === '' && field.isNullable ? null : input
    case 'time':
      return input === '' ? null : input
    case 'document':
      return isRecord(input) ? documentOf(field, input, path, faults) : null
    case 'json':
      return jsonOf(field, String(input ?? ''), path, faults)
    default:
      return input
  }
}

function documentOf(
  field: FieldModel,
  input: Readonly<Record<string, unknown>>,
  path: string,
  faults: Record<string, string>,
): Readonly<Record<string, unknown>> {
  const entries = (field.fields ?? []).map((inner) => [
    inner.name,
    sentValue(inner, input[inner.name], `${path}.${inner.name}`, faults),
  ])
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined))
}

function jsonOf(field: FieldModel, text: string, path: string, faults: Record<string, string>): unknown {
  if (text.trim() === '') return field.isRequired ? undefined : null
  try {
    return JSON.parse(text)
  } catch (error) {
    faults[path] = `Invalid JSON: ${(error as Error).message}`
    return undefined
  }
}

/** The paths of all fields, nested ones before those that contain them, so that an error is shown at the innermost field. */
export const pathsOf = (fields: readonly FieldModel[], before = ''): readonly string[] =>
  fields.flatMap(({ name, fields: inner }) => [
    ...(inner ? pathsOf(inner, `${before}${name}.`) : []),
    `${before}${name}`,
  ])
