import type { Settings } from 'sigma/settings'
import type { NodeDisplayData, PartialButFor } from 'sigma/types'
import { ENTITY_ICONS } from '../intelligence/entity-icon.tsx'
import type { Ground } from './colours.ts'

type Drawn = PartialButFor<NodeDisplayData, 'x' | 'y' | 'size' | 'label' | 'color'> & { readonly hasRing?: boolean }

/** The maximum length of a node label, in characters. */
const MAX_LABEL_LENGTH = 48

export const shortened = (label: string): string =>
  label.length > MAX_LABEL_LENGTH ? `${label.slice(0, MAX_LABEL_LENGTH - 1)}…` : label

const fontOf = ({ labelWeight, labelSize, labelFont }: Settings): string => `${labelWeight} ${labelSize}px ${labelFont}`

/** Draws node labels without overlaps. */
export interface Labels {
  /** Clears the label positions before a new rendering. */
  clear(): void
  draw(context: CanvasRenderingContext2D, data: Drawn, settings: Settings): void
}

interface Strip {
  readonly left: number
  readonly right: number
  readonly base: number
}

/** Outlines labels in the background colour, so that they are readable over edges. */
export function makeLabels(groundOf: () => Ground): Labels {
  let taken: Strip[] = []
  return {
    clear: () => {
      taken = []
    },
    draw(context, { label, x, y, size, forceLabel, hasRing }, settings) {
      if (!label) return
      const { text, ground } = groundOf()
      context.font = fontOf(settings)
      const [left, base] = [x + size + (hasRing ? 8 : 4), y + settings.labelSize / 3]
      const strip = { left: x - size, right: left + context.measureText(label).width, base }
      const isFree = taken.every(
        (other) =>
          strip.left > other.right || strip.right < other.left || Math.abs(base - other.base) > settings.labelSize + 2,
      )
      if (!isFree && !forceLabel) return
      taken.push(strip)
      context.lineJoin = 'round'
      context.lineWidth = 3
      context.strokeStyle = ground
      context.fillStyle = text
      context.strokeText(label, left, base)
      context.fillText(label, left, base)
    },
  }
}

/** Draws a ring around a selected or hovered node, and its label in a box. */
export const drawMarked =
  (groundOf: () => Ground) =>
  (context: CanvasRenderingContext2D, { label, x, y, size }: Drawn, settings: Settings): void => {
    const { text, box, marked } = groundOf()
    context.font = fontOf(settings)
    if (label) {
      const width = context.measureText(label).width
      const height = settings.labelSize + 10
      context.beginPath()
      context.roundRect(x, y - height / 2, size + width + 16, height, height / 2)
      context.fillStyle = box
      context.fill()
      context.lineWidth = 1
      context.strokeStyle = marked
      context.stroke()
      context.fillStyle = text
      context.fillText(label, x + size + 7, y + settings.labelSize / 3)
    }
    context.beginPath()
    context.arc(x, y, size + 3, 0, Math.PI * 2)
    context.fillStyle = marked
    context.fill()
  }

const paths = new Map<string, Path2D>()

function iconOf(type: string): Path2D | undefined {
  const lines = ENTITY_ICONS[type]
  if (lines === undefined) return undefined
  const path = paths.get(type) ?? new Path2D(lines)
  paths.set(type, path)
  return path
}

/** Draws a second ring around the node of a unified entity, in the colour of the node. */
export function drawRing(
  context: CanvasRenderingContext2D,
  colour: string,
  x: number,
  y: number,
  radius: number,
): void {
  context.beginPath()
  context.arc(x, y, radius + 3.5, 0, Math.PI * 2)
  context.lineWidth = 2
  context.strokeStyle = colour
  context.stroke()
}

/** Draws the icon of an entity type into its node. */
export function drawIcon(context: CanvasRenderingContext2D, type: string, x: number, y: number, radius: number): void {
  const path = iconOf(type)
  if (!path) return
  const scale = (radius * 1.25) / 24
  context.save()
  context.translate(x - 12 * scale, y - 12 * scale)
  context.scale(scale, scale)
  context.strokeStyle = '#fff'
  context.lineWidth = 2.2
  context.lineCap = 'round'
  context.lineJoin = 'round'
  context.stroke(path)
  context.restore()
}
