import { type Drawing, neighboursIn } from './model.ts'
import { typeOf } from './names.ts'

export interface Point {
  readonly x: number
  readonly y: number
}

export type Points = ReadonlyMap<string, Point>

/** The distance between nodes. */
const STEP = 40

/** All nodes on one circle, sorted by type. */
export function circle(drawing: Drawing, keys: readonly string[]): Points {
  const sorted = byTypeAndName(drawing, keys)
  const radius = Math.max(STEP, (sorted.length * STEP) / (2 * Math.PI))
  return new Map(
    sorted.map((key, i) => {
      const angle = Math.PI / 2 - (2 * Math.PI * i) / sorted.length
      return [key, { x: radius * Math.cos(angle), y: radius * Math.sin(angle) }]
    }),
  )
}

/** Rows and columns, about half as high as wide. */
export function grid(drawing: Drawing, keys: readonly string[]): Points {
  const columns = Math.max(1, Math.ceil(Math.sqrt(keys.length * 2)))
  return new Map(
    byTypeAndName(drawing, keys).map((key, i) => [
      key,
      { x: (i % columns) * STEP * 2, y: -Math.floor(i / columns) * STEP * 2 },
    ]),
  )
}

/** One block per type, next to each other. */
export function byType(drawing: Drawing, keys: readonly string[]): Points {
  const groups = Map.groupBy(byTypeAndName(drawing, keys), (key) => typeAt(drawing, key))
  const points = new Map<string, Point>()
  let left = 0
  for (const members of groups.values()) {
    const columns = Math.max(1, Math.ceil(Math.sqrt(members.length / 2)))
    const rows = Math.ceil(members.length / columns)
    for (const [i, key] of members.entries()) {
      const row = Math.floor(i / columns)
      points.set(key, { x: left + (i % columns) * STEP * 2, y: ((rows - 1) / 2 - row) * STEP })
    }
    left += (columns + 1) * STEP * 2
  }
  return points
}

/** Rows by distance from the node with the most neighbours; each row in the order of the one above. */
export function layers(drawing: Drawing, keys: readonly string[]): Points {
  const around = neighboursIn(drawing)
  const allowed = new Set(keys)
  const degree = (key: string) => around.get(key)?.size ?? 0
  const waiting = [...keys].sort((a, b) => degree(b) - degree(a) || (a < b ? -1 : 1))
  const points = new Map<string, Point>()
  let left = 0
  for (const root of waiting) {
    if (points.has(root)) continue
    const rows = rowsFrom(root, around, allowed)
    const width = Math.max(...rows.map((row) => row.length))
    for (const [depth, row] of rows.entries()) {
      const gap = (width * STEP * 3) / row.length
      for (const [i, key] of row.entries()) points.set(key, { x: left + gap * (i + 0.5), y: -depth * STEP * 3 })
    }
    left += (width + 1) * STEP * 3
  }
  return points
}

function rowsFrom(
  root: string,
  around: ReadonlyMap<string, ReadonlySet<string>>,
  allowed: ReadonlySet<string>,
): readonly (readonly string[])[] {
  const seen = new Set([root])
  const rows: string[][] = [[root]]
  for (let row = rows[0] ?? []; row.length > 0; row = rows.at(-1) ?? []) {
    const next: string[] = []
    for (const key of row) {
      for (const other of around.get(key) ?? []) {
        if (!allowed.has(other) || seen.has(other)) continue
        seen.add(other)
        next.push(other)
      }
    }
    if (next.length === 0) return rows
    rows.push(next)
  }
  return rows
}

/** The initial positions of the force layout: deterministic, distinct, and near nodes of the same type. */
export function scatter(drawing: Drawing, keys: readonly string[]): Points {
  return spiral({ x: 0, y: 0 }, byTypeAndName(drawing, keys), 0)
}

/** Positions around a point, in evenly filled rings from the inside out. */
export const around = (centre: Point, keys: readonly string[]): Points => spiral(centre, keys, 2)

const GOLDEN_ANGLE = Math.PI * (3 - Math.sqrt(5))

const spiral = (centre: Point, keys: readonly string[], skipped: number): Points =>
  new Map(
    keys.map((key, i) => {
      const radius = STEP * Math.sqrt(i + skipped)
      const angle = i * GOLDEN_ANGLE
      return [key, { x: centre.x + radius * Math.cos(angle), y: centre.y + radius * Math.sin(angle) }]
    }),
  )

/** A position to the right of all nodes, for unconnected new ones. */
export function rightOf(positions: Iterable<Point>): Point {
  let [right, top, bottom] = [-Infinity, -Infinity, Infinity]
  for (const { x, y } of positions) {
    right = Math.max(right, x)
    top = Math.max(top, y)
    bottom = Math.min(bottom, y)
  }
  return right === -Infinity ? { x: 0, y: 0 } : { x: right + STEP * 4, y: (top + bottom) / 2 }
}

const typeAt = (drawing: Drawing, key: string): string => {
  const node = drawing.nodes.get(key)
  return node ? typeOf(node) : ''
}

const byTypeAndName = (drawing: Drawing, keys: readonly string[]): readonly string[] =>
  keys
    .map((key) => [typeAt(drawing, key), key] as const)
    .sort(([a, first], [b, second]) => (a === b ? (first < second ? -1 : 1) : a < b ? -1 : 1))
    .map(([, key]) => key)

/** Layouts that are computed immediately, by name. */
export const LAYOUTS = { circle, grid, type: byType, layers } as const

export type LayoutName = keyof typeof LAYOUTS
