/** Where progress is shown: standard error, or a substitute in tests. */
export interface Screen {
  readonly isTTY?: boolean
  readonly columns?: number
  write(text: string): unknown
}

/** Shows the progress of a long task. */
export interface Progress {
  advance(count: number): void
  /** Leaves the last state on the screen. */
  end(): void
}

/** How far the work is. */
export interface State {
  readonly label: string
  readonly done: number
  readonly total: number
  readonly seconds: number
}

const REDRAW_MS = 100
const LINE_MS = 5000
const WIDEST_BAR = 40

/** Shows progress as a bar on a terminal, otherwise as a line every few seconds. */
export function showProgress(screen: Screen, label: string, total: number, now = Date.now): Progress {
  const start = now()
  let done = 0
  let shownAt = start
  let shownDone = -1
  const state = (): State => ({ label, done, total, seconds: (now() - start) / 1000 })
  const show = () => {
    shownAt = now()
    shownDone = done
    screen.write(screen.isTTY ? `\r\x1b[K${barOf(state(), screen.columns || 80)}` : `${lineOf(state())}\n`)
  }
  if (screen.isTTY) show()
  return {
    advance: (count) => {
      done += count
      if (now() - shownAt >= (screen.isTTY ? REDRAW_MS : LINE_MS)) show()
    },
    end: () => {
      if (shownDone !== done) show()
      if (screen.isTTY) screen.write('\n')
    },
  }
}

/** The state in words. */
export function lineOf({ label, done, total, seconds }: State): string {
  const rate = seconds > 0 ? done / seconds : 0
  const parts = [`${numberOf(done)} of ${numberOf(total)}`, `${percentOf(done, total)} %`]
  if (rate > 0) parts.push(`${numberOf(Math.round(rate))}/s`)
  if (rate > 0 && done < total) parts.push(`${durationOf((total - done) / rate)} left`)
  if (done >= total) parts.push(`in ${durationOf(seconds)}`)
  return `${label}: ${parts.join(', ')}`
}

/** The state as a bar with words after it, within a width. */
export function barOf(state: State, columns: number): string {
  const words = lineOf(state)
  const width = Math.min(WIDEST_BAR, columns - words.length - 4)
  if (width < 5) return words.slice(0, columns - 1)
  const filled = Math.floor((width * percentOf(state.done, state.total)) / 100)
  return `[${'#'.repeat(filled)}${'.'.repeat(width - filled)}] ${words}`
}

/** A number of seconds as people say it. */
export function durationOf(seconds: number): string {
  const whole = Math.ceil(seconds)
  if (whole < 60) return `${whole} s`
  if (whole < 3600) return `${Math.floor(whole / 60)} min ${whole % 60} s`
  return `${Math.floor(whole / 3600)} h ${Math.floor((whole % 3600) / 60)} min`
}

/** A number with its thousands apart. */
export const numberOf = (value: number): string => value.toLocaleString('en-US')

/** Never 100 before the end. */
const percentOf = (done: number, total: number): number => (total === 0 ? 100 : Math.floor((100 * done) / total))
