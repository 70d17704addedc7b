import type { TaskRun } from '../../api/resources.ts'

/** How many look-ups of a run ended in which way. */
export interface OutcomeCount {
  readonly label: string
  readonly count: number
  readonly color: string
}

/** A look-up without a result. */
export interface OutcomeSample {
  readonly enricher: number
  readonly observable: number
  readonly state: string
  readonly reason: string | null
}

/** The result of a run that looks observables up. */
export interface RunOutcome {
  readonly summary: string
  readonly counts: readonly OutcomeCount[]
  readonly samples: readonly OutcomeSample[]
}

const COUNTS = [
  { name: 'found', label: 'found', color: 'green' },
  { name: 'empty', label: 'not known', color: 'gray' },
  { name: 'cached', label: 'reused', color: 'blue' },
  { name: 'skipped', label: 'skipped', color: 'yellow' },
  { name: 'failed', label: 'failed', color: 'red' },
  { name: 'not_done', label: 'not done', color: 'orange' },
] as const

/** The outcome of a run; null if it has none, or if it is of another kind. */
export function outcomeOf({ result }: Pick<TaskRun, 'result'>): RunOutcome | null {
  if (result === null || typeof result !== 'object' || !('look_ups' in result)) return null
  const { summary, samples, ...counts } = result as Readonly<Record<string, unknown>>
  return {
    summary: typeof summary === 'string' ? summary : '',
    counts: COUNTS.flatMap(({ name, label, color }) => {
      const count = Number(counts[name] ?? 0)
      return count > 0 ? [{ label, count, color }] : []
    }),
    samples: Array.isArray(samples) ? samples : [],
  }
}

const STATES: Readonly<Record<string, string>> = { FAILED: 'Failed', SKIPPED: 'Skipped', NOT_DONE: 'Not done' }

/** The state of a look-up without a result, as text. */
export const sampleState = (state: string): string => STATES[state] ?? state
