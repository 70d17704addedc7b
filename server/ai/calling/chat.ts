import { CallError } from './call-error.ts'
import type { Dialect, Said } from './dialect.ts'
import { dialectOf } from './dialects.ts'
import type { Endpoint } from './endpoint.ts'
import { inTurns } from './in-turns.ts'
import { concede, type Manner } from './manner.ts'
import type { Ending, Question } from './question.ts'
import { pauseBeforeRetry } from './retry.ts'
import { fail, send } from './send.ts'
import { wholeCharacters } from './whole-characters.ts'

/** A model on a small machine reads a long prompt for minutes before it answers. */
const LIMITS = { timeoutMs: 10 * 60_000, idleMs: 3 * 60_000, mostBytes: 8 * 2 ** 20 }
/** Longer answers than any feature asks for. */
const MAX_CHARACTERS = 400_000
/** Models that lose the thread write white space without end. */
const MAX_WHITE_SPACE = 2_000

/**
 * Asks a model. Yields its answer piece by piece and returns how it ended. A call that fails before anything arrived is tried again,
 * unless that is hopeless. Fails with a `CallError`, or with the reason of the signal. The provider is disconnected once the signal
 * aborts or the generator is left.
 */
export async function* chat(
  endpoint: Endpoint,
  model: string,
  question: Question,
  signal: AbortSignal,
): AsyncGenerator<string, Ending> {
  const dialect = dialectOf(endpoint.provider)
  let { manner } = dialect
  for (let attempt = 1; ; ) {
    const { messages } = question
    const asked = manner.separatesMessages ? question : { ...question, messages: inTurns(messages) }
    let hasBegun = false
    try {
      for await (const said of attemptOf(endpoint, dialect, model, asked, manner, signal)) {
        if ('ending' in said) return { ...said.ending, messages: asked.messages }
        hasBegun = true
        yield said.text
      }
      throw new CallError("The provider's answer broke off.", 'down')
    } catch (error) {
      if (hasBegun || signal.aborted || !(error instanceof CallError)) throw error
      const conceded = concede(manner, error.kind, question.form !== undefined)
      if (conceded) manner = conceded
      else await pauseBeforeRetry(attempt++, error, signal)
    }
  }
}

async function* attemptOf(
  endpoint: Endpoint,
  dialect: Dialect,
  model: string,
  question: Question,
  manner: Manner,
  signal: AbortSignal,
): AsyncGenerator<Said> {
  const opened = await send(endpoint, dialect.chatPath, dialect.chatBody(model, question, manner), LIMITS, signal)
  try {
    let [length, blank] = [0, 0]
    for await (const said of wholeCharacters(dialect.readChat(opened.body, question))) {
      if ('text' in said) {
        length += said.text.length
        blank = said.text.trim() === '' ? blank + said.text.length : 0
        if (length > MAX_CHARACTERS || blank > MAX_WHITE_SPACE)
          throw new CallError('The model did not come to an end, and was stopped.', 'malformed')
      }
      yield said
    }
  } catch (error) {
    fail(error, signal)
  } finally {
    opened.close()
  }
}
