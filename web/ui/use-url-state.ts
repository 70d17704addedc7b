import { useNavigate, useSearch } from '@tanstack/react-router'
import { useMemo } from 'react'

/** Page state in the query string: texts by name; empty ones are omitted. */
export interface UrlState {
  get(name: string): string
  /** Changes some of them. Adds a history entry unless `isRefined`. */
  set(changes: Readonly<Record<string, string | null>>, isRefined?: boolean): void
}

/** The query string as page state, so that it can be shared and navigated back to. */
export function useUrlState(): UrlState {
  const search = useSearch({ strict: false }) as Readonly<Record<string, unknown>>
  const navigate = useNavigate()
  return useMemo(
    () => ({
      get: (name) => textOf(search[name]),
      set: (changes, isRefined = false) =>
        void navigate({
          to: '.',
          search: (before: Readonly<Record<string, unknown>>) => changed(before, changes),
          replace: isRefined,
        } as never),
    }),
    [search, navigate],
  )
}

const textOf = (value: unknown): string => (value === undefined || value === null ? '' : String(value))

function changed(before: Readonly<Record<string, unknown>>, changes: Readonly<Record<string, string | null>>) {
  const after = Object.entries({ ...before, ...changes }).filter(([, value]) => value !== null && value !== '')
  // Numbers appear in the URL without quotes.
  return Object.fromEntries(
    after.map(([name, value]) => [name, /^\d{1,9}$/.test(String(value)) ? Number(value) : value]),
  )
}
