import { useComputedColorScheme } from '@mantine/core'
import type { EChartsCoreOption, EChartsType } from 'echarts/core'
import { useEffect, useRef } from 'react'
import { showChartsNotLoaded } from '../ui/toasts.tsx'
import type { Ink } from './chart-option.ts'

interface ChartProps {
  /** Creates the ECharts option in the colours of the theme. */
  readonly option: (ink: Ink) => EChartsCoreOption
  /** The text alternative. */
  readonly label: string
  readonly height?: number | string
}

/** A chart that fills its container, follows the theme and has a text alternative. */
export function Chart({ option, label, height = '100%' }: ChartProps) {
  const position = useRef<HTMLDivElement>(null)
  const theme = useComputedColorScheme()
  useEffect(() => {
    const element = position.current
    if (!element) return
    let chart: EChartsType | undefined
    let isGone = false
    const observer = new ResizeObserver(() => chart?.resize())
    import('./echarts.ts').then(({ init }) => {
      if (isGone) return
      chart = init(element)
      chart.setOption(option(inkOf(element, theme)))
      observer.observe(element)
    }, showChartsNotLoaded)
    return () => {
      isGone = true
      observer.disconnect()
      chart?.dispose()
    }
  }, [option, theme])
  return <div ref={position} role="img" aria-label={label} style={{ height, width: '100%', minHeight: 60 }} />
}

function inkOf(element: HTMLElement, theme: 'light' | 'dark'): Ink {
  const style = getComputedStyle(element)
  return {
    text: style.getPropertyValue('--mantine-color-dimmed').trim(),
    line: theme === 'dark' ? '#2a333e' : '#e4e8ed',
    ground: theme === 'dark' ? '#141a21' : '#ffffff',
  }
}
