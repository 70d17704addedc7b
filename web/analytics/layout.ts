/** The number of columns of a dashboard. */
export const COLUMNS = 12
const MAX_ROWS = 24
const MIN_SIZE = { w: 2, h: 2 }

/** The position and size of a widget, in columns and rows. */
export interface WidgetPosition {
  readonly x: number
  readonly y: number
  readonly w: number
  readonly h: number
}

/** The positions of widgets by id. */
export type Layout = Readonly<Record<string, WidgetPosition>>

/** Reads stored widget positions; widgets without one are placed at the end. */
export function readLayout(stored: unknown, ids: readonly string[]): Layout {
  const known = (stored ?? {}) as Readonly<Record<string, unknown>>
  const placed = Object.fromEntries(
    ids.flatMap((id) => {
      const position = readPosition(known[id])
      return position ? [[id, position] as const] : []
    }),
  )
  const layout: Record<string, WidgetPosition> = { ...settle(placed) }
  for (const id of ids) layout[id] ??= freePosition(layout)
  return layout
}

/** Moves a widget by a number of columns and rows; widgets in its way move down. */
export const move = (layout: Layout, id: string, dx: number, dy: number): Layout =>
  changed(layout, id, ({ x, y, w, h }) => ({ x: within(x + dx, 0, COLUMNS - w), y: Math.max(0, y + dy), w, h }))

/** Resizes a widget by a number of columns and rows. */
export const resize = (layout: Layout, id: string, dw: number, dh: number): Layout =>
  changed(layout, id, ({ x, y, w, h }) => ({
    x,
    y,
    w: within(w + dw, MIN_SIZE.w, COLUMNS - x),
    h: within(h + dh, MIN_SIZE.h, MAX_ROWS),
  }))

/** Widgets in reading order. */
export const inOrder = (layout: Layout): string[] =>
  Object.keys(layout).sort((a, b) => {
    const [one, other] = [layout[a], layout[b]]
    return one && other ? one.y - other.y || one.x - other.x : 0
  })

function changed(layout: Layout, id: string, change: (position: WidgetPosition) => WidgetPosition): Layout {
  const before = layout[id]
  if (!before) return layout
  const position = change(before)
  if (JSON.stringify(position) === JSON.stringify(before)) return layout
  // Swap with the widget it meets above or below; otherwise compacting would move it back.
  const isDown = position.y > before.y
  const met = position.y === before.y ? undefined : metBy(layout, id, before, position)
  const y = met ? (isDown ? Math.max(position.y, met.y + met.h - position.h) : Math.min(position.y, met.y)) : position.y
  return settle({ ...layout, [id]: { ...position, y } }, id, isDown)
}

/** The widget above or below that another widget is moved onto. */
const metBy = (
  layout: Layout,
  id: string,
  before: WidgetPosition,
  position: WidgetPosition,
): WidgetPosition | undefined =>
  Object.entries(layout).find(
    ([other, each]) =>
      other !== id &&
      overlaps(each, position) &&
      (position.y > before.y ? each.y >= before.y + before.h : each.y + each.h <= before.y),
  )?.[1]

/** Moves all widgets up as far as possible without overlap; the moved widget goes first, or last when moving down. */
function settle(layout: Layout, moved?: string, isDown = false): Layout {
  const rank = (id: string) => (id === moved ? (isDown ? 0.5 : -0.5) : 0)
  const order = Object.entries(layout).sort(
    ([a, one], [b, other]) => one.y + rank(a) - (other.y + rank(b)) || one.x - other.x,
  )
  const settled: Record<string, WidgetPosition> = {}
  for (const [id, position] of order) {
    let y = 0
    const isFree = (at: number) => Object.values(settled).every((other) => !overlaps(other, { ...position, y: at }))
    // From bottom to top: widgets above stay above.
    for (y = bottom(settled); y > 0 && isFree(y - 1); y--);
    settled[id] = { ...position, y }
  }
  return settled
}

const bottom = (layout: Layout): number => Math.max(0, ...Object.values(layout).map(({ y, h }) => y + h))

const overlaps = (a: WidgetPosition, b: WidgetPosition): boolean =>
  a.x < b.x + b.w && b.x < a.x + a.w && a.y < b.y + b.h && b.y < a.y + a.h

const within = (value: number, least: number, most: number): number => Math.min(Math.max(value, least), most)

/** A free position next to the last widget if there is room, otherwise below all. */
function freePosition(layout: Layout): WidgetPosition {
  const size = { w: 4, h: 6 }
  const y = bottom(layout)
  for (let at = Math.max(0, y - size.h); at < y; at++) {
    for (let x = 0; x + size.w <= COLUMNS; x++) {
      const position = { x, y: at, ...size }
      if (Object.values(layout).every((other) => !overlaps(other, position))) return position
    }
  }
  return { x: 0, y, ...size }
}

function readPosition(stored: unknown): WidgetPosition | undefined {
  const { x, y, w, h } = (stored ?? {}) as Readonly<Record<string, unknown>>
  if (![x, y, w, h].every((value) => Number.isInteger(value) && Number(value) >= 0)) return undefined
  const width = within(Number(w), MIN_SIZE.w, COLUMNS)
  return {
    x: within(Number(x), 0, COLUMNS - width),
    y: Math.min(Number(y), 10_000),
    w: width,
    h: within(Number(h), MIN_SIZE.h, MAX_ROWS),
  }
}
