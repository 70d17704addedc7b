/** A citation of a passage, with the statement that it is to support. */
export interface Cited {
  readonly n: number
  readonly claim: string
}

/** A part of an answer: text, or a citation that was just read in it. */
export type AnswerPart = { readonly text: string } | { readonly cited: Cited }

export interface CitationReader {
  /** Reads the next piece of the answer. What may be the beginning of a citation is held back until it is complete. */
  read(piece: string): AnswerPart[]
  /** What was held back, once the answer is complete. */
  end(): AnswerPart[]
}

/** Spaces before a bracket are read with it: they go with a citation that is removed. */
const OPENING = /(?<![ \t])[ \t]*(?:[[\u3010]|$)/
/** What stands between the brackets of a citation: `1`, `1, 2`, `2-4`, `^1`, `passage 1`. */
const NUMBERS = /^ ?(?:\^|passages? |sources? )?(\d{1,4}(?: ?[-\u2013,;] ?\d{1,4}){0,12}) ?$/i
const BEGINNING = /^[ \t]*[[\u3010][ ^\da-z,;\u2013-]{0,60}$/i
const CLOSING = /[\]\u3011]/
const MAX_LENGTH = 70

/**
 * Reads the citations of numbered passages in an answer that arrives in pieces. Every form of them becomes `[1]`, and those that name no
 * passage are removed.
 */
export function citationReader(passageCount: number): CitationReader {
  let held = ''
  let said = ''

  function* partsOf(isEnd: boolean): Generator<AnswerPart> {
    for (;;) {
      const { index, 0: opening } = OPENING.exec(held) ?? { index: held.length, 0: '' }
      if (index > 0) yield say(held.slice(0, index))
      held = held.slice(index)
      const inside = held.slice(opening.length, opening.length + MAX_LENGTH)
      const close = inside.search(CLOSING)
      const isOpen = close < 0 && (/^[ \t]*$/.test(held) || BEGINNING.test(held))
      if (held === '' || (isOpen && !isEnd)) return
      const numbers = close < 0 ? undefined : numbersIn(inside.slice(0, close))
      if (!numbers) {
        yield say(opening)
        held = held.slice(opening.length)
        continue
      }
      held = held.slice(opening.length + close + 1)
      yield* cite(opening.slice(0, -1), numbers)
    }
  }

  function* cite(space: string, numbers: readonly number[]): Generator<AnswerPart> {
    const known = numbers.filter((n) => n >= 1 && n <= passageCount)
    if (known.length === 0) return
    const claim = lastSentence(said)
    yield { text: `${space}${known.map((n) => `[${n}]`).join('')}` }
    for (const n of known) yield { cited: { n, claim } }
  }

  const say = (text: string): AnswerPart => {
    said = `${said}${text}`.slice(-MAX_CLAIM)
    return { text }
  }

  return {
    read: (piece) => {
      held += piece
      return [...partsOf(false)]
    },
    end: () => {
      return [...partsOf(true)]
    },
  }
}

const MAX_CLAIM = 1_000
const MAX_RANGE = 12

/** The numbers in a citation, each once; undefined if it is another text in brackets. */
function numbersIn(inside: string): readonly number[] | undefined {
  const [, list] = NUMBERS.exec(inside) ?? []
  if (list === undefined) return undefined
  const numbers = list.split(/[,;]/).flatMap((part) => {
    const [first = 0, last = first] = part.split(/[-\u2013]/).map(Number)
    const length = Math.min(Math.max(last - first + 1, 1), MAX_RANGE)
    return Array.from({ length }, (_, i) => first + i)
  })
  return [...new Set(numbers)]
}

/** The sentence or line that a text ends with. */
function lastSentence(text: string): string {
  const ended = text.trimEnd().replace(/[.!?:;]$/, '')
  const start = Math.max(
    ended.lastIndexOf('\n'),
    ...['. ', '! ', '? '].map((mark) => {
      const at = ended.lastIndexOf(mark)
      return at < 0 ? at : at + 1
    }),
  )
  return ended.slice(start + 1).trim()
}
