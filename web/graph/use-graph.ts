import { useMemo, useRef, useState } from 'react'
import { idOf } from '../api/lists.ts'
import { queries } from '../api/queries.ts'
import type { Graph } from '../api/resources.ts'
import { contributionsQuery } from '../intelligence/contributors/contributions.ts'
import { showErrorToast } from '../ui/toasts.tsx'
import { isLarge, labelOf, MAX_GROUP_SIZE, nextPiece, withoutEmpty } from './aggregates.ts'
import { ownKeys, reread } from './collapse.ts'
import { type Shown, shownOf } from './filters.ts'
import { LAYOUTS, type LayoutName } from './layouts.ts'
import { edgeNotice, type Loaded } from './load-start.ts'
import {
  type AggregateNode,
  addTo,
  arrange,
  type Drawing,
  emptyGraph,
  entityKey,
  type Filters,
  type GraphEdge,
  type Group,
  keepOnly,
  keyOf,
  pin,
  removeFrom,
  replaceIn,
} from './model.ts'
import { counted, groupName, manyOf } from './names.ts'
import type { PathsAnswer } from './path-requests.ts'
import { placeNew } from './place-nodes.ts'
import { expandMany, MAX_EXPANDED, readNodes, readPart } from './requests.ts'
import type { Stage } from './stage.ts'
import { useDrawing } from './use-drawing.ts'
import { useForce } from './use-force.ts'

const NO_NODES: ReadonlySet<string> = new Set()

/** Up to this many new nodes are placed among the others; for more, the whole graph is laid out again. */
const MAX_PLACED_LOCALLY = 8

/** The state of the graph page and all actions on it. */
export function useGraph() {
  const drawn = useDrawing()
  const stage = useRef<Stage | null>(null)
  const force = useForce(drawn, stage)
  const [chosen, setChosen] = useState(NO_NODES)
  const [lastFocused, setFocused] = useState<string | null>(null)
  const [path, setPath] = useState<ReadonlySet<string> | null>(null)
  const [notices, setNotices] = useState<readonly string[]>([])
  const [isBusy, setIsBusy] = useState(false)
  const [saved, setSaved] = useState<{ readonly graph: Graph; readonly drawing: Drawing } | null>(null)
  const drawing = drawn.history.present
  const shown: Shown = useMemo(() => shownOf(drawing), [drawing])
  const labels = useMemo(
    () => new Map([...drawing.nodes].map(([key, node]) => [key, labelOf(drawing, node)])),
    [drawing],
  )

  // Selected nodes may have been removed, and restored, in the meantime.
  const selected = useMemo(() => new Set([...chosen].filter((key) => drawing.nodes.has(key))), [chosen, drawing])
  const focused = lastFocused !== null && drawing.nodes.has(lastFocused) ? lastFocused : null

  const select = (keys: Iterable<string>, last: string | null = null) => {
    const all = new Set(keys)
    setChosen(all)
    setFocused(last ?? (all.size === 1 ? ([...all][0] ?? null) : null))
  }
  const notice = (texts: readonly string[]) => setNotices((before) => [...new Set([...before, ...texts])])
  const change = (label: string, how: (drawing: Drawing) => Drawing) => {
    force.stop()
    drawn.change(label, how)
  }

  /** Runs an asynchronous action and shows its error, if any. */
  const work = async (task: () => Promise<void>) => {
    setIsBusy(true)
    await task().catch(showErrorToast)
    setIsBusy(false)
  }

  /** Loads nodes and places them around their origin; `also` is part of the same step. */
  const add = async (
    keys: readonly string[],
    label: string,
    { origin = null, also }: { origin?: string | null; also?: (drawing: Drawing) => Drawing } = {},
  ) => {
    const { nodes, edges, edgesLeftOut } = await readNodes(
      keys.filter((key) => !drawn.now().nodes.has(key)),
      drawn.now(),
    )
    const before = drawn.now()
    const positions = placeNew(before, nodes, edges, origin)
    change(label, (now) => withoutEmpty((also ?? same)(addTo(now, { nodes, edges, positions }))))
    notice(edgeNotice(edgesLeftOut))
    if (positions.size > 0) force.settle(positions.size > MAX_PLACED_LOCALLY ? undefined : new Set(positions.keys()))
    return nodes.map(keyOf)
  }

  /** Loads the graph again, with other nodes in place of some. */
  const replace = async (label: string, isCollapsed: boolean, further: readonly string[] = []) => {
    const keys = [...new Set([...ownKeys(drawn.now()), ...further])]
    const answer = await readNodes(keys, emptyGraph(isCollapsed))
    const before = drawn.now()
    const again = reread(before, isCollapsed, answer)
    const added = answer.nodes.filter((node) => !again.positions.has(keyOf(node)))
    const positions = placeNew(again, added, answer.edges, null)
    change(label, () => withoutEmpty({ ...again, positions: new Map([...again.positions, ...positions]) }))
    notice(edgeNotice(answer.edgesLeftOut))
    if (positions.size > 0) force.settle(new Set(positions.keys()))
  }

  const open = async (node: AggregateNode, most: number) => {
    const isDrawn = (key: string) => drawn.now().nodes.has(key)
    const read = (offset: number) => readPart(node.of, node.group, offset, drawn.now().isCollapsed)
    const piece = await nextPiece(read, isDrawn, node.offset, most)
    await add(piece.keys, `Show ${manyOf(piece.keys.length, 'node')} of ${groupName(node.group)}`, {
      origin: keyOf(node),
      also: (now) => (now.nodes.has(keyOf(node)) ? replaceIn(now, { ...node, offset: piece.offset }) : now),
    })
  }

  return {
    ...drawn,
    undo: () => {
      force.stop()
      drawn.undo()
    },
    redo: () => {
      force.stop()
      drawn.redo()
    },
    drawing,
    shown,
    labels,
    stage,
    force,
    selected,
    focused,
    path,
    notices,
    isBusy,
    saved: saved?.graph ?? null,
    isDirty: saved !== null && saved.drawing !== drawing,
    select,
    setPath,
    dismiss: () => setNotices([]),
    markSaved: (graph: Graph) => setSaved({ graph, drawing: drawn.now() }),

    begin({ drawing: first, notices: said, saved: graph, isPlaced }: Loaded) {
      force.stop()
      drawn.reset(first)
      setSaved(graph ? { graph, drawing: first } : null)
      setNotices(said)
      setPath(null)
      select([])
      if (!isPlaced) force.settle()
    },

    /** Adds nodes, and edges that the API of the graph does not return. */
    addLinked: (keys: readonly string[], edges: ReadonlyMap<string, GraphEdge>, label: string) =>
      work(async () => {
        const also = (now: Drawing) => addTo(now, { nodes: [], edges, positions: new Map() })
        select(await add(keys, label, { also }))
      }),

    addNodes: (keys: readonly string[], label: string) => work(async () => select(await add(keys, label))),

    /** Adds the members of a group, or one node for a large group. */
    expand: (of: string, group: Group) =>
      work(async () => {
        if (!isLarge(drawn.now(), of, group)) {
          const isDrawn = (key: string) => drawn.now().nodes.has(key)
          const read = (offset: number) => readPart(of, group, offset, drawn.now().isCollapsed)
          const { keys } = await nextPiece(read, isDrawn, 0, MAX_GROUP_SIZE)
          await add(keys, `Expand ${groupName(group)}`, { origin: of })
          return
        }
        const node: AggregateNode = { kind: 'aggregate', of, group, offset: 0 }
        const positions = placeNew(drawn.now(), [node], new Map(), of)
        change(`Expand ${groupName(group)}`, (now) => addTo(now, { nodes: [node], edges: new Map(), positions }))
        select([keyOf(node)])
        force.settle(new Set(positions.keys()))
      }),

    openPiece: (node: AggregateNode, most: number) => work(() => open(node, most)),

    expandAll: (keys: readonly string[], via: 'relationships' | 'both') =>
      work(async () => {
        const found = await expandMany(keys, via, drawn.now().isCollapsed)
        await add(found.keys, `Expand ${manyOf(keys.length, 'node')}`)
        if (found.total > found.keys.length)
          notice([
            `Showing ${counted(MAX_EXPANDED)} of ${counted(found.total)} neighbours, those with the most edges first. Expand single nodes to see the others.`,
          ])
      }),

    drawPaths: (answer: PathsAnswer) =>
      work(async () => {
        const keys = new Set([...answer.paths.flat(), ...answer.shared.flatMap((each) => each.keys)])
        await add([...keys], 'Show paths')
        setPath(keys)
      }),

    /** Lets unified entities stand for their contributors, or no longer. */
    collapse: (isCollapsed: boolean) =>
      work(() => replace(isCollapsed ? 'Collapse contributors' : 'Stop collapsing contributors', isCollapsed)),

    /** Shows the contributors of a unified entity as nodes of their own. */
    showContributors: (key: string) =>
      work(async () => {
        const { contributors } = await queries.fetchQuery(contributionsQuery(key.slice(2)))
        const keys = contributors.map(({ entity }) => entityKey(idOf(entity)))
        await replace('Show contributors', false, keys)
        select(keys)
      }),

    remove: (keys: ReadonlySet<string>) => {
      change(`Remove ${manyOf(keys.size, 'node')}`, (now) => removeFrom(now, keys))
      select([])
    },
    keepOnly: (keys: ReadonlySet<string>) => change(`Keep ${manyOf(keys.size, 'node')}`, (now) => keepOnly(now, keys)),
    pin: (keys: ReadonlySet<string>, isPinned: boolean) =>
      change(`${isPinned ? 'Pin' : 'Unpin'} ${manyOf(keys.size, 'node')}`, (now) => pin(now, keys, isPinned)),
    drag: (key: string, at: { readonly x: number; readonly y: number }) =>
      change('Move node', (now) => pin(now, [key], true, at)),
    /** Changes the filters; dragging a slider counts as one step. */
    filter: (label: string, filters: Partial<Filters>, isRefined = false) => {
      const { past, future } = drawn.history
      const isSame = isRefined && future.length === 0 && past.at(-1)?.label === label
      const filtered = (now: Drawing) => ({ ...now, filters: { ...now.filters, ...filters } })
      if (isSame) drawn.amend(filtered)
      else change(label, filtered)
    },
    layOut: (name: LayoutName | 'force') => {
      if (name === 'force') {
        change('Force layout', (now) => ({ ...now }))
        force.settle()
        return
      }
      change(`Layout: ${name}`, (now) => arrange(now, LAYOUTS[name](now, [...shownOf(now).nodes])))
      stage.current?.renderer.setCustomBBox(null)
    },
  }
}

/** The state and actions that all parts of the page share. */
export type GraphState = ReturnType<typeof useGraph>

const same = (drawing: Drawing): Drawing => drawing
