import { CallError, call } from '../../api/call.ts'
import { invalidate } from '../../api/invalidate.ts'
import { SUGGESTIONS } from './suggestion.ts'

/** What became of decisions about several suggestions. */
export interface ManyDecided {
  readonly done: number
  /** The number that another user had decided before. */
  readonly late: number
  readonly failed: number
}

/** The number of requests at a time. */
const AT_ONCE = 4

/** Makes the same decision about several suggestions. */
export async function decideAll(ids: readonly number[], action: 'refuse' | 'reopen'): Promise<ManyDecided> {
  const left = [...ids]
  const result = { done: 0, late: 0, failed: 0 }
  const work = async () => {
    for (let id = left.shift(); id !== undefined; id = left.shift()) {
      await call('POST', `${SUGGESTIONS}/${id}/${action}`).then(
        () => result.done++,
        (error) => (error instanceof CallError && error.status === 409 ? result.late++ : result.failed++),
      )
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  await invalidate(SUGGESTIONS, 'entities')
  return result
}

const counted = (count: number) => `${count.toLocaleString('en')} ${count === 1 ? 'suggestion' : 'suggestions'}`

/** What became of decisions about several suggestions, as text. */
export const manyInWords = (action: 'refuse' | 'reopen', { done, late, failed }: ManyDecided): string =>
  [
    `${counted(done)} ${action === 'refuse' ? 'refused' : 'reopened'}`,
    ...(late > 0 ? [`${counted(late)} had already been decided`] : []),
    ...(failed > 0 ? [`${counted(failed)} could not be changed; try again`] : []),
  ].join('. ')
