import { Badge, Tooltip } from '@mantine/core'

interface StateBadgeProps {
  readonly state: {
    readonly label: string
    readonly color: string
    /** What is wrong; null if nothing. */
    readonly reason: string | null
  }
}

/** The state of a rule or an enricher as text and colour; the tooltip says what is wrong. */
export function StateBadge({ state: { label, color, reason } }: StateBadgeProps) {
  const badge = (
    <Badge variant="light" radius="xs" color={color} flex="none" {...(reason !== null && { tabIndex: 0 })}>
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
