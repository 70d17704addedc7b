import { Badge, Tooltip } from '@mantine/core'
import type { RuleState } from './rule-state.ts'

/** The state of a rule as text and colour; the tooltip says what is wrong. */
export function RuleStateBadge({ state: { label, color, reason } }: { readonly state: RuleState }) {
  const badge = (
    <Badge variant="light" radius="xs" color={color} {...(reason !== null && { tabIndex: 0 })}>
      {label}
    </Badge>
  )
  if (reason === null) return badge
  return (
    <Tooltip label={reason} multiline maw={360} events={{ hover: true, focus: true, touch: true }}>
      {badge}
    </Tooltip>
  )
}
