import { useCallback, useMemo } from 'react'
import { useMay } from '../api/session.ts'
import { useShortcuts } from './shortcuts.ts'
import { useUrlState } from './use-url-state.ts'

interface Making {
  readonly mayMake: boolean
  readonly isMaking: boolean
  readonly setIsMaking: (isMaking: boolean) => void
}

/** The state of the form for a new object: it is kept in the URL, so that the palette can link to it, and the key N opens it. */
export function useMaking(label: string, permission: string): Making {
  const mayMake = useMay()(permission)
  const url = useUrlState()
  const setIsMaking = useCallback((isMaking: boolean) => url.set({ new: isMaking ? 'true' : null }, true), [url])
  useShortcuts(
    useMemo(() => (mayMake ? [{ keys: 'n', label, run: () => setIsMaking(true) }] : []), [mayMake, label, setIsMaking]),
  )
  return { mayMake, isMaking: mayMake && url.get('new') !== '', setIsMaking }
}
