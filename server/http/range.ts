/** A byte range of content: from `start` up to, but not including, `end`. */
export interface Span {
  readonly start: number
  readonly end: number
}

/**
 * Parses a Range header. Returns null if the range cannot be satisfied, undefined if the whole content is requested.
 */
export function readRange(header: string | undefined, size: number): Span | null | undefined {
  const match = /^bytes=\s*(\d*)-(\d*)\s*$/i.exec(header ?? '')
  if (!match) return undefined
  const [, from = '', to = ''] = match
  if (from === '') return to === '' ? undefined : lastBytes(Number(to), size)
  const start = Number(from)
  const last = to === '' ? Number.POSITIVE_INFINITY : Number(to)
  if (last < start) return undefined
  return start < size ? { start, end: Math.min(last + 1, size) } : null
}

const lastBytes = (count: number, size: number): Span | null =>
  count > 0 && size > 0 ? { start: Math.max(0, size - count), end: size } : null

/** Whether an If-None-Match header contains the tag. */
export const namesTag = (header: string | undefined, tag: string): boolean =>
  (header ?? '').split(',').some((each) => ['*', tag].includes(each.trim().replace(/^W\//, '')))
