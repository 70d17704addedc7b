import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { showErrorToast, showToast } from '../ui/toasts.tsx'
import { type Change, changeMessage, inverseOf } from './bulk-change.ts'
import { makeChange, runByQuery } from './run-changes.ts'
import { type Selection, selectedQueries } from './selection.ts'

/** The bulk actions on the selection, and their progress. */
export interface Bulk {
  readonly isBusy: boolean
  /** From 0 to 1. */
  readonly progress: number
  change(change: Change): void
  remove(count: number): Promise<void>
}

const failures = (failed: number): string => (failed === 0 ? '' : ` ${failed.toLocaleString('en')} failed.`)

/** Runs bulk actions on the selection, reports the result and refreshes the page. */
export function useBulk(selection: Selection, whole: string, count: number, onDone: () => void): Bulk {
  const queries = useQueryClient()
  const [progress, setProgress] = useState(0)
  const refresh = () =>
    queries.invalidateQueries({
      predicate: ({ queryKey }) => ['entities', 'datasets', 'observables'].includes(String(queryKey[0])),
    })
  const changed = useMutation({
    mutationFn: (change: Change) => {
      setProgress(0)
      return makeChange(change, selection, whole, count, setProgress, (before) => inverseOf(change, before))
    },
    onSuccess: async (made, change) => {
      const undo = made.undo
      showToast(
        made.changed === 0
          ? `No entities needed changes.${failures(made.failed)}`
          : changeMessage(change, made.changed) + failures(made.failed),
        undo && made.changed > 0 ? () => undo().then(refresh) : undefined,
      )
      await refresh()
    },
    onError: showErrorToast,
  })
  const removed = useMutation({
    mutationFn: async () => {
      setProgress(0)
      return runByQuery('entities/by-query/delete', {}, selectedQueries(selection, whole), setProgress)
    },
    onSuccess: async (done) => {
      const what = done.changed === 1 ? '1 entity deleted.' : `${done.changed.toLocaleString('en')} entities deleted.`
      showToast(what + failures(done.failed))
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
