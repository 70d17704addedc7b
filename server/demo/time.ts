const DAY = 86_400

const days = new Map<number, string>()
const pairs = Array.from({ length: 60 }, (_, i) => String(i).padStart(2, '0'))

/** A time in the form of the API. Days are cached, because formatting them takes longer than the rest. */
export function timeOf(milliseconds: number): string {
  const seconds = Math.floor(milliseconds / 1000)
  const day = Math.floor(seconds / DAY)
  const rest = seconds - day * DAY
  const [hour, minute, second] = [Math.floor(rest / 3600), Math.floor(rest / 60) % 60, rest % 60]
  return `${dayOf(day)}T${pairs[hour]}:${pairs[minute]}:${pairs[second]}Z`
}

function dayOf(day: number): string {
  const known = days.get(day)
  if (known !== undefined) return known
  const made = new Date(day * DAY * 1000).toISOString().slice(0, 10)
  days.set(day, made)
  return made
}
