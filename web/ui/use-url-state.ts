import { useNavigate, useSearch } from '@tanstack/react-router'
import { useMemo } from 'react'

/** What of a page stands in its address: texts by name, of which an empty one is not there. */
export interface UrlState {
  get(name: string): string
  /** Changes some of them; the page before can be gone back to unless it is only refined. */
  set(changes: Readonly<Record<string, string | null>>, isRefined?: boolean): void
}

/** The address as the state of a page: what is in it can be shared and gone back to. */
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
  // As a number it stands in the address without quotes.
  return Object.fromEntries(
    after.map(([name, value]) => [name, /^\d{1,9}$/.test(String(value)) ? Number(value) : value]),
  )
}
