import { ApiError } from '../../engine/errors.ts'
import type { Assistant } from '../asking/assistant.ts'
import { completeProse } from '../asking/complete-prose.ts'
import { visibleText } from '../grounding/visible-text.ts'
import type { Progress } from '../operations/operation.ts'
import { splitText } from '../prompting/split.ts'
import { aboutMark, newMark, untrusted } from '../prompting/untrusted.ts'

/** Characters of a text that go into one prompt. */
export const PROMPT_LENGTH = 12_000
/** Tokens of the shorter version of one piece: a third of its length at most. */
const MAX_TOKENS = 1_000

/** A text as it is if it fits into a prompt; otherwise a shorter version, to which every piece of it contributes. */
export async function* condensed(assistant: Assistant, text: string): AsyncGenerator<Progress, string> {
  let current = text
  while (current.length > PROMPT_LENGTH) {
    const shorter: string[] = []
    const pieces = splitText(current, PROMPT_LENGTH)
    for (const [i, piece] of pieces.entries()) {
      shorter.push(await shortened(assistant, piece))
      yield { event: 'progress', data: { done: i + 1, total: pieces.length } }
    }
    const joined = shorter.join('\n\n')
    if (joined.length > current.length / 2)
      throw new ApiError(424, 'The text is too long for one prompt, and the model did not shorten it.')
    current = joined
  }
  return current
}

async function shortened(assistant: Assistant, piece: string): Promise<string> {
  const mark = newMark()
  const content =
    'You shorten a part of a text to the facts that matter for cyber threat intelligence, in at most ten sentences. Repeat names and values ' +
    `exactly. Add nothing. ${aboutMark(mark)}`
  const messages = [{ role: 'system' as const, content }, untrusted(mark, { name: 'A part of a text', text: piece })]
  const answer = completeProse(assistant, { messages, maxTokens: MAX_TOKENS })
  for (;;) {
    const { done, value } = await answer.next()
    if (done) return visibleText(value, mark).trim()
  }
}
