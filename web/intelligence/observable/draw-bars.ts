import { BarChart } from 'echarts/charts'
import { GridComponent, TooltipComponent } from 'echarts/components'
import { init, use } from 'echarts/core'
import { CanvasRenderer } from 'echarts/renderers'
import type { Bucket } from './timeline.ts'

use([BarChart, GridComponent, TooltipComponent, CanvasRenderer])

/** Draws a bar chart into an element; returns a function that removes it. */
export function drawBars(place: HTMLElement, buckets: readonly Bucket[], scheme: 'light' | 'dark'): () => void {
  const chart = init(place)
  const [text, line, ground] = scheme === 'dark' ? ['#c9c9c9', '#424242', '#2e2e2e'] : ['#495057', '#dee2e6', '#ffffff']
  chart.setOption({
    animation: false,
    grid: { left: 36, right: 8, top: 12, bottom: 24 },
    tooltip: {
      trigger: 'axis',
      renderMode: 'richText',
      backgroundColor: ground,
      borderColor: line,
      textStyle: { color: text, fontSize: 12 },
    },
    xAxis: {
      type: 'category',
      data: buckets.map(({ from }) => from),
      axisLabel: { color: text },
      axisLine: { lineStyle: { color: line } },
      axisTick: { show: false },
    },
    yAxis: {
      type: 'value',
      minInterval: 1,
      axisLabel: { color: text },
      splitLine: { lineStyle: { color: line } },
    },
    series: [
      {
        type: 'bar',
        name: 'Entities',
        data: buckets.map(({ count }) => count),
        itemStyle: { color: scheme === 'dark' ? '#4f8dce' : '#2b72bf', borderRadius: [2, 2, 0, 0] },
        barMaxWidth: 28,
      },
    ],
  })
  const watcher = new ResizeObserver(() => chart.resize())
  watcher.observe(place)
  return () => {
    watcher.disconnect()
    chart.dispose()
  }
}
