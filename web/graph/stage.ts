import Sigma from 'sigma'
import {
  createEdgeArrowProgram,
  EdgeLineProgram,
  EdgeRectangleProgram,
  NodeCircleProgram,
  NodePointProgram,
} from 'sigma/rendering'
import type { Settings } from 'sigma/settings'
import { GROUNDS, type Ground } from './colours.ts'
import { glide } from './glide.ts'
import { drawIcon, drawMarked, drawRing, type Labels, makeLabels } from './labels.ts'
import {
  type EdgeAttributes,
  edgeLook,
  makeSceneGraph,
  type NodeAttributes,
  nodeLook,
  type Scene,
  updateGraph,
} from './scene.ts'

export type Theme = keyof typeof GROUNDS

export type Renderer = Sigma<NodeAttributes, EdgeAttributes>

/** Whether this browser supports WebGL. */
export function canDraw(): boolean {
  const canvas = document.createElement('canvas')
  const context = canvas.getContext('webgl2') ?? canvas.getContext('webgl')
  // Browsers limit the number of contexts, and this one was only a test.
  context?.getExtension('WEBGL_lose_context')?.loseContext()
  return context !== null
}

/** A renderer of scenes. */
export interface Stage {
  readonly renderer: Renderer
  show(scene: Scene): void
  /** Moves nodes without updating anything else. */
  move(points: ReadonlyMap<string, { readonly x: number; readonly y: number }>): void
  setTheme(theme: Theme): void
  close(): void
}

/** From this size on, the graph is moved as a picture and some details are omitted. */
const MANY_NODES = 400
const MANY_EDGES = 1_500
/** Above this number of nodes, icons are not drawn. */
const MAX_ICONS = 400
const MIN_ICON_RADIUS = 6

const ARROWS = createEdgeArrowProgram({ lengthToThicknessRatio: 4, widenessToThicknessRatio: 3 })

/** Creates a renderer in an element; `theme` determines the background. */
export function openStage(container: HTMLElement, first: Scene, firstTheme: Theme): Stage {
  const graph = makeSceneGraph()
  let scene = first
  let ground: Ground = GROUNDS[firstTheme]
  updateGraph(graph, scene)
  const labels = makeLabels(() => ground)
  const renderer: Renderer = new Sigma(graph, container, {
    ...settingsOf(() => ground, labels),
    ...paceOf(graph.order, graph.size),
    stagePadding: paddingOf(container),
    nodeReducer: (key, attributes) => nodeLook(scene, key, attributes, ground),
    edgeReducer: (key, attributes) => edgeLook(scene, graph.extremities(key), attributes, ground),
  })
  const drawIcons = layIcons(renderer)
  // The element can also be resized while the window stays the same.
  const sizes = new ResizeObserver(() => renderer.setSetting('stagePadding', paddingOf(container)))
  sizes.observe(container)
  renderer.on('beforeRender', labels.clear)
  glide(renderer, () => graph.size > MANY_EDGES || graph.order > MANY_NODES)
  renderer.on('afterRender', drawIcons)
  return {
    renderer,
    show(next) {
      const isSame = next.drawing === scene.drawing && next.shown === scene.shown
      scene = next
      if (isSame) renderer.refresh({ skipIndexation: true, schedule: true })
      else {
        updateGraph(graph, scene)
        renderer.setSettings(paceOf(graph.order, graph.size))
      }
    },
    move(points) {
      graph.updateEachNodeAttributes(
        (key, attributes) => {
          const point = points.get(key)
          return point ? { ...attributes, x: point.x, y: point.y } : attributes
        },
        { attributes: ['x', 'y'] },
      )
    },
    setTheme(theme) {
      ground = GROUNDS[theme]
      renderer.setSettings(coloursOf(ground))
    },
    close: () => {
      sizes.disconnect()
      renderer.kill()
    },
  }
}

/** Padding for labels on the right, as far as there is space. */
const paddingOf = ({ offsetWidth }: HTMLElement): number => Math.min(90, Math.round(offsetWidth * 0.12))

const coloursOf = ({ text, edge }: Ground): Partial<Settings<NodeAttributes, EdgeAttributes>> => ({
  labelColor: { color: text },
  edgeLabelColor: { color: text },
  defaultEdgeColor: edge,
})

const settingsOf = (groundOf: () => Ground, labels: Labels): Partial<Settings<NodeAttributes, EdgeAttributes>> => ({
  ...coloursOf(groundOf()),
  allowInvalidContainer: true,
  zIndex: true,
  labelFont: 'Inter, system-ui, sans-serif',
  labelSize: 12,
  labelWeight: '500',
  edgeLabelSize: 11,
  labelDensity: 0.7,
  labelGridCellSize: 90,
  labelRenderedSizeThreshold: 4,
  minCameraRatio: 0.005,
  maxCameraRatio: 8,
  doubleClickZoomingRatio: 1,
  nodeProgramClasses: { circle: NodeCircleProgram, point: NodePointProgram },
  edgeProgramClasses: { arrow: ARROWS, line: EdgeRectangleProgram, hairline: EdgeLineProgram },
  defaultDrawNodeLabel: labels.draw as Settings<NodeAttributes, EdgeAttributes>['defaultDrawNodeLabel'],
  defaultDrawNodeHover: drawMarked(groundOf) as Settings<NodeAttributes, EdgeAttributes>['defaultDrawNodeHover'],
})

const paceOf = (nodes: number, edges: number) => ({
  hideEdgesOnMove: edges > MANY_EDGES,
  hideLabelsOnMove: nodes > MANY_NODES,
  renderEdgeLabels: edges <= MANY_EDGES,
})

/** Draws icons into nodes that are large enough, on a separate layer. */
function layIcons(renderer: Renderer): () => void {
  const behind = { style: {}, afterLayer: 'hoverNodes' }
  renderer.createCanvasContext('icons', behind)
  renderer.resize(true)
  const context = renderer.getCanvases().icons?.getContext('2d')
  return () => {
    if (!context) return
    const { width, height } = renderer.getDimensions()
    context.clearRect(0, 0, width, height)
    const graph = renderer.getGraph()
    if (graph.order > MAX_ICONS) return
    graph.forEachNode((key, { icon, hasRing }) => {
      const data = renderer.getNodeDisplayData(key)
      if (!icon || !data || data.hidden) return
      const radius = renderer.scaleSize(data.size)
      if (radius < MIN_ICON_RADIUS && !hasRing) return
      const { x, y } = renderer.framedGraphToViewport(data)
      if (x < -radius || y < -radius || x > width + radius || y > height + radius) return
      if (hasRing) drawRing(context, data.color, x, y, radius)
      if (radius >= MIN_ICON_RADIUS) drawIcon(context, icon, x, y, radius)
    })
  }
}
