/** Minimum share of zero bytes in the high halves of UTF-16 text, and the maximum in the low halves, relative to it. */
const ZEROS_AT_LEAST = 0.1
const STRAY_ZEROS = 0.1

/** Detects UTF-16, UTF-32, or an encoding named by a byte order mark; undefined if there is no sign of them. */
export function wideEncodingOf(head: Buffer): string | undefined {
  return markOf(head) ?? byZeros(head)
}

function markOf([a, b, c, d]: Buffer): string | undefined {
  if (a === 0xef && b === 0xbb && c === 0xbf) return 'utf-8'
  if (a === 0xff && b === 0xfe) return c === 0 && d === 0 ? 'utf-32le' : 'utf-16le'
  if (a === 0xfe && b === 0xff) return 'utf-16be'
  return a === 0 && b === 0 && c === 0xfe && d === 0xff ? 'utf-32be' : undefined
}

/** Without a byte order mark, zero high bytes show the encoding: lists are full of digits, commas and line ends. */
function byZeros(head: Buffer): string | undefined {
  if (head.length < 4 || head.length % 2 > 0 || !head.includes(0)) return undefined
  const zeros = [0, 0, 0, 0]
  for (const [at, byte] of head.entries()) if (byte === 0) zeros[at % 4] = (zeros[at % 4] ?? 0) + 1
  const [first = 0, second = 0, third = 0, fourth = 0] = zeros.map((count) => (count * 4) / head.length)
  if (second > 0.9 && third > 0.9 && fourth > 0.9 && first < STRAY_ZEROS) return 'utf-32le'
  if (first > 0.9 && second > 0.9 && third > 0.9 && fourth < STRAY_ZEROS) return 'utf-32be'
  // A single zero in a short text is an error.
  if (zeros.reduce((sum, count) => sum + count) < 2) return undefined
  const [even, odd] = [(first + third) / 2, (second + fourth) / 2]
  if (odd >= ZEROS_AT_LEAST && even <= odd * STRAY_ZEROS) return 'utf-16le'
  if (even >= ZEROS_AT_LEAST && odd <= even * STRAY_ZEROS) return 'utf-16be'
  return undefined
}
