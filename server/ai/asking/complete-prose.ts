import { ApiError } from '../../engine/errors.ts'
import type { Ending, Question } from '../calling/question.ts'
import type { Assistant } from './assistant.ts'

/** Asks for prose, yields it piece by piece and returns it whole. What is refused or cut off must not look complete. */
export async function* completeProse(
  assistant: Assistant,
  question: Omit<Question, 'form'>,
): AsyncGenerator<string, string> {
  const answer = assistant.prose(question)
  let text = ''
  let ending: Ending
  try {
    for (;;) {
      const { done, value } = await answer.next()
      if (done) {
        ending = value
        break
      }
      text += value
      yield value
    }
  } finally {
    await answer.return(undefined as never)
  }
  if (ending.reason === 'refusal') throw new ApiError(424, 'The model refused to answer.')
  if (ending.reason === 'length') throw new ApiError(424, 'The answer of the model was cut off at its maximum length.')
  if (text.trim() === '') throw new ApiError(424, 'The model gave no answer.')
  return text
}
