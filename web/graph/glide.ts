import { matrixFromCamera } from 'sigma/utils'
import type { Renderer } from './stage.ts'

/** How long after the last move the graph is rendered again. */
const REST_MS = 160
/** Beyond these limits the picture is rendered again instead of transformed: too much would be missing or blurred. */
const MAX_SHIFT = 0.6
const MAX_STRETCH = 4
const MIN_STRETCH = 0.4

/** Canvas layers that show the graph; the layer for pointer events stays in place. */
const PICTURE = ['edges', 'nodes', 'labels']
/** Canvas layers that can be hidden during the move, because compositing them costs time in every frame. */
const IDLE = ['edgeLabels', 'icons', 'hovers', 'hoverNodes']

/** A CSS transform: scaled by `stretch`, then moved by x and y. */
interface Shift {
  readonly x: number
  readonly y: number
  readonly stretch: number
}

/**
 * Moves a large graph as a picture, because rendering it takes longer than a frame. The browser transforms the last rendering, and
 * the graph is rendered again when the movement stops or exceeds the limits.
 */
export function glide(renderer: Renderer, isLarge: () => boolean): void {
  const camera = renderer.getCamera()
  let drawn = camera.getState()
  let later: ReturnType<typeof setTimeout> | undefined
  const put = (transform: string) => {
    const layers = renderer.getCanvases()
    for (const name of PICTURE) if (layers[name]) layers[name].style.transform = transform
    for (const name of IDLE) if (layers[name]) layers[name].style.visibility = transform === '' ? '' : 'hidden'
  }
  const draw = () => {
    clearTimeout(later)
    later = undefined
    renderer.scheduleRender()
  }
  // Replaces the listener of the renderer, which renders on every camera update.
  camera.removeAllListeners('updated')
  camera.on('updated', () => {
    const shift = isLarge() && drawn.angle === camera.angle ? shiftFrom(renderer, drawn) : undefined
    if (!shift || isTooFar(renderer, shift)) return draw()
    put(`translate(${shift.x}px, ${shift.y}px) scale(${shift.stretch})`)
    follow(renderer)
    clearTimeout(later)
    later = setTimeout(draw, REST_MS)
  })
  renderer.on('beforeRender', () => {
    drawn = camera.getState()
    put('')
  })
  renderer.on('kill', () => clearTimeout(later))
  for (const name of PICTURE) renderer.getCanvases()[name]?.style.setProperty('transform-origin', '0 0')
}

/** The transform from an earlier camera state to the current one. */
function shiftFrom(renderer: Renderer, drawn: ReturnType<ReturnType<Renderer['getCamera']>['getState']>): Shift {
  const [a, b] = [
    { x: 0, y: 0 },
    { x: 1, y: 0 },
  ]
  const at = (point: typeof a, cameraState: typeof drawn) => renderer.framedGraphToViewport(point, { cameraState })
  const now = renderer.getCamera().getState()
  const [oldA, oldB, newA, newB] = [at(a, drawn), at(b, drawn), at(a, now), at(b, now)]
  const stretch = (newB.x - newA.x) / (oldB.x - oldA.x)
  return { stretch, x: newA.x - stretch * oldA.x, y: newA.y - stretch * oldA.y }
}

function isTooFar(renderer: Renderer, { x, y, stretch }: Shift): boolean {
  const { width, height } = renderer.getDimensions()
  const [middleX, middleY] = [x + (stretch - 1) * (width / 2), y + (stretch - 1) * (height / 2)]
  const isShifted = Math.abs(middleX) > width * MAX_SHIFT || Math.abs(middleY) > height * MAX_SHIFT
  return isShifted || stretch > MAX_STRETCH || stretch < MIN_STRETCH
}

/** The renderer uses the camera state of its last rendering, but zooming needs the current one. */
function follow(renderer: Renderer): void {
  const state = renderer.getCamera().getState()
  const sizes = [renderer.getDimensions(), renderer.getGraphDimensions(), renderer.getStagePadding()] as const
  Object.assign(renderer, {
    matrix: matrixFromCamera(state, ...sizes),
    invMatrix: matrixFromCamera(state, ...sizes, true),
  })
}
