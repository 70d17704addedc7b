import { z } from 'zod'
import { messageOf } from '../../engine/body.ts'
import { string } from '../../engine/field.ts'
import { refuseUnstorable } from '../../engine/storable.ts'
import { storedQuery } from '../../intelligence/queries/stored-query.ts'
import { placeholderFaults } from './placeholders.ts'
import { anyId, mapReferences, nameIn, shownReference, storedReference } from './references.ts'
import type { StepKind } from './step.ts'
import { kindNames, kindOf, schemaOf } from './step-kinds.ts'
import { type OnlyIf, parametersOf, type StoredStep } from './stored-step.ts'

export const MAX_STEPS = 30
const MAX_CONDITIONS = 10

export const stepId = z.string().regex(/^[a-z0-9_]{1,40}$/, 'must consist of up to 40 lower-case letters, digits and _')

/** A condition of a step, or of the kind `condition`. */
export const onlyIf = z
  .object({
    step: stepId.optional(),
    outcome: z.array(string(1, 100)).min(1).max(50).optional(),
    query: storedQuery.nullish(),
  })
  .transform((given, check): OnlyIf => {
    const { step, outcome, query = null } = given
    if (query !== null && step === undefined && outcome === undefined) return { query }
    if (query === null && step !== undefined && outcome !== undefined) return { step, outcome }
    check.addIssue({ code: 'custom', message: 'needs either step and outcome, or query' })
    return z.NEVER
  })

const step = z
  .looseObject({
    id: stepId,
    kind: z.enum(kindNames, { error: `must be one of ${kindNames.join(', ')}` }),
    name: string(1, 200).nullable().default(null),
    only_if: z.array(onlyIf).max(MAX_CONDITIONS).default([]),
    on_failure: z.enum(['stop', 'continue']).default('stop'),
  })
  .check(refuseUnstorable)
  .transform((given): StoredStep => withStoredReferences(given))
  .superRefine((given, check) => {
    for (const { path, message } of parameterFaults(given)) check.addIssue({ code: 'custom', path: [...path], message })
  })

/** The steps of a playbook as clients send them. Each fault has the path of its field. */
export const stepsInput = z
  .array(step)
  .min(1)
  .max(MAX_STEPS)
  .superRefine((steps, check) => {
    for (const [i, each] of steps.entries()) {
      for (const { path, message } of stepFaults(each, steps.slice(0, i)))
        check.addIssue({ code: 'custom', path: [i, ...path], message })
    }
  })

/** The steps of a playbook in responses. */
export const stepsOutput = z.array(
  z.looseObject({
    id: z.string().describe('Names it within the playbook.'),
    kind: z.enum(kindNames).describe('One of `GET /playbooks/step-kinds`, which describes the further members.'),
    name: z.string().nullable(),
    only_if: z
      .array(
        z.object({
          step: z.string().optional(),
          outcome: z.array(z.string()).optional(),
          query: z.string().optional(),
        }),
      )
      .describe(
        'The step is skipped unless all hold: an outcome of an earlier step, or a query that the object matches.',
      ),
    on_failure: z.enum(['stop', 'continue']).describe('Whether the run ends or goes on when the step fails.'),
  }),
)

/** Stored steps as responses have them. */
export const showSteps = (baseUrl: string, stored: unknown): unknown =>
  (stored as readonly StoredStep[]).map((each) => {
    const kind = kindOf(each.kind)
    return kind ? mapReferences(schemaOf(kind), each, shownReference(baseUrl)) : each
  })

interface Fault {
  readonly path: readonly PropertyKey[]
  readonly message: string
}

function withStoredReferences(given: Record<string, unknown>): StoredStep {
  const kind = kindOf(String(given.kind))
  return (kind ? mapReferences(schemaOf(kind), given, storedReference) : given) as StoredStep
}

function stepFaults(step: StoredStep, earlier: readonly StoredStep[]): Fault[] {
  const kind = kindOf(step.kind)
  if (!kind) return []
  const isTwice = earlier.some(({ id }) => id === step.id)
  return [
    ...(isTwice ? [{ path: ['id'], message: `'${step.id}' is the id of another step` }] : []),
    ...conditionFaults(step.only_if, 'only_if', earlier),
    ...conditionFaults(outcomesIn(step), 'outcomes', earlier),
    ...templateFaults(step, kind, earlier),
  ]
}

/** The conditions in the parameters of the kind `condition`. */
const outcomesIn = ({ kind, outcomes }: StoredStep): readonly OnlyIf[] =>
  kind === 'condition' && Array.isArray(outcomes) ? outcomes : []

function parameterFaults(step: StoredStep): Fault[] {
  const found = kindOf(step.kind)
  if (!found) return []
  const { kind, parameters } = found
  const given = parametersOf(step)
  const known = Object.keys(parameters.shape)
  const unknown = Object.keys(given).filter((name) => !known.includes(name))
  const parsed = parameters.safeParse(checkable(step), { error: messageOf })
  return [
    ...unknown.map((name) => ({
      path: [name],
      message: `is no parameter of ${kind}. It has ${known.join(', ') || 'none'}`,
    })),
    ...(parsed.success ? [] : parsed.error.issues.map(({ path, message }) => ({ path, message }))),
  ]
}

/** The parameters of a step with an id in place of each name, which is resolved when the playbook is stored. */
function checkable(step: StoredStep): unknown {
  const kind = kindOf(step.kind)
  return kind
    ? mapReferences(schemaOf(kind), parametersOf(step), (given, to) =>
        nameIn(given) === undefined ? given : anyId(to),
      )
    : parametersOf(step)
}

function conditionFaults(conditions: readonly OnlyIf[], member: string, earlier: readonly StoredStep[]): Fault[] {
  return conditions.flatMap((condition, i): Fault[] => {
    if (typeof condition !== 'object' || condition === null || !('step' in condition)) return []
    const found = earlier.find(({ id }) => id === condition.step)
    if (!found)
      return [{ path: [member, i, 'step'], message: `must name an earlier step, and '${condition.step}' is none` }]
    const words = Object.keys(kindOf(found.kind)?.outcomes ?? {})
    const isOutcome = (word: string) => words.includes(word)
    return (Array.isArray(condition.outcome) ? condition.outcome : []).flatMap((word, place) =>
      isOutcome(word) ? [] : [{ path: [member, i, 'outcome', place], message: `must be one of ${words.join(', ')}` }],
    )
  })
}

function templateFaults(step: StoredStep, { templates }: StepKind, earlier: readonly StoredStep[]): Fault[] {
  const ids = earlier.map(({ id }) => id)
  return templates.flatMap((path) => {
    const parts = path.split('.')
    const text = parts.reduce<unknown>((at, part) => (at as Record<string, unknown> | undefined)?.[part], step)
    if (typeof text !== 'string') return []
    return placeholderFaults(text, ids).map((message) => ({ path: parts, message }))
  })
}
