import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Consolidation } from '../domain/consolidations.ts'
import { showErrorToast, showToast } from '../ui/toasts.tsx'
import { type Change, changeMessage, inverseOf, leftOutMessage } from './bulk-change.ts'
import { exactQueries } from './exact-queries.ts'
import { makeChange, type Outcome, runByQuery } from './run-changes.ts'
import type { Selection } from './selection.ts'

/** The bulk actions on the selection, and their progress. */
export interface Bulk {
  readonly isBusy: boolean
  /** From 0 to 1. */
  readonly progress: number
  change(change: Change): void
  remove(count: number): Promise<void>
}

/** The selected results. */
export interface Selected {
  readonly selection: Selection
  /** The query that matches all results. */
  readonly whole: string
  /** What is shown of unified entities. */
  readonly view: Consolidation
  readonly count: number
}

/** What is added to a message about entities that were not changed. */
const exceptions = ({ failed, unified }: Pick<Outcome, 'failed' | 'unified'>): string =>
  [failed === 0 ? '' : `${failed.toLocaleString('en')} failed.`, leftOutMessage(unified)]
    .filter(Boolean)
    .map((text) => ` ${text}`)
    .join('')

/** Runs bulk actions on the selection, reports the result and refreshes the page. */
export function useBulk({ selection, whole, view, count }: Selected, onDone: () => void): Bulk {
  const queries = useQueryClient()
  const [progress, setProgress] = useState(0)
  const refresh = () =>
    queries.invalidateQueries({
      predicate: ({ queryKey }) => ['entities', 'datasets', 'observables'].includes(String(queryKey[0])),
    })
  const changed = useMutation({
    mutationFn: async (change: Change) => {
      setProgress(0)
      const exact = await exactQueries(selection, whole, view)
      return makeChange(change, exact, count, setProgress, (before) => inverseOf(change, before))
    },
    onSuccess: async (made, change) => {
      const undo = made.undo
      showToast(
        made.changed === 0
          ? `No entities needed changes.${exceptions(made)}`
          : changeMessage(change, made.changed) + exceptions(made),
        undo && made.changed > 0 ? () => undo().then(refresh) : undefined,
      )
      await refresh()
    },
    onError: showErrorToast,
  })
  const removed = useMutation({
    mutationFn: async () => {
      setProgress(0)
      return runByQuery('entities/by-query/delete', {}, await exactQueries(selection, whole, view), setProgress)
    },
    onSuccess: async (done) => {
      const what = done.changed === 1 ? '1 entity deleted.' : `${done.changed.toLocaleString('en')} entities deleted.`
      showToast(what + exceptions(done))
      onDone()
      await refresh()
    },
  })
  return {
    isBusy: changed.isPending || removed.isPending,
    progress,
    change: (change) => changed.mutate(change),
    remove: async () => void (await removed.mutateAsync()),
  }
}
