import { matrixFromCamera } from 'sigma/utils'
import type { Renderer } from './stage.ts'

/** So long after its last move a picture that was only shifted is drawn anew. */
const REST_MS = 160
/** Farther than these the picture is not shifted and stretched: too little of it would be there, or too coarse. */
const MOST_SHIFTED = 0.6
const MOST_STRETCHED = 4
const LEAST_STRETCHED = 0.4

/** Layers that show the graph; the one that takes the pointer stays where it is. */
const PICTURE = ['edges', 'nodes', 'labels']
/** Layers with nothing on them that would be missed on the way; the browser would lay each over the others for every frame. */
const IDLE = ['edgeLabels', 'icons', 'hovers', 'hoverNodes']

/** A place on the screen, as CSS transforms it: moved by x and y after it was stretched. */
interface Shift {
  readonly x: number
  readonly y: number
  readonly stretch: number
}

/**
 * Moves a large graph as a picture: drawing it for every frame takes longer than a frame may. What was drawn last is shifted and
 * stretched by the browser, and drawn anew when it rests, or when it was moved too far for that.
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
  // In place of the listener of the renderer, which draws every time.
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

/** Where what was drawn for an earlier state of the camera is to be now. */
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
  const isShifted = Math.abs(middleX) > width * MOST_SHIFTED || Math.abs(middleY) > height * MOST_SHIFTED
  return isShifted || stretch > MOST_STRETCHED || stretch < LEAST_STRETCHED
}

/** The renderer reckons with the camera as it was when it drew; where the pointer zooms to depends on where it is now. */
function follow(renderer: Renderer): void {
  const state = renderer.getCamera().getState()
  const sizes = [renderer.getDimensions(), renderer.getGraphDimensions(), renderer.getStagePadding()] as const
  Object.assign(renderer, {
    matrix: matrixFromCamera(state, ...sizes),
    invMatrix: matrixFromCamera(state, ...sizes, true),
  })
}
