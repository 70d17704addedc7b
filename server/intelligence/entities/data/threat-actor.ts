import { z } from 'zod'
import { isRecord } from '../../../domain/record.ts'
import { words } from '../records/shape.ts'
import { dataOf, seen } from './shared-fields.ts'

/** Fields of the older schema that contained records, and what replaces them. */
const REPLACED = {
  identity: 'names, aliases and roles (lists of words)',
  motivations: 'primary_motivation (a word), secondary_motivations and personal_motivations (lists of words)',
  planning_and_operational_support: 'resource_level (a word)',
  planning_and_operational_supports: 'resource_level (a word)',
  types: 'threat_actor_types (a list of words)',
}

const hasRecords = (value: unknown): boolean => (Array.isArray(value) ? value.some(isRecord) : isRecord(value))

/** A field that contained records in the older schema, which are reported as a single error. */
const inWords = <S extends z.ZodType>(schema: S, current: string) =>
  z.preprocess((value, check) => {
    if (hasRecords(value)) {
      const message = `must be ${current}: the records of the older threat-actor schema are no longer accepted`
      check.addIssue({ code: 'custom', input: value, message })
    }
    return value
  }, schema)

const word = inWords(z.string(), 'a word')
const list = inWords(words, 'a list of words')

/** A person or group behind attacks. */
export const threatActor = dataOf('threat-actor', {
  threat_actor_types: list,
  names: list,
  aliases: list,
  roles: list,
  goals: list,
  sophistication: word,
  resource_level: word,
  primary_motivation: word,
  secondary_motivations: list,
  personal_motivations: list,
  ...seen,
}).superRefine(
  (data, check) => {
    for (const [field, current] of Object.entries(REPLACED)) {
      if (!hasRecords(data[field])) continue
      const message = `is of the older threat-actor schema, which is no longer accepted: send ${current} instead`
      check.addIssue({ code: 'custom', path: [field], message })
    }
  },
  // Also checked if there are other errors, so that the response contains all of them.
  { when: ({ value }) => isRecord(value) },
)
