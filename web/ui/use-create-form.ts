import { useCallback, useMemo } from 'react'
import { useMay } from '../api/session.ts'
import { useShortcuts } from './shortcuts.ts'
import { useUrlState } from './use-url-state.ts'

interface CreateForm {
  readonly mayCreate: boolean
  readonly isCreating: boolean
  readonly setIsCreating: (isCreating: boolean) => void
}

/** Whether the form for a new object is open. This is kept in the URL, so that the palette can link to it; the key N opens it. */
export function useCreateForm(label: string, permission: string): CreateForm {
  const mayCreate = useMay()(permission)
  const url = useUrlState()
  const setIsCreating = useCallback((isCreating: boolean) => url.set({ new: isCreating ? 'true' : null }, true), [url])
  useShortcuts(
    useMemo(
      () => (mayCreate ? [{ keys: 'n', label, run: () => setIsCreating(true) }] : []),
      [mayCreate, label, setIsCreating],
    ),
  )
  return { mayCreate, isCreating: mayCreate && url.get('new') !== '', setIsCreating }
}
