/** Replaces a pair of different quotes. This character is in a private use area of Unicode and does not occur in texts. */
export const PRIVATE_QUOTE = '\uE000'

interface Marks {
  readonly open: string
  readonly close: string
  readonly delimiter: string
}

/** Replaces quote pairs such as « and » with one character, because the parser supports only one. */
export async function* withOneQuote(text: AsyncIterable<string>, marks: Marks): AsyncGenerator<string> {
  const pairs = pairsTo(marks)
  for await (const piece of text) yield pairs.take(piece)
  yield pairs.end()
}

/** Scans a text character by character, and tracks whether a quote is open or may open. */
function pairsTo({ open, close, delimiter }: Marks): { take(piece: string): string; end(): string } {
  let isQuoted = false
  let isAtStart = true
  // A closing quote ends the cell unless another one follows, possibly in the next chunk.
  let isClosing = false

  const next = (character: string): string => {
    if (isClosing) {
      isClosing = false
      if (character === close) return close
      isQuoted = false
      return PRIVATE_QUOTE + next(character)
    }
    if (isQuoted) {
      if (character === close) isClosing = true
      if (character === PRIVATE_QUOTE) return PRIVATE_QUOTE + PRIVATE_QUOTE
      return isClosing ? '' : character
    }
    const begins = isAtStart && character === open
    isAtStart = character === delimiter || character === '\n' || character === '\r'
    if (!begins) return character
    isQuoted = true
    return PRIVATE_QUOTE
  }
  return {
    take: (piece) => Array.from(piece, next).join(''),
    end: () => (isClosing ? PRIVATE_QUOTE : ''),
  }
}
