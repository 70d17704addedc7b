import { setImmediate } from 'node:timers/promises'
import { type Extracted, extractObservables } from './extract-observables.ts'

/** Characters that are searched at once. */
export const PART_LENGTH = 256 * 1024

/**
 * Finds the observables of a text of any length, each once, in the order of their first occurrence. Other work of the process runs between the
 * parts. Stops when there are more than `most`.
 */
export async function extractInParts(text: string, most: number): Promise<Extracted[]> {
  const found = new Map<string, Extracted>()
  for (const { part, start } of partsOf(text)) {
    for (const each of extractObservables(part)) {
      const key = `${each.type} ${each.value}`
      if (!found.has(key)) found.set(key, { ...each, start: each.start + start, end: each.end + start })
    }
    if (found.size > most) break
    await setImmediate()
  }
  return [...found.values()]
}

/** Splits a text at line ends, or at word boundaries if lines are too long. */
export function* partsOf(text: string): Generator<{ readonly part: string; readonly start: number }> {
  for (let start = 0; start < text.length; ) {
    const limit = start + PART_LENGTH
    const breaks = ['\n', ' '].map((mark) => text.lastIndexOf(mark, limit)).find((at) => at > start)
    const end = limit >= text.length ? text.length : (breaks ?? limit)
    yield { part: text.slice(start, end), start }
    start = end
  }
}
