import { type Document, isDocument } from '../../../forms/paths.ts'
import type { Condition, Step, StepKind } from '../playbook.ts'
import { referenceField } from '../references.ts'

/** An id for a step that no other one has: that of its kind, with a number if needed. */
export function freeId(wanted: string, steps: readonly { readonly id: string }[]): string {
  const base = wanted.replace(/_\d+$/, '').slice(0, 36) || 'step'
  const isTaken = (id: string) => steps.some((step) => step.id === id)
  for (let i = 1; ; i++) {
    const id = i === 1 ? base : `${base}_${i}`
    if (!isTaken(id)) return id
  }
}

/** A new step of a kind, with the defaults of its parameters. */
export function newStep({ kind, parameters }: StepKind, steps: readonly Step[]): Step {
  const defaults = Object.entries(parameters.properties ?? {}).flatMap(([name, schema]): [string, unknown][] => {
    if (schema.default !== undefined) return [[name, schema.default]]
    return referenceField(schema)?.isList ? [[name, []]] : []
  })
  return {
    ...Object.fromEntries(defaults),
    id: freeId(kind, steps),
    kind,
    name: null,
    only_if: [],
    on_failure: 'stop',
  }
}

/** The steps with a copy of one after it. */
export function withCopy(steps: readonly Step[], at: number): readonly Step[] {
  const step = steps[at]
  return step ? steps.toSpliced(at + 1, 0, { ...step, id: freeId(step.id, steps) }) : steps
}

/** The steps with one of them at another place. */
export function withMoved(steps: readonly Step[], from: number, to: number): readonly Step[] {
  const step = steps[from]
  const place = Math.max(0, Math.min(to, steps.length - 1))
  return step && place !== from ? steps.toSpliced(from, 1).toSpliced(place, 0, step) : steps
}

/** Steps from a file or a template, with what they leave out and without ids that occur twice. */
export function readSteps(value: unknown): readonly Step[] {
  const steps: Step[] = []
  for (const each of Array.isArray(value) ? value.filter(isDocument) : []) {
    const wanted = typeof each.id === 'string' ? each.id : String(each.kind ?? 'step')
    const isFree = !steps.some(({ id }) => id === wanted)
    steps.push({
      ...each,
      id: isFree ? wanted : freeId(wanted, steps),
      kind: String(each.kind ?? ''),
      name: typeof each.name === 'string' ? each.name : null,
      only_if: Array.isArray(each.only_if) ? (each.only_if as readonly Condition[]) : [],
      on_failure: each.on_failure === 'continue' ? 'continue' : 'stop',
    })
  }
  return steps
}

/** The document with a text in place of the value at a path such as `steps[0].users`. */
export const pathOf = (path: string): readonly (string | number)[] =>
  [...path.matchAll(/[^.[\]]+/g)].map(([part]) => (/^\d+$/.test(part) ? Number(part) : part))

/** The value at a path of a document. */
export const valueAt = (whole: unknown, path: readonly (string | number)[]): unknown =>
  path.reduce<unknown>((at, part) => (at as Document | undefined)?.[part], whole)

/** The conditions that ask for a step that is not an earlier one, which the server refuses. */
export const isLost = ({ step }: Condition, earlier: readonly Step[]): boolean =>
  step !== undefined && !earlier.some(({ id }) => id === step)
