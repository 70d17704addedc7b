import { Text } from '@mantine/core'
import { localTime, useClock, useLocalZone, utcTime } from './clock.ts'

export { utcTime } from './clock.ts'

/** A time in the selected clock (UTC by default); the tooltip shows UTC and local time. */
export function Moment({ at, otherwise = '–' }: { readonly at: string | null; readonly otherwise?: string }) {
  const clock = useClock()
  const zone = useLocalZone()
  if (at === null)
    return (
      <Text component="span" inherit>
        {otherwise}
      </Text>
    )
  // The native tooltip: tables contain thousands of times, and a component for each would slow them down.
  return (
    <time dateTime={at} title={`${utcTime(at)} UTC\n${localTime(at)} ${zone}`} style={{ whiteSpace: 'nowrap' }}>
      {clock === 'utc' ? utcTime(at) : localTime(at)}
    </time>
  )
}
