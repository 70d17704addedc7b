import { parseTimestamp } from '../../../server/domain/timestamp.ts'

/** What an undo would take back and keep. */
export interface UndoForecast {
  readonly undone: number
  readonly kept: number
  readonly reasons: readonly { readonly reason: string; readonly count: number }[]
}

const changes = (count: number): string => `${count.toLocaleString('en')} ${count === 1 ? 'change' : 'changes'}`

/** What an undo would do, in a sentence. */
export function undoInWords({ undone, kept }: UndoForecast): string {
  if (undone + kept === 0) return 'There is nothing to undo.'
  if (undone === 0) return `Nothing can be undone: ${changes(kept)} would be kept.`
  return kept === 0 ? `${changes(undone)} will be undone.` : `${changes(undone)} will be undone, ${changes(kept)} kept.`
}

/** A typed time as the API takes it; undefined if it is not a time. */
export function sinceOf(text: string): string | undefined {
  const time = parseTimestamp(text.trim())
  return time === undefined ? undefined : new Date(time).toISOString()
}
