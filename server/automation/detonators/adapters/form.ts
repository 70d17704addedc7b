import { z } from 'zod'
import { string } from '../../../engine/field.ts'
import { baseAddress, secretString } from '../../../settings/values.ts'
import type { DetonationType, FormField } from '../adapter.ts'

/** What a field of an adapter says about its form, in the metadata of its schema. */
interface Described {
  readonly title?: string
  readonly description?: string
  readonly type?: string | readonly string[]
  readonly format?: string
  readonly enum?: readonly string[]
  readonly anyOf?: readonly Described[]
  readonly default?: unknown
  /** The titles of choices, in their order. */
  readonly choices?: readonly string[]
  readonly secret?: boolean
  readonly only?: DetonationType
}

/** The form of parameters and options, from the titles and descriptions in their schemas: a field is described in one place. */
export const formOf = (parameters: z.ZodObject, options: z.ZodObject): FormField[] => [
  ...fieldsOf('parameters', parameters),
  ...fieldsOf('options', options),
]

function fieldsOf(group: FormField['group'], schema: z.ZodObject): FormField[] {
  const { properties = {}, required = [] } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })
  return Object.entries(properties).map(([name, each]) => {
    const described = each as Described
    const inner = { ...described.anyOf?.find(({ type }) => type !== 'null'), ...described }
    const initial = inner.default
    return {
      group,
      name,
      title: inner.title ?? name,
      description: inner.description ?? '',
      type: typeOf(inner),
      required: required.includes(name),
      ...((typeof initial === 'string' || typeof initial === 'number' || typeof initial === 'boolean') && {
        default: initial,
      }),
      ...(inner.enum && { choices: inner.enum.map((value, i) => ({ value, title: inner.choices?.[i] ?? value })) }),
      ...(inner.only && { only: inner.only }),
    }
  })
}

function typeOf({ secret, enum: choices, format, type }: Described): FormField['type'] {
  if (secret) return 'secret'
  if (choices) return 'choice'
  if (format === 'uri') return 'url'
  if (type === 'boolean') return 'boolean'
  return type === 'integer' || type === 'number' ? 'number' : 'text'
}

/** The address of a sandbox. */
export const serverAddress = (description: string) => baseAddress().meta({ title: 'Address', description })

/** The key of an account, sent in a header or a form. */
export const apiKey = (description: string) =>
  secretString(/^[!-~]+$/, 'must be characters without spaces').meta({ title: 'API key', description, secret: true })

/** An option that a vendor reads as a name, such as that of a machine. */
export const nameOption = () => string(1, 100).regex(/^[\w .:-]*$/, 'must be letters, digits, spaces and . : _ -')

/** How long a sample may run, of a vendor that decides without it. */
export const timeLimit = (least: number, vendor: string) =>
  optional(z.int().min(least).max(3600)).meta({
    title: 'Time limit',
    description: `In seconds. Without it, ${vendor} decides.`,
  })

/** The password of an encrypted sample. `what` is encrypted, `whose` says which samples are. */
export const samplePassword = (what: string, whose: string) =>
  optional(string(1, 100)).meta({
    title: `Password of the ${what}`,
    description: `${whose} It is stored with the detonation.`,
    only: 'file',
  })

/** An option that is left to the vendor unless it is given. */
export const optional = <T extends z.ZodType>(type: T) => type.nullable().default(null)
