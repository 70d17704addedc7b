const UNITS = ['B', 'kB', 'MB', 'GB', 'TB'] as const

/** A size in bytes, in the most readable unit. */
export function bytes(count: number): string {
  const power = Math.min(UNITS.length - 1, Math.max(0, Math.floor(Math.log10(Math.max(count, 1)) / 3)))
  const value = count / 1000 ** power
  return `${value >= 100 || power === 0 ? Math.round(value) : value.toFixed(1)} ${UNITS[power]}`
}

const STEPS: readonly (readonly [string, number])[] = [
  ['d', 86_400],
  ['h', 3_600],
  ['min', 60],
  ['s', 1],
]

/** A duration, in its two largest units. */
export function span(seconds: number): string {
  let left = Math.round(seconds)
  const parts: string[] = []
  for (const [unit, size] of STEPS) {
    const count = Math.floor(left / size)
    left -= count * size
    if (count > 0) parts.push(`${count} ${unit}`)
  }
  return parts.slice(0, 2).join(' ') || '0 s'
}
