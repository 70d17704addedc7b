import { ApiError } from '../../engine/errors.ts'
import { type Assistant, cutOff } from '../asking/assistant.ts'
import type { Ending, Question } from '../calling/question.ts'
import { cleanAnswer } from '../grounding/clean-answer.ts'
import { linkBreaker, withoutLinks } from '../grounding/without-links.ts'
import { withoutUnseen } from '../prompting/untrusted.ts'
import type { Progress } from './operation.ts'

interface Asked extends Omit<Question, 'form'> {
  /** The mark of untrusted text in the question, which the answer must not repeat. */
  readonly mark: string
}

interface Spoken {
  readonly text: string
  /** Whether the model stopped at the maximum length. */
  readonly isCutOff: boolean
}

/** Asks for prose, yields it as tokens, and returns it whole, without links, images and invisible characters. */
export async function* spoken(assistant: Assistant, asked: Asked): AsyncGenerator<Progress, Spoken> {
  const links = linkBreaker()
  const made = yield* tokensOf(assistant, asked, (text) => links.read(text))
  const rest = links.end()
  if (rest !== '') yield token(rest)
  return { ...made, text: withoutLinks(made.text) }
}

/**
 * Asks for prose that takes the place of another text: its end must not be missing, and the links of that text stay. It is shown next to
 * that text before it replaces it.
 */
export async function* spokenWhole(assistant: Assistant, asked: Asked): AsyncGenerator<Progress, string> {
  const { text, isCutOff } = yield* tokensOf(assistant, asked, (piece) => piece)
  if (isCutOff) throw cutOff()
  return text
}

async function* tokensOf(
  assistant: Assistant,
  { mark, ...question }: Asked,
  shown: (piece: string) => string,
): AsyncGenerator<Progress, Spoken> {
  const answer = assistant.prose(question)
  let text = ''
  try {
    for (;;) {
      const { done, value } = await answer.next()
      if (done) return whole(cleanAnswer(text, mark).trim(), value)
      text += value
      yield token(shown(withoutUnseen(value)))
    }
  } finally {
    // A reader who leaves ends the call, too.
    await answer.return(undefined as never)
  }
}

const token = (text: string): Progress => ({ event: 'token', data: { text } })

function whole(text: string, { reason }: Ending): Spoken {
  if (text === '') throw new ApiError(424, 'The model gave no answer.')
  return { text, isCutOff: reason === 'length' }
}
