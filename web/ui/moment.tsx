import { Text } from '@mantine/core'
import { own, useClock, useOwnZone, utc } from './clock.ts'

export { utc } from './clock.ts'

/** A time in the selected clock (UTC by default); the tooltip shows UTC and local time. */
export function Moment({ at, otherwise = '–' }: { readonly at: string | null; readonly otherwise?: string }) {
  const clock = useClock()
  const zone = useOwnZone()
  if (at === null)
    return (
      <Text component="span" inherit>
        {otherwise}
      </Text>
    )
  // The native tooltip: tables contain thousands of times, and a component for each would slow them down.
  return (
    <time dateTime={at} title={`${utc(at)} UTC\n${own(at)} ${zone}`} style={{ whiteSpace: 'nowrap' }}>
      {clock === 'utc' ? utc(at) : own(at)}
    </time>
  )
}
