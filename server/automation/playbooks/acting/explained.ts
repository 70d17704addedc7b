import { refusal } from '../../../engine/errors.ts'
import { StepError } from '../step.ts'

const TOO_MANY = 429
/** Another write came first; the next attempt sees it. */
const CONFLICT = 409

/** Turns the refusal of a write into the failure of a step, which says the same to its readers. */
export async function explained<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const known = refusal(error)
    if (!known || known.status >= 500) throw error
    throw new StepError(known.details.join(' '), { isPassing: [TOO_MANY, CONFLICT].includes(known.status) })
  }
}
