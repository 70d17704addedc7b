import { Text } from '@mantine/core'
import { own, useClock, useOwnZone, utc } from './clock.ts'

export { utc } from './clock.ts'

/** A time by the chosen clock, UTC unless one chose otherwise; who hovers over it sees it by the other one, too. */
export function Moment({ at, otherwise = '–' }: { readonly at: string | null; readonly otherwise?: string }) {
  const clock = useClock()
  const zone = useOwnZone()
  if (at === null)
    return (
      <Text component="span" inherit>
        {otherwise}
      </Text>
    )
  // The browser's own hint: tables have thousands of times, and each with a tooltip of its own would make them slow.
  return (
    <time dateTime={at} title={`${utc(at)} UTC\n${own(at)} ${zone}`} style={{ whiteSpace: 'nowrap' }}>
      {clock === 'utc' ? utc(at) : own(at)}
    </time>
  )
}
