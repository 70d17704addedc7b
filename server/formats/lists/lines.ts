/** A line of a text and its number. */
export interface Line {
  readonly number: number
  readonly text: string
}

/** Maximum line length. Longer lines are truncated and marked with `isCut`. */
export const MAX_LINE_LENGTH = 1024 * 1024

/** Splits a text that arrives in chunks into lines, with any kind of line end. Only one line is held in memory. */
export async function* linesOf(pieces: AsyncIterable<string>): AsyncGenerator<Line & { readonly isCut: boolean }> {
  let number = 1
  let open = ''
  let isCut = false
  let endsWithReturn = false
  for await (const piece of pieces) {
    // A CRLF line end may be split between two chunks.
    const text = endsWithReturn && piece.startsWith('\n') ? piece.slice(1) : piece
    endsWithReturn = piece.endsWith('\r')
    let start = 0
    for (const { index, 0: end } of text.matchAll(/\r\n|[\n\r\u2028\u2029]/g)) {
      const whole = open + text.slice(start, index)
      yield { number, text: whole.slice(0, MAX_LINE_LENGTH), isCut: isCut || whole.length > MAX_LINE_LENGTH }
      number++
      open = ''
      isCut = false
      start = index + end.length
    }
    open += text.slice(start)
    if (open.length > MAX_LINE_LENGTH) {
      isCut = true
      open = open.slice(0, MAX_LINE_LENGTH)
    }
  }
  if (open !== '') yield { number, text: open, isCut }
}
