import { z } from 'zod'
import { isRecord } from '../../../domain/record.ts'

/** The fields of a record or of an entity's data. */
export type Shape = z.core.$ZodLooseShape

/** A record with required and optional fields, which keeps unknown properties. */
export const recordOf = <R extends Shape, O extends Shape>(required: R, optional: O) =>
  z.looseObject({ ...required, ...optionally(optional) })

type Optionally<O extends Shape> = { [K in keyof O]: z.ZodOptional<O[K]> }

const optionally = <O extends Shape>(fields: O): Optionally<O> =>
  Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, optional(field)])) as Optionally<O>

const optionals = new WeakMap<z.core.$ZodType, z.ZodOptional>()

/** Reuses the optional variant of a schema, because many fields share one. */
function optional(field: z.core.$ZodType): z.ZodOptional {
  const made = optionals.get(field) ?? z.optional(field)
  optionals.set(field, made)
  return made
}

/** A list of words: an open vocabulary, names, or references to other STIX objects. */
export const words = z.array(z.string())

/** A value in one of two forms. Errors of objects refer to the second form, all others to the first. */
export const eitherOf = <A extends z.ZodType, B extends z.ZodType>(plain: A, other: B) =>
  z.union([plain, other], {
    error: (issue) => (issue.code === 'invalid_union' ? said(issue.errors[isRecord(issue.input) ? 1 : 0]) : undefined),
  })

const said = (faults: readonly z.core.$ZodIssue[] = []): string =>
  faults.map(({ path, message }) => [path.join('.'), message].filter((part) => part !== '').join(' ')).join(' and ')
