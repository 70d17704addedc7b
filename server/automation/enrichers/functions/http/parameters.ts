import { z } from 'zod'
import { string } from '../../../../engine/field.ts'
import { baseAddress, secretString, secretText } from '../../../../settings/values.ts'

const about = {
  title: string(1, 200),
  description: string(1, 2000).optional(),
}
const required = { required: z.boolean().default(true) }

/** A parameter that enrichers with the definition have. */
export const parameter = z
  .discriminatedUnion(
    'kind',
    [
      z.strictObject({ kind: z.literal('secret'), ...about, ...required }),
      z.strictObject({ kind: z.literal('text'), ...about, ...required, default: string(1, 500).optional() }),
      z.strictObject({
        kind: z.literal('number'),
        ...about,
        ...required,
        minimum: z.number().optional(),
        maximum: z.number().optional(),
        default: z.number().optional(),
      }),
      z.strictObject({
        kind: z.literal('choice'),
        ...about,
        choices: z.array(string(1, 200)).min(1).max(50),
        default: string(1, 200).optional(),
      }),
      z.strictObject({ kind: z.literal('address'), ...about, default: baseAddress().optional() }),
    ],
    {
      error: (issue) =>
        issue.code === 'invalid_union' ? 'must be secret, text, number, choice or address' : undefined,
    },
  )
  .superRefine((given, check) => {
    if (given.kind === 'choice' && given.default !== undefined && !given.choices.includes(given.default)) {
      check.addIssue({ code: 'custom', path: ['default'], message: 'must be one of the choices' })
    }
    if (given.kind !== 'number') return
    const { minimum = Number.NEGATIVE_INFINITY, maximum = Number.POSITIVE_INFINITY, default: fallback } = given
    if (minimum > maximum) check.addIssue({ code: 'custom', path: ['minimum'], message: 'must not exceed the maximum' })
    else if (fallback !== undefined && (fallback < minimum || fallback > maximum)) {
      check.addIssue({ code: 'custom', path: ['default'], message: 'must be between the minimum and the maximum' })
    }
  })

export type Parameter = z.output<typeof parameter>

/** The schema of the parameters of enrichers. */
export const parametersSchema = (parameters: Readonly<Record<string, Parameter>>): z.ZodObject =>
  z.object(Object.fromEntries(Object.entries(parameters).map(([name, given]) => [name, schemaOf(given)])))

function schemaOf(given: Parameter): z.ZodType {
  const { title, description } = given
  return formOf(given).meta({ title, ...(description !== undefined && { description }) })
}

const SECRET = /^[!-~]+$/

function formOf(given: Parameter): z.ZodType {
  if (given.kind === 'secret')
    return given.required
      ? secretString(SECRET, 'is required, as characters without spaces')
      : secretText(SECRET, 'must be characters without spaces')
  if (given.kind === 'address') return withDefault(baseAddress(), given.default)
  if (given.kind === 'choice') return withDefault(z.enum(given.choices), given.default)
  const form: z.ZodType = given.kind === 'text' ? string(1, 500) : between(given.minimum, given.maximum)
  if (given.default !== undefined) return withDefault(form, given.default)
  return given.required ? form : form.nullable().default(null)
}

const between = (minimum: number | undefined, maximum: number | undefined): z.ZodNumber => {
  const above = minimum === undefined ? z.number() : z.number().min(minimum)
  return maximum === undefined ? above : above.max(maximum)
}

const withDefault = <T extends z.ZodType>(form: T, fallback: z.output<T> | undefined): z.ZodType =>
  fallback === undefined ? form : form.default(fallback as never)
