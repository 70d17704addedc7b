/** Reads text piece by piece. What may be the beginning of a link is held back until the next piece. */
interface LinkBreaker {
  read(piece: string): string
  end(): string
}

/** Elements that load something, lead somewhere or run. */
const ELEMENTS =
  'a|area|audio|base|body|button|embed|form|frame|frameset|iframe|image|img|input|link|math|meta|object|param|picture|script|source|style|svg|' +
  'table|tbody|td|template|th|tr|track|video'

const LINK = new RegExp(
  [
    // [text](address), ![text](address)
    String.raw`(?<=\])(?=\()`,
    // [text]: address
    String.raw`(?<=\])(?=:(?!:))`,
    // <a href="address">, <https://address>
    String.raw`(?<=<)(?=/?(?:${ELEMENTS})(?![\w-])|[a-z][a-z\d+.-]{1,31}:)`,
  ].join('|'),
  'gi',
)

/** What the beginning of a link looks like before it is decided. */
const UNDECIDED = /(?:\]:?|<\/?[a-z\d+.-]{0,33})$/i

/**
 * Keeps Markdown that a model wrote from loading or linking anything, wherever it is shown: a space after the bracket makes each link, image
 * and element plain text, and no value is lost.
 */
export function linkBreaker(): LinkBreaker {
  let held = ''
  return {
    read: (piece) => {
      const text = held + piece
      const at = UNDECIDED.exec(text)?.index ?? text.length
      held = text.slice(at)
      return broken(text, at)
    },
    end: () => {
      const rest = held
      held = ''
      return broken(rest, rest.length)
    },
  }
}

const broken = (text: string, end: number): string => text.slice(0, end).replaceAll(LINK, ' ')

/** The same for a whole text. */
export const withoutLinks = (text: string): string => text.replaceAll(LINK, ' ')

/** What a link leads to, from its beginning. */
const ADDRESS = /^(?:[(:]\s{0,9}<?[^\s)>]{0,3000}[\s)>]?|[^>]{0,3000}>?)/

/** Breaks the links that a given text does not have, too. */
export const withoutForeignLinks = (text: string, given: string): string =>
  text.replaceAll(LINK, (_, at: number) => {
    const [address = ''] = ADDRESS.exec(text.slice(at, at + 3_100)) ?? []
    return given.includes(address) ? '' : ' '
  })
