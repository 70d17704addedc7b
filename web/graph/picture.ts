import { GROUNDS } from './colours.ts'
import type { Scene } from './scene.ts'
import { openStage, type Theme } from './stage.ts'

/** Canvas layers from bottom to top. */
const LAYERS = ['edges', 'nodes', 'edgeLabels', 'icons', 'labels']

/** The image size: small for small graphs, so that labels are readable, and larger for large ones. */
const sheetFor = (nodes: number) =>
  nodes <= 60
    ? { width: 1200, height: 750 }
    : nodes <= 1000
      ? { width: 1920, height: 1200 }
      : { width: 3840, height: 2400 }

/** The whole graph as a PNG image, independent of the current view. */
export async function pictureOf(scene: Scene, theme: Theme): Promise<Blob> {
  const { width, height } = sheetFor(scene.shown.nodes.size)
  const container = document.createElement('div')
  Object.assign(container.style, { position: 'fixed', left: '-10000px', width: `${width}px`, height: `${height}px` })
  document.body.append(container)
  const stage = openStage(container, { ...scene, selected: new Set(), focused: null }, theme)
  try {
    const { renderer } = stage
    renderer.setSettings({ hideEdgesOnMove: false, hideLabelsOnMove: false })
    // Rendered and copied in one task, because WebGL discards its buffer afterwards.
    renderer.refresh()
    const canvas = document.createElement('canvas')
    const layers = renderer.getCanvases()
    canvas.width = layers.nodes?.width ?? width
    canvas.height = layers.nodes?.height ?? height
    const context = canvas.getContext('2d')
    if (!context) throw new Error('This browser cannot create images.')
    context.fillStyle = GROUNDS[theme].ground
    context.fillRect(0, 0, canvas.width, canvas.height)
    for (const name of LAYERS) if (layers[name]) context.drawImage(layers[name], 0, 0)
    return await new Promise((resolve, reject) =>
      canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('The image is too large.'))), 'image/png'),
    )
  } finally {
    stage.close()
    container.remove()
  }
}
