import type { PlaybookRun } from '../../../api/resources.ts'
import type { ObjectCollection, Step } from '../playbook.ts'

/** A step of a run, with what it was given and what came of it. */
export type RunStep = PlaybookRun['steps'][number]

/** What a playbook would do to an object. */
export interface Tried {
  readonly collection: ObjectCollection
  /** The URL of the object. */
  readonly object: string
  readonly state: PlaybookRun['state']
  readonly reason: string | null
  readonly steps: readonly RunStep[]
}

/** The step of the playbook that a step of a run executed. */
export const stepOf = ({ id, kind, name, input }: RunStep): Step => ({
  only_if: [],
  on_failure: 'stop',
  ...input,
  id,
  kind,
  name,
})

/** The name and the colour of each state of a step. */
export const STEP_STATES: Readonly<Record<RunStep['state'], { readonly label: string; readonly color: string }>> = {
  PENDING: { label: 'Not done', color: 'gray' },
  STARTED: { label: 'Running', color: 'blue' },
  WAITING: { label: 'Waiting', color: 'blue' },
  SUCCESS: { label: 'Done', color: 'green' },
  WARNING: { label: 'Done with warnings', color: 'yellow' },
  FAILURE: { label: 'Failed', color: 'red' },
  SKIPPED: { label: 'Skipped', color: 'gray' },
}

/** The name and the colour of each state of a run. */
export const RUN_STATES: Readonly<
  Record<PlaybookRun['state'], { readonly label: string; readonly color: string; readonly counted?: string }>
> = {
  PENDING: { label: 'Queued', color: 'gray' },
  STARTED: { label: 'Running', color: 'blue' },
  WAITING: { label: 'Waiting', color: 'blue' },
  SUCCESS: { label: 'Completed', color: 'green' },
  WARNING: { label: 'Completed with warnings', color: 'yellow', counted: 'with warnings' },
  FAILURE: { label: 'Failed', color: 'red' },
  REVOKED: { label: 'Stopped', color: 'gray' },
}

/** A run that would have been part of a loop, so that none of its steps was done. */
const NOT_RUN = { label: 'Not run', color: 'yellow' }

/** The name and the colour of the state of a run. */
export const runStateOf = ({
  state,
  started_at,
}: Pick<PlaybookRun, 'state'> & Partial<Pick<PlaybookRun, 'started_at'>>) =>
  state === 'WARNING' && started_at === null ? NOT_RUN : RUN_STATES[state]

/** The steps of a run, where those that have not begun say what they are going to do. */
export const withPlanned = (steps: readonly RunStep[], planned: readonly Step[]): readonly RunStep[] =>
  steps.map((step) => {
    const {
      id: _,
      kind: __,
      name: ___,
      only_if: ____,
      on_failure: _____,
      ...input
    } = planned.find(({ id, kind }) => id === step.id && kind === step.kind) ?? stepOf(step)
    return step.state === 'PENDING' ? { ...step, input } : step
  })

/** Whether a run goes on. */
export const isOpen = (state: PlaybookRun['state']): boolean =>
  state === 'PENDING' || state === 'STARTED' || state === 'WAITING'

const REMEDIES: readonly (readonly [sign: RegExp, remedy: string])[] = [
  [
    /^Missing permission/i,
    'Give the owner of the playbook this permission, or let somebody who has it save the playbook.',
  ],
  [/no longer valid|no steps of the kind/i, 'Open the playbook, correct the step and save it.'],
  [/secret/i, 'Open the playbook and enter the secret again.'],
  [/terms|consent/i, 'The owner of the playbook has to accept the terms of the sandbox.'],
  [
    /not be reached|cannot be reached|timed out|timeout|within|status 5\d\d|responded|limit/i,
    'This may pass. Try again later with “Retry from failed step”.',
  ],
  [/internal error/i, 'Try again. If it happens again, an administrator finds the cause in the log of the server.'],
]

/** What to do about the error of a step. */
export const remedyFor = (error: string): string =>
  REMEDIES.find(([sign]) => sign.test(error))?.[1] ??
  'Correct the playbook or what the message names. Then use “Retry from failed step”.'
