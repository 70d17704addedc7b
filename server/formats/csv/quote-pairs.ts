/** Quotes cells in place of a pair of different marks. Nothing is said with it: it is free for private use in Unicode. */
export const STAND_IN = '\uE000'

interface Marks {
  readonly open: string
  readonly close: string
  readonly delimiter: string
}

/** The text with one mark on both sides of quoted cells, for parsers that know no pairs such as « and ». */
export async function* withOneQuote(text: AsyncIterable<string>, marks: Marks): AsyncGenerator<string> {
  const pairs = pairsTo(marks)
  for await (const piece of text) yield pairs.take(piece)
  yield pairs.end()
}

/** Goes over a text character by character: what stands in quotes, and whether a quote may begin here. */
function pairsTo({ open, close, delimiter }: Marks): { take(piece: string): string; end(): string } {
  let isQuoted = false
  let isAtStart = true
  // A closing mark ends the cell unless another one follows, perhaps in the next piece.
  let isClosing = false

  const next = (character: string): string => {
    if (isClosing) {
      isClosing = false
      if (character === close) return close
      isQuoted = false
      return STAND_IN + next(character)
    }
    if (isQuoted) {
      if (character === close) isClosing = true
      if (character === STAND_IN) return STAND_IN + STAND_IN
      return isClosing ? '' : character
    }
    const begins = isAtStart && character === open
    isAtStart = character === delimiter || character === '\n' || character === '\r'
    if (!begins) return character
    isQuoted = true
    return STAND_IN
  }
  return {
    take: (piece) => Array.from(piece, next).join(''),
    end: () => (isClosing ? STAND_IN : ''),
  }
}
