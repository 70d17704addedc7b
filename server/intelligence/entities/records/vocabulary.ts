import { z } from 'zod'
import { eitherOf, recordOf, type Shape } from './shape.ts'

/** A record that requires only a value, such as a name. */
export const valueRequired = recordOf({ value: z.string() }, {})

/** A string of a vocabulary that the record may name. */
export const controlledVocabulary = recordOf(
  { value: z.string() },
  { vocab: z.string(), vocab_name: z.string(), vocab_reference: z.string(), value_vocab: z.string() },
)

/** A term of a vocabulary, as a plain word or as a record. */
export const term = eitherOf(z.string(), controlledVocabulary)

/** A record whose value is in a list. Records that name another vocabulary can have other values. */
export const vocabularyRecord = <R extends Shape, O extends Shape>(
  values: readonly string[],
  required: R,
  optional: O,
) =>
  recordOf({ ...required, value: documented(values) }, { value_vocab: z.string(), ...optional }).check(
    fromVocabulary(values, 'value', 'value_vocab'),
  )

/** A string whose usual values are listed in the OpenAPI document. */
export const documented = (values: readonly string[]) => eitherOf(z.enum(values), z.string())

/** Refuses a word outside the list unless the record names a vocabulary other than the standard one. */
export const fromVocabulary =
  (values: readonly string[], field: string, vocabulary: string): z.core.CheckFn<Record<string, unknown>> =>
  ({ value: record, issues }) => {
    const value = record[field]
    if (typeof value !== 'string' || values.includes(value) || isForeign(record[vocabulary])) return
    issues.push({ code: 'invalid_value', values: [...values], input: value, path: [field], continue: true })
  }

const isForeign = (vocabulary: unknown): boolean =>
  typeof vocabulary === 'string' && vocabulary !== '' && !vocabulary.includes('default_vocabularies')
