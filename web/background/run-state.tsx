import { Badge } from '@mantine/core'
import type { TaskRun } from '../api/resources.ts'

type State = TaskRun['state']

/** The label and colour of each run state. */
export const RUN_STATES: Readonly<Record<State, { readonly label: string; readonly color: string }>> = {
  PENDING: { label: 'Queued', color: 'gray' },
  SENT: { label: 'Queued', color: 'gray' },
  STARTED: { label: 'Running', color: 'blue' },
  RETRY: { label: 'Retrying', color: 'orange' },
  FAILURE: { label: 'Failed', color: 'red' },
  REVOKED: { label: 'Stopped', color: 'gray' },
  CAP_REACHED: { label: 'Limit reached', color: 'orange' },
  WARNING: { label: 'Completed with warnings', color: 'yellow' },
  SUCCESS: { label: 'Completed', color: 'green' },
}

/** The state of a run, as text and colour. */
export function RunStateBadge({ state }: { readonly state: string }) {
  const { label, color } = RUN_STATES[state as State] ?? { label: state, color: 'gray' }
  return (
    <Badge variant="light" radius="xs" color={color}>
      {label}
    </Badge>
  )
}
