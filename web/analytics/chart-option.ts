import type { EChartsCoreOption } from 'echarts/core'
import { defangText } from '../domain/defang-text.ts'
import { entityTypeName } from '../domain/entity-types.ts'

/** Aggregated counts, as returned by the API. */
export interface Counted {
  readonly aggregations: readonly { readonly key: string; readonly values: readonly (readonly [string, number])[] }[]
  readonly group_by_value_mappings: Readonly<Record<string, Readonly<Record<string, string>>>>
  readonly split_by_value_mapping: Readonly<Record<string, string>> | null
  readonly total_count: number
}

/** Colours that are distinguishable in both themes and for colour-blind users. */
export const COLOURS = [
  '#3b82c4',
  '#e0893a',
  '#4fa37a',
  '#b65f9f',
  '#c9a227',
  '#5f6fc4',
  '#c65353',
  '#5aa7b8',
  '#8b8f97',
]

/** The theme colours of a chart. */
export interface Ink {
  readonly text: string
  readonly line: string
  readonly ground: string
}

/** One row of a chart: a value, and its count in each series. */
export interface Row {
  readonly label: string
  readonly counts: readonly number[]
}

/** Aggregated counts as rows, with the names of their series. */
export function rowsOf(
  { aggregations, group_by_value_mappings, split_by_value_mapping }: Counted,
  field = '',
): {
  readonly rows: readonly Row[]
  readonly series: readonly string[]
} {
  const names = Object.assign({}, ...Object.values(group_by_value_mappings)) as Record<string, string>
  const values = [...new Set(aggregations.flatMap((series) => series.values.map(([value]) => value)))]
  const isTime = values.length > 0 && values.every((value) => /^\d{4}-\d\d-\d\dT/.test(value))
  if (isTime) values.sort()
  const counts = aggregations.map((series) => new Map(series.values))
  return {
    series: aggregations.map(({ key }) =>
      split_by_value_mapping ? defangText(split_by_value_mapping[key] ?? key) : 'Entities',
    ),
    rows: values.map((value) => ({
      label: defangText(labelOf(names[value] ?? value, isTime, field)),
      counts: counts.map((series) => series.get(value) ?? 0),
    })),
  }
}

/** The ECharts option of a chart; texts are drawn and never rendered as HTML. */
export function chartOption(type: string, counted: Counted, ink: Ink, field = ''): EChartsCoreOption {
  const { rows, series } = rowsOf(counted, field)
  const shared = {
    color: COLOURS,
    animationDuration: 250,
    textStyle: { color: ink.text, fontFamily: 'inherit' },
    tooltip: {
      trigger: type === 'pie' ? 'item' : 'axis',
      renderMode: 'richText',
      confine: true,
      backgroundColor: ink.ground,
      borderColor: ink.line,
      textStyle: { color: ink.text, fontSize: 12 },
    },
    ...(series.length > 1 && type !== 'pie' && { legend: legend(ink) }),
  }
  if (type === 'pie') return { ...shared, legend: legend(ink), series: [pie(rows, ink)] }
  const labels = { type: 'category', data: rows.map(({ label }) => label), ...axis(ink) }
  const counts = { type: 'value', minInterval: 1, ...axis(ink) }
  // Bars are horizontal because their labels are words; lines have times below.
  const isLying = type === 'bar' && rows.some(({ label }) => !/^\d{4}/.test(label))
  return {
    ...shared,
    grid: { left: 8, right: 16, top: 12, bottom: series.length > 1 ? 28 : 4, containLabel: true },
    xAxis: isLying ? counts : labels,
    yAxis: isLying ? { ...labels, inverse: true } : counts,
    series: series.map((name, i) => ({
      name,
      type,
      data: rows.map((row) => row.counts[i] ?? 0),
      ...(type === 'bar'
        ? { stack: 'all', barMaxWidth: 22 }
        : { smooth: 0.2, symbolSize: 5, areaStyle: { opacity: 0.08 } }),
    })),
  }
}

/** The text alternative of a chart, for screen readers. */
export function chartInWords(type: string, counted: Counted, field = ''): string {
  const { rows } = rowsOf(counted, field)
  const entries = rows
    .slice(0, 10)
    .map(({ label, counts }) => `${label} ${counts.reduce((sum, count) => sum + count, 0)}`)
  const kind = type.charAt(0).toUpperCase() + type.slice(1)
  return `${kind} chart of ${rows.length} values. ${entries.join(', ')}${rows.length > 10 ? ' and more' : ''}.`
}

const pie = (rows: readonly Row[], ink: Ink) => ({
  type: 'pie',
  radius: ['48%', '72%'],
  center: ['38%', '50%'],
  label: { show: false },
  itemStyle: { borderColor: ink.ground, borderWidth: 2 },
  data: rows.map(({ label, counts }) => ({ name: label, value: counts.reduce((sum, count) => sum + count, 0) })),
})

const legend = (ink: Ink) => ({
  type: 'scroll',
  orient: 'horizontal',
  bottom: 0,
  icon: 'roundRect',
  itemWidth: 10,
  itemHeight: 10,
  textStyle: { color: ink.text, fontSize: 11 },
  pageTextStyle: { color: ink.text },
})

const axis = (ink: Ink) => ({
  axisLine: { lineStyle: { color: ink.line } },
  axisTick: { show: false },
  axisLabel: { color: ink.text, fontSize: 11, width: 130, overflow: 'truncate', hideOverlap: true },
  splitLine: { lineStyle: { color: ink.line } },
})

/** Formats a value: times to the day, types by display name, observables defanged. */
function labelOf(text: string, isTime: boolean, field: string): string {
  if (isTime) return /T00:00:00/.test(text) ? text.slice(0, 10) : text.slice(0, 16).replace('T', ' ')
  if (field === 'type' || field === 'data.type') return entityTypeName(text)
  return field === 'extracts.value' ? text.replaceAll('.', '[.]').replace(/^http/i, 'hxxp') : text
}
