/** The number of nodes in one interval. */
export interface Bar {
  readonly from: number
  readonly until: number
  readonly count: number
}

const DAY_MS = 86_400_000

/** Divides the time from the first to the last node into equal intervals; empty if all times are the same. */
export function barsOf(times: readonly string[], most = 48): readonly Bar[] {
  const all = times.map((time) => Date.parse(time)).filter((time) => !Number.isNaN(time))
  if (all.length === 0) return []
  const [first, last] = [all.reduce((a, b) => Math.min(a, b)), all.reduce((a, b) => Math.max(a, b))]
  if (first === last) return []
  // Whole days if there are enough of them, so that bars end where users expect.
  const isLong = last - first >= DAY_MS * 2
  const begin = isLong ? Math.floor(first / DAY_MS) * DAY_MS : first
  const end = isLong ? (Math.floor(last / DAY_MS) + 1) * DAY_MS : last + 1
  const days = Math.round((end - begin) / DAY_MS)
  const step = isLong ? Math.ceil(days / most) * DAY_MS : Math.ceil((end - begin) / most)
  const counts = Array.from({ length: Math.ceil((end - begin) / step) }, () => 0)
  for (const time of all) {
    const at = Math.floor((time - begin) / step)
    counts[at] = (counts[at] ?? 0) + 1
  }
  return counts.map((count, i) => ({ from: begin + i * step, until: begin + (i + 1) * step - 1, count }))
}

/** The first and last bar that a range of time covers. */
export function barsWithin(
  bars: readonly Bar[],
  { from, until }: { readonly from: string | null; readonly until: string | null },
): readonly [number, number] {
  const first = from === null ? 0 : bars.findIndex((bar) => bar.until >= Date.parse(from))
  const last = until === null ? bars.length - 1 : bars.findLastIndex((bar) => bar.from <= Date.parse(until))
  return [first === -1 ? bars.length - 1 : first, last === -1 ? 0 : last]
}

/** The range of time of some bars; open at the ends of the histogram. */
export function rangeOf(
  bars: readonly Bar[],
  [first, last]: readonly [number, number],
): { readonly from: string | null; readonly until: string | null } {
  const [begin, end] = [bars[first], bars[last]]
  return {
    from: first === 0 || !begin ? null : new Date(begin.from).toISOString(),
    until: last === bars.length - 1 || !end ? null : new Date(end.until).toISOString(),
  }
}
