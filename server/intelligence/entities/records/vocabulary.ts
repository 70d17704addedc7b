import { z } from 'zod'
import { eitherOf, recordOf, type Shape } from './shape.ts'

/** A record whose only certain property is its value, such as a name. */
export const valueRequired = recordOf({ value: z.string() }, {})

/** A string of a vocabulary that the record may name. */
export const controlledVocabulary = recordOf(
  { value: z.string() },
  { vocab: z.string(), vocab_name: z.string(), vocab_reference: z.string(), value_vocab: z.string() },
)

/** A term of a vocabulary: the bare word or its record. */
export const term = eitherOf(z.string(), controlledVocabulary)

/** A record with a value out of a list; one that names a vocabulary of its own may take others. */
export const vocabularyRecord = <R extends Shape, O extends Shape>(
  values: readonly string[],
  required: R,
  optional: O,
) =>
  recordOf({ ...required, value: documented(values) }, { value_vocab: z.string(), ...optional }).check(
    fromVocabulary(values, 'value', 'value_vocab'),
  )

/** A word whose usual values the API document lists. */
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
