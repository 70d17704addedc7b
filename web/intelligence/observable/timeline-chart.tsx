import { useComputedColorScheme } from '@mantine/core'
import { useEffect, useRef } from 'react'
import { showChartsNotLoaded } from '../../ui/toasts.tsx'
import type { Bucket } from './timeline.ts'

interface TimelineChartProps {
  readonly buckets: readonly Bucket[]
  readonly label: string
}

/** A bar chart over time. */
export function TimelineChart({ buckets, label }: TimelineChartProps) {
  const place = useRef<HTMLDivElement>(null)
  const scheme = useComputedColorScheme()
  useEffect(() => {
    let end = () => {}
    let isGone = false
    import('./draw-bars.ts').then(({ drawBars }) => {
      if (place.current && !isGone) end = drawBars(place.current, buckets, scheme)
    }, showChartsNotLoaded)
    return () => {
      isGone = true
      end()
    }
  }, [buckets, scheme])
  return <div ref={place} role="img" aria-label={label} style={{ height: 180, width: '100%' }} />
}
