import { itemPrefix } from '../../engine/bulk-errors.ts'
import type { Caller } from '../../engine/context.ts'
import { READING } from './matches.ts'
import type { StepKind } from './step.ts'
import { kindOf } from './step-kinds.ts'
import { parametersOf, type StoredStep } from './stored-step.ts'
import type { Trigger } from './trigger.ts'

/** What of a playbook decides whether it can be saved. */
export interface Saved {
  readonly trigger: Trigger
  readonly steps: readonly StoredStep[]
}

/** What is wrong with playbooks as a whole: steps that cannot work on the objects of the trigger. */
export const savedFaults = (rows: readonly Saved[]): string[] =>
  rows.flatMap(({ trigger, steps }, i) =>
    steps.flatMap(({ kind }, place) => {
      const { collections = [] } = kindOf(kind) ?? {}
      return collections.includes(trigger.collection)
        ? []
        : [
            `${itemPrefix(rows, i)}steps[${place}].kind: ${kind} works on ${collections.join(' and ')}, and the trigger is about ${trigger.collection}`,
          ]
    }),
  )

/** The permissions that a user needs for a playbook. */
export const neededPermissions = ({ trigger, steps }: Saved): readonly string[] => [
  ...new Set([READING[trigger.collection], ...steps.flatMap((step) => permissionsOf(step))]),
]

/** The permissions that a user needs for a step. */
export function permissionsOf(step: StoredStep): readonly string[] {
  const kind = kindOf(step.kind)
  if (!kind) return []
  const parsed = kind.parameters.safeParse(parametersOf(step))
  return parsed.success ? kind.permissions(parsed.data as Parameters<StepKind['permissions']>[0]) : []
}

/** Those of the permissions that the user lacks. */
export const lackingOf = ({ permissions }: Caller, needed: readonly string[]): string[] =>
  needed.filter((permission) => !permissions.has(permission))
