import type { Schema, Schemas } from '../api/schema.ts'

/** A field in the configuration of a transport. */
export interface TransportField {
  readonly name: string
  readonly label: string
  readonly kind: 'text' | 'secret' | 'number' | 'switch' | 'list' | 'pem' | 'pairs' | 'choice'
  readonly help?: string
  readonly isRequired?: boolean
  /** Whether it is hidden until the user asks for more settings. */
  readonly isRare?: boolean
  readonly choices?: readonly (string | { readonly value: string; readonly label: string })[]
  /** The value in a new feed. */
  readonly initial?: unknown
}

/** A transport and the fields of its form. */
export interface TransportForm {
  readonly type: string
  readonly label: string
  readonly help: string
  readonly fields: readonly TransportField[]
}

/** The transports of incoming or outgoing feeds, in the order of the API. */
export function transportsIn(schemas: Schemas, kind: 'incoming' | 'outgoing'): readonly TransportForm[] {
  const { discriminator } = schemas[kind === 'incoming' ? 'IncomingFeedCreate' : 'OutgoingFeedCreate'] ?? {}
  return Object.entries(discriminator?.mapping ?? {}).map(([type, reference]) => {
    const name = reference.slice(reference.lastIndexOf('/') + 1)
    const { title = type, description = '', properties } = schemas[name] ?? {}
    return { type, label: title, help: description, fields: fieldsIn(properties?.transport_configuration) }
  })
}

/** The fields of a form for a JSON schema of an object. */
export const fieldsIn = ({ properties = {}, required = [] }: Schema = {}): readonly TransportField[] =>
  Object.entries(properties).map(([name, field]) => fieldOf(name, field, required.includes(name)))

function fieldOf(name: string, field: Schema, isRequired: boolean): TransportField {
  const { title = name, description, default: initial } = field
  const [value = field] = field.anyOf?.filter(({ type }) => type !== 'null') ?? []
  return {
    name,
    label: title,
    kind: kindOf(field, value),
    isRequired,
    isRare: field['x-corvus-advanced'] ?? false,
    initial,
    ...(description && { help: description }),
    ...(value.enum && { choices: value.enum.map(String) }),
  }
}

function kindOf({ format, contentMediaType }: Schema, { type, enum: choices }: Schema): TransportField['kind'] {
  if (format === 'password') return 'secret'
  if (contentMediaType !== undefined) return 'pem'
  if (choices) return 'choice'
  switch (type) {
    case 'boolean':
      return 'switch'
    case 'integer':
    case 'number':
      return 'number'
    case 'array':
      return 'list'
    case 'object':
      return 'pairs'
    default:
      return 'text'
  }
}

/** The label of a transport. */
export const transportName = (transports: readonly TransportForm[], type: string): string =>
  transports.find((each) => each.type === type)?.label ?? type.slice(type.lastIndexOf('.') + 1)

/** The text in an input for the value of a field. */
export function textOf({ kind, initial }: TransportField, value: unknown): string {
  const shown = value ?? initial
  if (shown === undefined || shown === null) return ''
  if (kind === 'list') return Array.isArray(shown) ? shown.join('\n') : ''
  if (kind === 'pairs')
    return Object.entries(shown as Record<string, string>)
      .map(([name, each]) => `${name}: ${each}`)
      .join('\n')
  return String(shown)
}

/** Parses the text of an input; undefined if it is empty. */
export function typedValue({ kind }: TransportField, text: string): unknown {
  if (text.trim() === '') return undefined
  if (kind === 'number') return Number(text)
  if (kind === 'switch') return text === 'true'
  if (kind === 'list') return lines(text)
  if (kind === 'pairs')
    return Object.fromEntries(
      lines(text).map((line) => {
        const at = line.indexOf(':')
        return at < 0 ? [line, ''] : [line.slice(0, at).trim(), line.slice(at + 1).trim()]
      }),
    )
  return kind === 'pem' || kind === 'secret' ? text : text.trim()
}

/** The configuration of a transport from the texts of its form. */
export const configurationOf = (
  fields: readonly TransportField[],
  texts: Readonly<Record<string, string>>,
): Record<string, unknown> =>
  Object.fromEntries(
    fields.flatMap((field) => {
      const value = typedValue(field, texts[field.name] ?? '')
      return value === undefined ? [] : [[field.name, value]]
    }),
  )

const lines = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
