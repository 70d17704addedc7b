import { ActionIcon, Group, Slider, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useMemo, useState } from 'react'
import { listQuery, type Parameters } from '../../api/lists.ts'
import { Icon } from '../../ui/icon.tsx'
import { periodsBetween } from './periods.ts'

const START = 'meta.estimated_threat_start_time'

/** How long each period is shown while it plays. */
const STEP_MS = 1_500

interface TimeSliderProps {
  /** The parameters of heat, without a time. */
  readonly parameters: Parameters
  /** The name of the period; empty for all time. */
  readonly value: string
  readonly onChange: (name: string) => void
}

/** Selects the time in which threats began, and plays one period after the other. */
export function TimeSlider({ parameters, value, onChange }: TimeSliderProps) {
  const periods = usePeriods(parameters)
  const [isPlaying, setIsPlaying] = useState(false)
  const at = periods.findIndex(({ name }) => name === value) + 1
  const isAtEnd = at >= periods.length
  useEffect(() => {
    if (!isPlaying) return
    if (isAtEnd) return setIsPlaying(false)
    const timer = setTimeout(() => onChange(periods[at]?.name ?? ''), STEP_MS)
    return () => clearTimeout(timer)
  }, [isPlaying, isAtEnd, at, periods, onChange])
  if (periods.length < 2) return null
  const play = () => {
    if (!isPlaying && (at === 0 || isAtEnd)) onChange(periods[0]?.name ?? '')
    setIsPlaying(!isPlaying)
  }
  return (
    <Group gap="sm" wrap="nowrap" role="group" aria-label="Time">
      <ActionIcon variant="default" aria-label={isPlaying ? 'Pause' : 'Play over time'} onClick={play}>
        <Icon name={isPlaying ? 'pause' : 'play'} size={14} />
      </ActionIcon>
      <Text size="sm" c="dimmed" aria-hidden>
        Threat start
      </Text>
      <Slider
        flex={1}
        maw={640}
        size={4}
        thumbSize={14}
        min={0}
        max={periods.length}
        label={null}
        thumbLabel="Threat start"
        thumbProps={{ 'aria-valuetext': value || 'All time' }}
        value={at}
        onChange={(next) => {
          setIsPlaying(false)
          onChange(periods[next - 1]?.name ?? '')
        }}
      />
      <Text size="sm" c="dimmed" w={90} role="status">
        {value || 'All time'}
      </Text>
    </Group>
  )
}

interface Started {
  readonly meta: { readonly estimated_threat_start_time: string | null }
}

/** The periods from the first threat in a scope until now. */
function usePeriods({ dataset, entities, query }: Parameters) {
  const first = useQuery(
    listQuery<Started>('entities', {
      ...(dataset !== undefined && { 'filter[datasets]': dataset }),
      ...(entities !== undefined && { 'filter[id]': entities }),
      ...(query !== undefined && { query }),
      sort: START,
      limit: 1,
      attributes: START,
    }),
  )
  const start = first.data?.data[0]?.meta.estimated_threat_start_time ?? null
  return useMemo(() => (start === null ? [] : periodsBetween(new Date(start), new Date())), [start])
}

/** The parameters of heat for a period. */
export const withPeriod = (
  parameters: Parameters,
  period: { readonly from: string; readonly until: string },
): Parameters => ({
  ...parameters,
  [`filter[>=${START}]`]: period.from,
  [`filter[<${START}]`]: period.until,
})
