import type { MouseCoords } from 'sigma/types'
import type { Renderer } from './stage.ts'

/** Callbacks for pointer actions on the graph. */
export interface PointerActions {
  choose(key: string, isAdded: boolean): void
  chooseNone(): void
  chooseBox(keys: readonly string[], isAdded: boolean): void
  menu(key: string, at: { readonly x: number; readonly y: number }): void
  drop(key: string, at: { readonly x: number; readonly y: number }): void
}

interface Box {
  readonly element: HTMLElement
  readonly x: number
  readonly y: number
}

/** Handles selecting, dragging and context menus: Shift extends the selection, and Shift-drag draws a box. */
export function listenToPointer(renderer: Renderer, actions: () => PointerActions): void {
  const graph = renderer.getGraph()
  let dragged: string | null = null
  let hasMoved = false
  let box: Box | null = null

  renderer.on('clickNode', ({ node, event }) => actions().choose(node, isAdding(event)))
  renderer.on('clickStage', ({ event }) => {
    if (!isAdding(event)) actions().chooseNone()
  })
  renderer.on('doubleClickNode', ({ node, event }) => {
    event.preventSigmaDefault()
    actions().menu(node, event)
  })
  renderer.on('rightClickNode', ({ node, event }) => {
    event.original.preventDefault()
    actions().menu(node, event)
  })
  const focus = () => renderer.getContainer().focus({ preventScroll: true })
  renderer.on('downNode', ({ node, event }) => {
    focus()
    if (isRight(event)) return
    dragged = node
    hasMoved = false
    // Without this, the graph would be rescaled with every move.
    if (!renderer.getCustomBBox()) renderer.setCustomBBox(renderer.getBBox())
  })
  renderer.on('downStage', ({ event }) => {
    focus()
    if (isAdding(event) && !isRight(event)) box = beginBox(renderer.getContainer(), event)
  })
  const captor = renderer.getMouseCaptor()
  // Sigma would keep highlighting the node that was hovered last.
  renderer.on('leaveStage', ({ event }) => captor.emit('mousemove', { ...event, x: -9, y: -9 }))
  captor.on('mousemovebody', (event) => {
    if (dragged !== null) {
      hasMoved = true
      graph.mergeNodeAttributes(dragged, renderer.viewportToGraph(event))
    } else if (box) drawBox(box, event)
    else return
    event.preventSigmaDefault()
    event.original.preventDefault()
  })
  captor.on('mouseup', (event) => {
    if (dragged !== null && hasMoved) actions().drop(dragged, renderer.viewportToGraph(event))
    if (box) {
      const keys = within(renderer, box, event)
      box.element.remove()
      if (keys.length > 0) actions().chooseBox(keys, true)
    }
    dragged = null
    box = null
  })
}

const isAdding = ({ original }: MouseCoords): boolean => original.shiftKey || original.ctrlKey || original.metaKey

const isRight = ({ original }: MouseCoords): boolean => 'button' in original && original.button === 2

function beginBox(container: HTMLElement, { x, y }: MouseCoords): Box {
  const element = document.createElement('div')
  Object.assign(element.style, {
    position: 'absolute',
    border: '1px dashed var(--mantine-color-anchor)',
    background: 'color-mix(in srgb, var(--mantine-color-anchor) 12%, transparent)',
    pointerEvents: 'none',
  })
  container.append(element)
  return { element, x, y }
}

function drawBox({ element, x, y }: Box, to: { readonly x: number; readonly y: number }): void {
  Object.assign(element.style, {
    left: `${Math.min(x, to.x)}px`,
    top: `${Math.min(y, to.y)}px`,
    width: `${Math.abs(x - to.x)}px`,
    height: `${Math.abs(y - to.y)}px`,
  })
}

function within(renderer: Renderer, from: Box, to: { readonly x: number; readonly y: number }): readonly string[] {
  const [left, right] = [Math.min(from.x, to.x), Math.max(from.x, to.x)]
  const [top, bottom] = [Math.min(from.y, to.y), Math.max(from.y, to.y)]
  return renderer.getGraph().filterNodes((key) => {
    const data = renderer.getNodeDisplayData(key)
    if (!data || data.hidden) return false
    const { x, y } = renderer.framedGraphToViewport(data)
    return x >= left && x <= right && y >= top && y <= bottom
  })
}
