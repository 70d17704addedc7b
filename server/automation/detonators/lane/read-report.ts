import { createSemaphore } from '../../../engine/semaphore.ts'
import type { Adapter, Analysis, Call, Report, VendorAnswer } from '../adapter.ts'
import { adapters } from '../adapters/adapters.ts'
import { boundReport } from './bound-report.ts'
import { readInThread } from './read-in-thread.ts'

/** Larger answers are read in a thread: a hostile report of 37 MB blocked requests for three seconds. */
const MAIN_THREAD_LIMIT = 500_000

/** Each thread may need as much memory as the rest of the process. */
const inTurn = createSemaphore(2)

/** Reads a report within the limits, with secrets masked. */
export async function readReport(
  adapter: Adapter,
  call: Call,
  analysis: Analysis,
  secrets: readonly string[],
): Promise<Report> {
  // A thread finds adapters by their names.
  if (!adapters.includes(adapter)) return boundReport(await adapter.report(call, analysis), secrets)
  const answers: VendorAnswer[] = []
  try {
    const report = await adapter.report(
      { ...call, send: async (request) => noted(answers, await call.send(request)) },
      analysis,
    )
    return boundReport(report, secrets)
  } catch (error) {
    if (!(error instanceof TooLarge)) throw error
    const { parameters } = call
    return inTurn(() => readInThread({ adapter: adapter.name, parameters, analysis, secrets, answers }, call))
  }
}

/** An answer is too large for this thread, which ends the attempt. The next one gets the answers so far without asking again. */
class TooLarge extends Error {}

function noted(answers: VendorAnswer[], answer: VendorAnswer): VendorAnswer {
  answers.push(answer)
  if (answer.body.length > MAIN_THREAD_LIMIT) throw new TooLarge()
  return answer
}
