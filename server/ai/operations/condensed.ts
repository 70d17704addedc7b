import { ApiError, badRequest } from '../../engine/errors.ts'
import type { Assistant } from '../asking/assistant.ts'
import { splitText } from '../prompting/split.ts'
import { aboutMark, newMark, type Untrusted, untrusted } from '../prompting/untrusted.ts'
import type { Progress } from './operation.ts'
import { spoken } from './spoken.ts'

/** The most characters of texts in one question: some 8,000 tokens, which small models can read. */
export const MAX_CHARACTERS = 24_000

const MAX_PIECES = 200
const NOTE_TOKENS = 700

interface Condensed {
  readonly texts: readonly Untrusted[]
  /** Whether notes were taken of the texts because they are too long for one question. */
  readonly isFromNotes: boolean
  /** Whether the model did not finish its notes on a piece. */
  readonly isCutOff: boolean
}

/**
 * Texts that fit into one question. If they are longer, they are split into pieces, and the model takes notes of each piece, again if the
 * notes are still too long. Every character is read by the model. Notes are as untrusted as the texts.
 */
export async function* condensed(
  assistant: Assistant,
  texts: readonly Untrusted[],
  purpose: string,
  limit = MAX_CHARACTERS,
): AsyncGenerator<Progress, Condensed> {
  let current = texts
  let isCutOff = false
  while (lengthOf(current) > limit) {
    const pieces = packed(current.flatMap(piecesOf))
    if (pieces.length > MAX_PIECES)
      throw badRequest(
        `data: the texts have ${lengthOf(current)} characters; at most ${MAX_PIECES * MAX_CHARACTERS} can be read in one request.`,
      )
    const notes: Untrusted[] = []
    for (const [index, piece] of pieces.entries()) {
      yield { event: 'progress', data: { step: 'reading', done: index, total: pieces.length } }
      const made = yield* withoutTokens(spoken(assistant, noteQuestion(piece, purpose)))
      isCutOff ||= made.isCutOff
      notes.push({ name: `Notes on part ${index + 1} of ${pieces.length}`, text: made.text })
    }
    yield { event: 'progress', data: { step: 'reading', done: pieces.length, total: pieces.length } }
    if (lengthOf(notes) > lengthOf(current) / 2)
      throw new ApiError(424, 'The text is too long for one question, and the model did not shorten it.')
    current = notes
  }
  return { texts: current, isFromNotes: current !== texts, isCutOff }
}

/** Characters of a text that is read together with others. */
const SHORT = 12_000

/** One text, or notes on it if it is long. */
export async function* shortened(
  assistant: Assistant,
  text: string,
  purpose: string,
): AsyncGenerator<Progress, string> {
  const { texts } = yield* condensed(assistant, [{ name: 'A text', text }], purpose, SHORT)
  return texts.map((each) => each.text).join('\n\n')
}

const lengthOf = (texts: readonly Untrusted[]): number => texts.reduce((sum, { text }) => sum + text.length, 0)

function piecesOf({ name, text }: Untrusted): Untrusted[] {
  const pieces = splitText(text, MAX_CHARACTERS)
  return pieces.map((piece, index) => ({
    name: pieces.length === 1 ? name : `${name}, part ${index + 1} of ${pieces.length}`,
    text: piece,
  }))
}

/** Short pieces are read together. */
function packed(pieces: readonly Untrusted[]): Untrusted[][] {
  const groups: Untrusted[][] = []
  let length = Number.POSITIVE_INFINITY
  for (const piece of pieces) {
    if (length + piece.text.length > MAX_CHARACTERS) {
      groups.push([])
      length = 0
    }
    groups.at(-1)?.push(piece)
    length += piece.text.length
  }
  return groups
}

function noteQuestion(texts: readonly Untrusted[], purpose: string) {
  const mark = newMark()
  const system =
    `You read a part of a longer text for a cyber threat intelligence analyst. Write down, as short notes in plain text, every fact in it that ` +
    `matters for this task: ${purpose} Keep names, dates, addresses, hashes and identifiers exactly as they are written. Use only what the text ` +
    `says. ${aboutMark(mark)}`
  return {
    messages: [{ role: 'system' as const, content: system }, ...texts.map((text) => untrusted(mark, text))],
    mark,
    maxTokens: NOTE_TOKENS,
  }
}

/** The notes are not part of the answer. */
async function* withoutTokens<R>(work: AsyncGenerator<Progress, R>): AsyncGenerator<Progress, R> {
  try {
    for (;;) {
      const { done, value } = await work.next()
      if (done) return value
      if (value.event !== 'token') yield value
    }
  } finally {
    await work.return(undefined as never)
  }
}
