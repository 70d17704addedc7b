import { useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { isEmptyStart, readFilters, readStart, type Start, writeFilters, writeNodes } from './address.ts'
import { type Loaded, loadStart } from './load-start.ts'
import { emptyGraph } from './model.ts'
import type { GraphState } from './use-graph.ts'

/** How long after the last change the address is updated. */
const PAUSE_MS = 300

const nothing = (isCollapsed: boolean): Loaded => ({
  drawing: emptyGraph(isCollapsed),
  notices: [],
  saved: null,
  isPlaced: true,
})

/** Opens the graph that the address describes, and keeps the address up to date for sharing. */
export function useAddress(graph: GraphState, maySeeObservables: boolean) {
  const search = useSearch({ strict: false }) as Readonly<Record<string, unknown>>
  const navigate = useNavigate()
  const [state, setState] = useState<{ readonly isLoading: boolean; readonly error: unknown }>({
    isLoading: true,
    error: null,
  })
  const text = JSON.stringify(readStart(search))
  /** The starting point that the page has loaded or written itself; any other is loaded. */
  const known = useRef('')
  const latest = useRef(graph)
  latest.current = graph

  useEffect(() => {
    if (text === known.current) return
    known.current = text
    const start = JSON.parse(text) as Start
    let isWanted = true
    setState({ isLoading: true, error: null })
    const loaded = isEmptyStart(start)
      ? Promise.resolve(nothing(start.isCollapsed))
      : loadStart(start, readFilters(search), maySeeObservables)
    loaded.then(
      (each) => {
        if (!isWanted) return
        latest.current.begin(each)
        const chosen = String(search.node ?? '')
        if (each.drawing.nodes.has(chosen)) latest.current.select([chosen])
        setState({ isLoading: false, error: null })
      },
      (error: unknown) => isWanted && setState({ isLoading: false, error }),
    )
    return () => {
      // Writing the address must not cancel a load in progress.
      isWanted = known.current === text
    }
  }, [text, search, maySeeObservables])

  const { drawing, saved, focused } = graph
  const isSettled = !state.isLoading && !state.error
  useEffect(() => {
    if (!isSettled) return
    const later = setTimeout(() => {
      const nodes = saved ? { graph: saved.id } : writeNodes(drawing)
      const next = {
        ...(nodes ?? startParametersIn(search)),
        ...writeFilters(drawing.filters),
        consolidation: drawing.isCollapsed ? 'unified' : undefined,
        node: focused ?? undefined,
      }
      known.current = JSON.stringify(readStart(next))
      if (same(next, search)) return
      void navigate({ to: '.', search: () => next, replace: true } as never)
    }, PAUSE_MS)
    return () => clearTimeout(later)
  }, [drawing, saved, focused, isSettled, search, navigate])
  return state
}

const START_PARAMETERS = ['entities', 'observables', 'groups', 'dataset', 'workspace', 'query', 'graph']

const startParametersIn = (search: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(START_PARAMETERS.flatMap((name) => (search[name] === undefined ? [] : [[name, search[name]]])))

function same(a: Readonly<Record<string, unknown>>, b: Readonly<Record<string, unknown>>): boolean {
  const names = new Set([...Object.keys(a), ...Object.keys(b)])
  return [...names].every((name) => String(a[name] ?? '') === String(b[name] ?? ''))
}
