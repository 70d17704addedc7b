import type { Made, UnverifiedValue } from '../../ai/made.ts'
import type { TextChange } from './changes.ts'

/** A text that a language model has rewritten. */
export interface Rewritten extends Made {
  readonly text: string
  readonly changes: readonly TextChange[]
  readonly unverified_values: readonly UnverifiedValue[]
  readonly lost_values: readonly UnverifiedValue[]
}
