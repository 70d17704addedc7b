import type { ReactNode } from 'react'
import type { Selection } from './selection.ts'

/** The selected results, for actions of other capabilities. */
export type Chosen =
  | {
      readonly searched: 'entities'
      readonly selection: Selection
      /** The query that matches all results. */
      readonly whole: string
      readonly count: number
    }
  | { readonly searched: 'observables'; readonly ids: readonly number[] }

/** Draws buttons for the selected results. */
export type ChosenActions = (chosen: Chosen) => ReactNode
