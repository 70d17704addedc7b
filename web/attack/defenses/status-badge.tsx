import { Badge, Text } from '@mantine/core'
import { STATUS_NAMES, statusName } from './status.ts'

/** How far a defense is built. */
export const StatusBadge = ({ status }: { readonly status: string }) => (
  <Badge variant="light" radius="xs" color={STATUS_NAMES.find(({ value }) => value === status)?.color ?? 'gray'}>
    {statusName(status)}
  </Badge>
)

/** The day on which something is to be looked at again. */
export function ReviewDay({ at }: { readonly at: string | null }) {
  if (at === null) return <Text size="sm">–</Text>
  const isDue = Date.parse(at) <= Date.now()
  return (
    <Text size="sm" component="span" {...(isDue && { c: 'var(--mantine-color-orange-text)', fw: 600 })}>
      {at.slice(0, 10)}
      {isDue && (
        <Text size="xs" component="div">
          Review due
        </Text>
      )}
    </Text>
  )
}
