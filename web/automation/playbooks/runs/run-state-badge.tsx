import { Badge } from '@mantine/core'
import type { PlaybookRun } from '../../../api/resources.ts'
import { RUN_STATES } from './run-step.ts'

/** The state of a run of a playbook, as text and colour. */
export function PlaybookRunBadge({ state }: { readonly state: PlaybookRun['state'] }) {
  const { label, color } = RUN_STATES[state]
  return (
    <Badge variant="light" radius="xs" color={color} flex="none">
      {label}
    </Badge>
  )
}
