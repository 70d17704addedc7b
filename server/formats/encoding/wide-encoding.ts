/** The shares of zero bytes that a text in UTF-16 has at least where its letters of one byte have them, and at most elsewhere. */
const ZEROS_AT_LEAST = 0.1
const STRAY_ZEROS = 0.1

/** An encoding whose units are wider than a byte, or that a byte order mark names; undefined where bytes show neither. */
export function wideEncodingOf(head: Buffer): string | undefined {
  return markOf(head) ?? byZeros(head)
}

function markOf([a, b, c, d]: Buffer): string | undefined {
  if (a === 0xef && b === 0xbb && c === 0xbf) return 'utf-8'
  if (a === 0xff && b === 0xfe) return c === 0 && d === 0 ? 'utf-32le' : 'utf-16le'
  if (a === 0xfe && b === 0xff) return 'utf-16be'
  return a === 0 && b === 0 && c === 0xfe && d === 0xff ? 'utf-32be' : undefined
}

/** Without a mark the zeros beside characters of one byte tell: lists are full of digits, commas and ends of lines. */
function byZeros(head: Buffer): string | undefined {
  if (head.length < 4 || head.length % 2 > 0 || !head.includes(0)) return undefined
  const zeros = [0, 0, 0, 0]
  for (const [at, byte] of head.entries()) if (byte === 0) zeros[at % 4] = (zeros[at % 4] ?? 0) + 1
  const [first = 0, second = 0, third = 0, fourth = 0] = zeros.map((count) => (count * 4) / head.length)
  if (second > 0.9 && third > 0.9 && fourth > 0.9 && first < STRAY_ZEROS) return 'utf-32le'
  if (first > 0.9 && second > 0.9 && third > 0.9 && fourth < STRAY_ZEROS) return 'utf-32be'
  // One zero in a short text is a fault.
  if (zeros.reduce((sum, count) => sum + count) < 2) return undefined
  const [even, odd] = [(first + third) / 2, (second + fourth) / 2]
  if (odd >= ZEROS_AT_LEAST && even <= odd * STRAY_ZEROS) return 'utf-16le'
  if (even >= ZEROS_AT_LEAST && odd <= even * STRAY_ZEROS) return 'utf-16be'
  return undefined
}
