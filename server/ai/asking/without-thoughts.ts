import type { Ending } from '../calling/question.ts'

const [OPEN, CLOSE] = ['<think>', '</think>']

/** Leaves out what some models write down before they answer. */
export async function* withoutThoughts(answer: AsyncGenerator<string, Ending>): AsyncGenerator<string, Ending> {
  let state: 'start' | 'thinking' | 'answering' = 'start'
  let held = ''
  try {
    for (;;) {
      const { done, value } = await answer.next()
      if (done) {
        if (state === 'start' && held !== '') yield held
        return value
      }
      if (state === 'answering') {
        yield value
        continue
      }
      held += value
      if (state === 'start') {
        const begun = held.trimStart()
        if (begun.startsWith(OPEN)) state = 'thinking'
        else if (!OPEN.startsWith(begun)) {
          state = 'answering'
          yield held
          continue
        }
      }
      const end = state === 'thinking' ? held.indexOf(CLOSE) : -1
      if (end < 0) {
        // Only the end of a mark can still matter.
        if (state === 'thinking') held = `${OPEN}${held.slice(-CLOSE.length)}`
        continue
      }
      state = 'answering'
      const rest = held.slice(end + CLOSE.length).trimStart()
      if (rest !== '') yield rest
    }
  } finally {
    // A reader who leaves ends the call, too.
    await answer.return(undefined as never)
  }
}
