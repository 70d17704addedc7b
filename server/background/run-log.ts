const MAXIMUM_LINES = 1000
const MAXIMUM_BYTES = 64_000
const MAXIMUM_LINE = 2000

/** The visible log of a run: its latest lines, within limits. */
export interface RunLog {
  readonly lines: readonly string[]
  add(line: string): void
}

/** A log that continues those of earlier attempts. */
export function createRunLog(earlier: readonly string[]): RunLog {
  const lines = [...earlier]
  let bytes = lines.reduce((sum, line) => sum + Buffer.byteLength(line), 0)
  return {
    lines,
    add: (line) => {
      const kept = storable(line).slice(0, MAXIMUM_LINE)
      lines.push(kept)
      bytes += Buffer.byteLength(kept)
      while (lines.length > MAXIMUM_LINES || bytes > MAXIMUM_BYTES) bytes -= Buffer.byteLength(lines.shift() ?? '')
    },
  }
}

/** Text without the one character that PostgreSQL cannot store. */
export const storable = (text: string): string => text.replaceAll('\u0000', '')
