import { Box, Button, Group, RangeSlider, Text } from '@mantine/core'
import { useMemo } from 'react'
import { utcTime } from '../ui/moment.tsx'
import { timeOf } from './filters.ts'
import { type Bar, barsOf, barsWithin, rangeOf } from './time-bars.ts'
import type { GraphState } from './use-graph.ts'

const HEIGHT = 34

/** A histogram of the nodes over time, with a range slider that filters them. */
export function TimeBar({ graph }: { readonly graph: GraphState }) {
  const { nodes, filters } = graph.drawing
  const bars = useMemo(() => barsOf([...nodes.values()].flatMap((node) => timeOf(node) ?? [])), [nodes])
  if (bars.length < 2) return null
  const range = barsWithin(bars, filters)
  const isOpen = filters.from === null && filters.until === null
  const day = (time: number | undefined) =>
    time === undefined ? '' : utcTime(new Date(time).toISOString()).slice(0, 10)
  return (
    <Box px="md" py={6} style={{ borderTop: '1px solid var(--corvus-line)' }}>
      <Group gap="xs" justify="space-between" mih={22}>
        <Text size="xs" c="dimmed">
          {day(bars[range[0]]?.from)} – {day(bars[range[1]]?.until)} (UTC, observed or added)
        </Text>
        {!isOpen && (
          <Button
            size="compact-xs"
            variant="subtle"
            onClick={() => graph.filter('Show all times', { from: null, until: null })}
          >
            Show all times
          </Button>
        )}
      </Group>
      <Bars bars={bars} range={range} />
      <RangeSlider
        size={4}
        thumbSize={14}
        min={0}
        max={bars.length - 1}
        minRange={0}
        label={null}
        thumbFromLabel="Start of the time range"
        thumbToLabel="End of the time range"
        value={[range[0], range[1]]}
        onChange={(value) => graph.filter('Filter by time', rangeOf(bars, value), true)}
      />
    </Box>
  )
}

function Bars({
  bars,
  range: [first, last],
}: {
  readonly bars: readonly Bar[]
  readonly range: readonly [number, number]
}) {
  const most = Math.max(...bars.map(({ count }) => count))
  return (
    <svg
      viewBox={`0 0 ${bars.length} ${HEIGHT}`}
      width="100%"
      height={HEIGHT}
      preserveAspectRatio="none"
      role="img"
      aria-label="Number of nodes over time"
      style={{ display: 'block' }}
    >
      {bars.map(({ from, count }, i) => {
        // Square root scale: a day with one node is still visible next to a day with a thousand.
        const height = count === 0 ? 0 : Math.max(3, Math.sqrt(count / most) * HEIGHT)
        const isIn = i >= first && i <= last
        return (
          <rect
            key={from}
            x={i + 0.1}
            width={0.8}
            y={HEIGHT - height}
            height={height}
            fill={isIn ? 'var(--mantine-primary-color-filled)' : 'var(--mantine-color-gray-5)'}
            opacity={isIn ? 0.85 : 0.35}
          />
        )
      })}
    </svg>
  )
}
