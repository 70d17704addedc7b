import { useMemo } from 'react'
import { useUrlState } from '../../ui/use-url-state.ts'
import { ORDERS, type Order, readOpen, toggleOpen, type View } from './columns.ts'

const isOrder = (text: string): text is Order => (ORDERS as readonly string[]).includes(text)

/** How a matrix is shown, kept in the URL. */
export function useView() {
  const url = useUrlState()
  const [search, platforms, sort, used, expand] = ['q', 'platforms', 'sort', 'used', 'expand'].map(url.get) as [
    string,
    string,
    string,
    string,
    string,
  ]
  const view = useMemo(
    (): View => ({
      search,
      platforms: platforms.split(',').filter(Boolean),
      isUsedOnly: used === 'true',
      order: isOrder(sort) ? sort : 'matrix',
      isOpen: readOpen(expand),
    }),
    [search, platforms, used, sort, expand],
  )
  return {
    view,
    isExpanded: expand.split(',').includes('all'),
    /** The technique whose details are open; empty without. */
    chosen: url.get('node'),
    choose: (id: string) => url.set({ node: id }, true),
    /** Also closes the details of a technique that is no longer seen. */
    fold: (id: string, closes: boolean) => {
      const isKept = closes && !readOpen(expand)(id)
      url.set({ ...(!isKept && { expand: toggleOpen(expand, id) }), ...(closes && { node: null }) }, true)
    },
    set: (changes: Readonly<Record<string, string | null>>) => url.set(changes, true),
  }
}
