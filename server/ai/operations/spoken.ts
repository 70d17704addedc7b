import { ApiError } from '../../engine/errors.ts'
import type { Assistant } from '../asking/assistant.ts'
import type { Question } from '../calling/question.ts'
import { withoutUnseen } from '../prompting/untrusted.ts'
import type { Progress } from './operation.ts'

interface Spoken {
  readonly text: string
  /** Whether the model stopped at the maximum length. */
  readonly isCutOff: boolean
}

/** Asks for prose, yields it as tokens, and returns it whole, without invisible characters. */
export async function* spoken(
  assistant: Assistant,
  question: Omit<Question, 'form'>,
): AsyncGenerator<Progress, Spoken> {
  const answer = assistant.prose(question)
  let text = ''
  try {
    for (;;) {
      const { done, value } = await answer.next()
      if (!done) {
        text += value
        yield { event: 'token', data: { text: withoutUnseen(value) } }
        continue
      }
      if (value.reason === 'refusal') throw new ApiError(424, 'The model refused to answer.')
      const whole = withoutUnseen(text).trim()
      if (whole === '') throw new ApiError(424, 'The answer of the model is empty.')
      return { text: whole, isCutOff: value.reason === 'length' }
    }
  } finally {
    // A reader who leaves ends the call, too.
    await answer.return(undefined as never)
  }
}
