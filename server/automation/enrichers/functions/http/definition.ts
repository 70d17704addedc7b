import { z } from 'zod'
import { string } from '../../../../engine/field.ts'
import { observableTypeInput } from '../../../../intelligence/observables/type-input.ts'
import { expression, template } from './expression-field.ts'
import { findingRule } from './finding-rules.ts'
import { parameter } from './parameters.ts'
import type { JsonTemplate } from './requests.ts'
import { readTemplate, TemplateError } from './templates.ts'

const HEADER = /^[A-Za-z][A-Za-z0-9-]{0,99}$/
/** Headers of the connection, and those that follow from the body. */
const RESERVED_HEADERS =
  /^(host|connection|content-.*|transfer-encoding|te|trailer|upgrade|expect|keep-alive|proxy-.*)$/i

const headerName = z
  .string()
  .regex(HEADER, 'must be the name of a header')
  .refine((name) => !RESERVED_HEADERS.test(name), 'is a header that definitions cannot set')
const fieldName = string(1, 200).regex(/^[^{}\s]*$/, 'must be a name without braces and spaces')

const path = string(1, 2000)
  .regex(/^\//, "must begin with '/'")
  .refine(
    (text) => !/[?#\\\s]/.test(text),
    "must not contain '?', '#', a backslash or spaces; use `query` for the query",
  )
  .refine((text) => !text.includes('//'), "must not contain '//'")
  .refine(
    (text) => !text.split('/').some((part) => /^(\.|%2e){1,2}$/i.test(part)),
    "must not contain '.' or '..' as a part",
  )
  .pipe(template())

const MAX_BODY_DEPTH = 10

const body = z.unknown().transform((given, check): JsonTemplate => bodyOf(given, [], check))

function bodyOf(given: unknown, path: readonly PropertyKey[], check: z.core.$RefinementCtx): JsonTemplate {
  const refuse = (message: string): JsonTemplate => {
    check.addIssue({ code: 'custom', path: [...path], message })
    return { plain: null }
  }
  if (path.length > MAX_BODY_DEPTH) return refuse(`must not be nested deeper than ${MAX_BODY_DEPTH} levels`)
  if (typeof given === 'string') {
    try {
      return { text: readTemplate(given) }
    } catch (error) {
      if (!(error instanceof TemplateError)) throw error
      return refuse(error.message)
    }
  }
  if (Array.isArray(given)) return { list: given.map((each, i) => bodyOf(each, [...path, i], check)) }
  if (typeof given === 'object' && given !== null) {
    return { members: Object.entries(given).map(([name, each]) => [name, bodyOf(each, [...path, name], check)]) }
  }
  return typeof given === 'number' || typeof given === 'boolean' || given === null
    ? { plain: given }
    : refuse('must be JSON')
}

const sending = {
  method: z.enum(['GET', 'POST']).default('GET'),
  path,
  query: z.record(fieldName, template()).default({}),
  headers: z.record(headerName, template()).default({}),
  json: body.optional(),
  form: z.record(fieldName, template()).optional(),
}

const base = z
  .string()
  .refine(isBase, 'must be https:// and a host, which may be followed by a path, or the name of a parameter in braces')

/** Whether a text is an https address to which paths can be appended, or a parameter that has one. */
function isBase(text: string): boolean {
  if (/^\{[a-z][a-z0-9_]*\}$/.test(text)) return true
  if (!/^https:\/\/[a-z0-9.-]+(:\d{1,5})?(\/[A-Za-z0-9._~-]+)*$/.test(text)) return false
  // A base that the parser spells otherwise has segments of dots, or a host that is a number.
  const { href } = URL.parse(text) ?? {}
  return href === text || href === `${text}/`
}

const name = z
  .string()
  .regex(/^[a-z][a-z0-9_]{0,49}$/, 'must be at most 50 lower-case letters, digits and underscores')
  .refine((given) => !['value', 'type'].includes(given), 'stands for the observable: choose another name')

const second = z.strictObject({
  values: z.record(name, expression()).default({}),
  when: expression().optional(),
  ...sending,
})

const request = z.strictObject({
  types: z.array(observableTypeInput).min(1).max(100),
  base: base.optional(),
  ...sending,
  second: second.optional(),
})

const statuses = z.array(z.int().min(100).max(599)).max(20)
const sign = z.strictObject({ status: statuses.default([]), when: expression().optional() })

const pageAddress = string(1, 2000).regex(
  /^https:\/\/[^/?#\s$]+([/?#]|$)/,
  'must be an https address whose host contains no placeholder',
)

/** A function that calls a service, as people write it. */
export const definition = z.strictObject({
  title: string(1, 200),
  description: string(0, 2000).default(''),
  set_up: string(1, 2000).nullable().default(null),
  base: base.optional(),
  parameters: z.record(name, parameter).default({}),
  limits: z
    .array(z.strictObject({ calls: z.int().min(1).max(1_000_000_000), seconds: z.int().min(1).max(31_536_000) }))
    .max(10)
    .default([]),
  source_urls: z.record(string(1, 100), pageAddress).default({}),
  headers: z.record(headerName, template()).default({}),
  basic_auth: z.strictObject({ user: template(), password: template() }).optional(),
  requests: z.array(request).min(1).max(50),
  answers: z
    .strictObject({ not_found: sign.optional(), limited: sign.optional(), refused: sign.optional() })
    .default({}),
  findings: z.array(findingRule).min(1).max(100),
})

export type Definition = z.output<typeof definition>
export type DefinedRequest = Definition['requests'][number]
export type Sign = NonNullable<Definition['answers']['not_found']>
