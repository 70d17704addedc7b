interface SparklineProps {
  readonly values: readonly number[]
  readonly label: string
}

const WIDTH = 96
const HEIGHT = 22

/** Daily values as a row of small bars. */
export function Sparkline({ values, label }: SparklineProps) {
  const most = Math.max(1, ...values)
  const step = WIDTH / Math.max(1, values.length)
  const path = values
    .map((value, i) => {
      const height = value === 0 ? 1 : Math.max(2, (value / most) * HEIGHT)
      return `M${(i * step).toFixed(1)} ${HEIGHT}v${(-height).toFixed(1)}h${(step - 1).toFixed(1)}v${height.toFixed(1)}z`
    })
    .join('')
  return (
    <svg role="img" aria-label={label} width={WIDTH} height={HEIGHT} viewBox={`0 0 ${WIDTH} ${HEIGHT}`}>
      <path d={path} fill="var(--mantine-color-anchor)" opacity={0.75} />
    </svg>
  )
}
