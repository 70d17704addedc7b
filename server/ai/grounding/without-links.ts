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
    // <p style="background:url(address)">: any element with attributes, or with so much space that there may be some
    String.raw`(?<=<)(?=[a-z][a-z\d]{0,31}(?:[\s/]{1,99}[^\s/>]|[\s/]{100}))`,
    // <!-- text -->, <?text?>: readers would not see it
    '(?<=<)(?=[!?])',
  ].join('|'),
  'gi',
)

/** What the beginning of a link looks like before it is decided. */
const UNDECIDED = /(?:\]:?|<\/?[a-z\d+.-]{0,33}[\s/]{0,99})$/i

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

/** An address whose parentheses are closed. */
const PLAIN = String.raw`(?:[^\s()<>\\]|\([^\s()<>\\]*\)){1,3000}`
/**
 * What a link leads to, from its beginning: `(<address>)`, `(address)`, `: address`, or an element with its attributes. It must be read to its
 * end, because another address may begin like a given one. Forms that readers of Markdown may end elsewhere are not read.
 */
const TARGET = new RegExp(
  `^(?:${[
    String.raw`[(:]\s{0,9}<([^<>\n\\]{0,3000})>(?=[\s)]|$)`,
    String.raw`\(\s{0,9}(${PLAIN})(?=[\s)])`,
    String.raw`:\s{0,9}(${PLAIN})(?=\s|$)`,
    `([a-z/!?](?:[^<>"']|"[^"<>]*"|'[^'<>]*'){0,3000}>)`,
  ].join('|')})`,
  'i',
)
/** More than any target that is read; the rest of a long text is not searched for its end. */
const MAX_TARGET = 7000

const targetAt = (text: string, at: number): string | undefined =>
  TARGET.exec(text.slice(at, at + MAX_TARGET))
    ?.slice(1)
    .find((target) => target !== undefined)

/** Breaks the links that do not lead to a target which may stay. */
export const withoutLinksExcept = (text: string, mayStay: (target: string) => boolean): string =>
  text.replaceAll(LINK, (_, at: number) => {
    const target = targetAt(text, at)
    return target !== undefined && mayStay(target) ? '' : ' '
  })

/** Breaks the links that a given text does not have, too. */
export function withoutForeignLinks(text: string, given: string): string {
  const targets = new Set([...given.matchAll(LINK)].map(({ index }) => targetAt(given, index)))
  return withoutLinksExcept(text, (target) => targets.has(target))
}
