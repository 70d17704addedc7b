const STEPS = [
  { unit: 'd', seconds: 86_400 },
  { unit: 'h', seconds: 3_600 },
  { unit: 'min', seconds: 60 },
] as const

/** A duration in its largest unit: `3 d`, `5 min`. */
export function durationOf(seconds: number | null): string {
  if (seconds === null) return '–'
  const step = STEPS.find((each) => seconds >= each.seconds)
  return step ? `${Math.floor(seconds / step.seconds)} ${step.unit}` : `${Math.max(0, Math.round(seconds))} s`
}

/** A size as text. */
export function sizeOf(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`
  const units = ['kB', 'MB', 'GB', 'TB']
  const power = Math.min(units.length, Math.floor(Math.log10(bytes) / 3))
  return `${(bytes / 1000 ** power).toFixed(1).replace(/\.0$/, '')} ${units[power - 1]}`
}
