import { Box, Text, useComputedColorScheme, VisuallyHidden } from '@mantine/core'
import { type KeyboardEvent, useEffect, useMemo, useRef } from 'react'
import { degreeOf } from './aggregates.ts'
import { type Direction, towards } from './directions.ts'
import { neighboursIn } from './model.ts'
import { manyOf, typeName, typeOf } from './names.ts'
import { listenToPointer, type PointerActions } from './pointer.ts'
import type { Scene } from './scene.ts'
import { openStage } from './stage.ts'
import type { GraphState } from './use-graph.ts'

export interface MenuPosition {
  readonly key: string
  readonly x: number
  readonly y: number
}

interface CanvasProps {
  readonly graph: GraphState
  readonly onMenu: (menu: MenuPosition) => void
}

const ARROWS: Readonly<Record<string, Direction>> = {
  ArrowLeft: 'left',
  ArrowRight: 'right',
  ArrowUp: 'up',
  ArrowDown: 'down',
}

/** The interactive drawing of the graph. */
export function Canvas({ graph, onMenu }: CanvasProps) {
  const theme = useComputedColorScheme('light')
  const element = useRef<HTMLDivElement>(null)
  const { drawing, shown, selected, focused, path, stage } = graph
  const scene: Scene = useMemo(
    () => ({ drawing, shown, selected, focused, path }),
    [drawing, shown, selected, focused, path],
  )
  const actions = useRef<PointerActions>(null as never)
  actions.current = pointerActions(graph, onMenu)
  const first = useRef({ scene, theme })

  useEffect(() => {
    if (!element.current) return
    const opened = openStage(element.current, first.current.scene, first.current.theme)
    listenToPointer(opened.renderer, () => actions.current)
    stage.current = opened
    return () => {
      stage.current = null
      opened.close()
    }
  }, [stage])
  useEffect(() => stage.current?.setTheme(theme), [stage, theme])
  useEffect(() => stage.current?.show(scene), [stage, scene])

  return (
    <Box pos="relative" h="100%">
      <Box
        ref={element}
        tabIndex={0}
        role="application"
        aria-label="Graph"
        aria-describedby="graph-keys"
        data-nodes={shown.nodes.size}
        data-settled={!graph.force.isRunning}
        h="100%"
        onContextMenu={(event) => event.preventDefault()}
        onKeyDown={(event) => onKey(event, graph, onMenu)}
        style={{ outlineOffset: -2, touchAction: 'none', overflow: 'hidden' }}
      />
      <VisuallyHidden>
        <Text id="graph-keys">
          Use the arrow keys to move between neighbours, Enter to open the menu of a node, Delete to remove the selected
          nodes, plus and minus to zoom, and 0 to fit the graph. The list next to it contains the same nodes and edges.
        </Text>
        <Text role="status">{saidOf(graph)}</Text>
      </VisuallyHidden>
    </Box>
  )
}

function saidOf({ drawing, focused, labels, selected }: GraphState): string {
  const node = focused === null ? undefined : drawing.nodes.get(focused)
  if (!node || focused === null) return selected.size > 0 ? `${manyOf(selected.size, 'node')} selected` : ''
  return `${labels.get(focused)}, ${typeName(typeOf(node))}, ${manyOf(degreeOf(drawing, focused), 'neighbour')}`
}

function pointerActions(graph: GraphState, onMenu: CanvasProps['onMenu']): PointerActions {
  const { selected, select } = graph
  return {
    choose: (key, isAdded) => {
      if (!isAdded) select([key], key)
      else if (selected.has(key)) select([...selected].filter((each) => each !== key))
      else select([...selected, key], key)
    },
    chooseNone: () => {
      select([])
      graph.setPath(null)
    },
    chooseBox: (keys, isAdded) => select(isAdded ? [...selected, ...keys] : keys),
    menu: (key, { x, y }) => {
      if (!selected.has(key)) select([key], key)
      onMenu({ key, x, y })
    },
    drop: (key, at) => graph.drag(key, at),
  }
}

/** Keyboard handling while the graph has the focus. */
function onKey(event: KeyboardEvent, graph: GraphState, onMenu: CanvasProps['onMenu']): void {
  if (event.altKey || (event.ctrlKey && event.key !== 'a')) return
  const { drawing, shown, selected, focused, stage, select } = graph
  const direction = ARROWS[event.key]
  const camera = stage.current?.renderer.getCamera()
  const done = () => event.preventDefault()
  if (direction) {
    const neighbours = neighboursIn(drawing).get(focused ?? '') ?? new Set<string>()
    const next =
      focused === null ? firstOf(graph) : towards(focused, direction, drawing.positions, neighbours, shown.nodes)
    if (next !== undefined) select(event.shiftKey ? [...selected, next] : [next], next)
    done()
  } else if (event.key === 'Enter' && focused !== null) {
    const data = stage.current?.renderer.getNodeDisplayData(focused)
    const at = data && stage.current?.renderer.framedGraphToViewport(data)
    // Deferred: the menu would otherwise handle the same key press and close again.
    setTimeout(() => onMenu({ key: focused, x: at?.x ?? 0, y: at?.y ?? 0 }))
    done()
  } else if (event.key === 'Delete' && selected.size > 0) {
    graph.remove(selected)
    done()
  } else if (event.key === 'Escape') {
    select([])
    graph.setPath(null)
  } else if (event.key === 'a' && event.ctrlKey) {
    select(shown.nodes)
    done()
  } else if (event.key === '+' || event.key === '=') void camera?.animatedZoom({ duration: 150 })
  else if (event.key === '-') void camera?.animatedUnzoom({ duration: 150 })
  else if (event.key === '0') fit(graph)
}

/** The node with the most neighbours, which gets the focus first. */
function firstOf({ drawing, shown }: GraphState): string | undefined {
  const around = neighboursIn(drawing)
  return [...shown.nodes].sort((a, b) => (around.get(b)?.size ?? 0) - (around.get(a)?.size ?? 0))[0]
}

/** Zooms to fit the whole graph. */
export function fit({ stage }: GraphState): void {
  stage.current?.renderer.setCustomBBox(null)
  stage.current?.renderer.refresh()
  void stage.current?.renderer.getCamera().animatedReset({ duration: 200 })
}
