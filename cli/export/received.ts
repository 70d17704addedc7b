import { numberOf, type Screen } from '../demo/progress.ts'

const REDRAW_MS = 200
const LINE_MS = 5000

/** Shows the progress of a download of unknown size. */
export function showReceived(screen: Screen, label: string, now = Date.now): { add(bytes: number): void; end(): void } {
  const start = now()
  let bytes = 0
  let shownAt = start
  const show = () => {
    shownAt = now()
    const line = lineOf(label, bytes, (now() - start) / 1000)
    screen.write(screen.isTTY ? `\r\x1b[K${line.slice(0, (screen.columns || 80) - 1)}` : `${line}\n`)
  }
  return {
    add: (count) => {
      bytes += count
      if (now() - shownAt >= (screen.isTTY ? REDRAW_MS : LINE_MS)) show()
    },
    end: () => {
      show()
      if (screen.isTTY) screen.write('\n')
    },
  }
}

function lineOf(label: string, bytes: number, seconds: number): string {
  const rate = seconds > 0 ? `, ${megabytes(bytes / seconds)} MB/s` : ''
  return `${label}: ${megabytes(bytes)} MB${rate}`
}

const megabytes = (bytes: number): string => numberOf(Math.round(bytes / 100_000) / 10)
