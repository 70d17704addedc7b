import { ApiError } from '../../engine/errors.ts'
import { type Assistant, cutOff } from '../asking/assistant.ts'
import type { Ending, Question } from '../calling/question.ts'
import { cleanAnswer } from '../grounding/clean-answer.ts'
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

/** Asks for prose, yields it as tokens, and returns it whole, without invisible characters. */
export async function* spoken(assistant: Assistant, { mark, ...question }: Asked): AsyncGenerator<Progress, Spoken> {
  const answer = assistant.prose(question)
  let text = ''
  try {
    for (;;) {
      const { done, value } = await answer.next()
      if (done) return whole(cleanAnswer(text, mark).trim(), value)
      text += value
      yield { event: 'token', data: { text: withoutUnseen(value) } }
    }
  } finally {
    // A reader who leaves ends the call, too.
    await answer.return(undefined as never)
  }
}

function whole(text: string, { reason }: Ending): Spoken {
  if (text === '') throw new ApiError(424, 'The model gave no answer.')
  return { text, isCutOff: reason === 'length' }
}

/** Asks for prose that takes the place of another text, so that its end must not be missing. */
export async function* spokenWhole(assistant: Assistant, asked: Asked): AsyncGenerator<Progress, string> {
  const { text, isCutOff } = yield* spoken(assistant, asked)
  if (isCutOff) throw cutOff()
  return text
}
