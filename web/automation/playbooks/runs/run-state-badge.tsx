import { Badge } from '@mantine/core'
import { runStateOf } from './run-step.ts'

/** The state of a run of a playbook, as text and colour. */
export function PlaybookRunBadge({ run }: { readonly run: Parameters<typeof runStateOf>[0] }) {
  const { label, color } = runStateOf(run)
  return (
    <Badge variant="light" radius="xs" color={color} flex="none">
      {label}
    </Badge>
  )
}
