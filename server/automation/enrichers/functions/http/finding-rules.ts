import { z } from 'zod'
import { string } from '../../../../engine/field.ts'
import { entityTypes } from '../../../../intelligence/entities/entity-data.ts'
import { observableTypeInput } from '../../../../intelligence/observables/type-input.ts'
import { MAX_FINDINGS } from '../../function.ts'
import { expression, text } from './expression-field.ts'

/** How strong a verdict can be, the strongest first. */
export const LEVELS = ['high', 'medium', 'low', 'safe'] as const
const level = z.enum(LEVELS)

const number = z.number().min(-1e9).max(1e9)
const thresholds = z
  .strictObject({ high: number.optional(), medium: number.optional(), low: number.optional(), safe: number.optional() })
  .refine((given) => LEVELS.some((name) => given[name] !== undefined), 'must have at least one level')
  .refine((given) => {
    const numbers = LEVELS.flatMap((name) => given[name] ?? [])
    return numbers.every((each, i) => i === 0 || each < (numbers[i - 1] ?? 0))
  }, 'must have a higher number for a stronger level')

const common = {
  types: z.array(observableTypeInput).min(1).max(100).optional(),
  answer: z.enum(['first', 'second']).default('first'),
  each: expression().optional(),
  when: expression().optional(),
  limit: z.int().min(1).max(MAX_FINDINGS).default(MAX_FINDINGS),
}

const verdict = z.strictObject({
  kind: z.literal('verdict'),
  ...common,
  maliciousness: level.optional(),
  value: expression().optional(),
  thresholds: thresholds.optional(),
  mapping: z.record(string(1, 200), level).optional(),
  reason: text().optional(),
})

const link = z.strictObject({
  kind: z.literal('link'),
  ...common,
  relation: z
    .string()
    .max(100)
    .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, 'must be lower-case words with hyphens such as resolves-to'),
  type: z.union(
    [z.literal('detect'), observableTypeInput.transform((type) => [type]), z.array(observableTypeInput).min(1).max(10)],
    {
      error: "must be an observable type, a list of them, or 'detect'",
    },
  ),
  value: text(),
  first_seen: expression().optional(),
  last_seen: expression().optional(),
})

const entity = z.strictObject({
  kind: z.literal('entity'),
  ...common,
  type: z.enum(entityTypes),
  id: text(),
  title: text(),
  description: text().optional(),
  names: expression().optional(),
  url: text().optional(),
})

const tag = z.strictObject({ kind: z.literal('tag'), ...common, value: text() })
const attack = z.strictObject({ kind: z.literal('attack'), ...common, node: text() })
const reference = z.strictObject({
  kind: z.literal('reference'),
  ...common,
  url: text(),
  title: text().optional(),
  description: text().optional(),
})

/** How findings of one kind are made of an answer. */
export const findingRule = z
  .discriminatedUnion('kind', [verdict, link, entity, tag, attack, reference], {
    error: (issue) =>
      issue.code === 'invalid_union' ? 'must be verdict, link, entity, tag, attack or reference' : undefined,
  })
  .superRefine((rule, check) => {
    if (rule.kind !== 'verdict') return
    const ways = [rule.maliciousness, rule.thresholds, rule.mapping].filter((each) => each !== undefined)
    if (ways.length !== 1) {
      check.addIssue({ code: 'custom', message: 'must have one of maliciousness, thresholds and mapping' })
    } else if ((rule.value === undefined) !== (rule.maliciousness !== undefined)) {
      const message =
        rule.value === undefined ? 'is required with thresholds or a mapping' : 'has no meaning with maliciousness'
      check.addIssue({ code: 'custom', path: ['value'], message })
    }
  })

export type FindingRule = z.output<typeof findingRule>
