/** The number of columns of a dashboard. */
export const COLUMNS = 12
const MOST_ROWS = 24
const SMALLEST = { w: 2, h: 2 }

/** The position and size of a widget, in columns and rows. */
export interface Place {
  readonly x: number
  readonly y: number
  readonly w: number
  readonly h: number
}

/** The positions of widgets by id. */
export type Layout = Readonly<Record<string, Place>>

/** Reads stored widget positions; widgets without one are placed at the end. */
export function readLayout(stored: unknown, ids: readonly string[]): Layout {
  const known = (stored ?? {}) as Readonly<Record<string, unknown>>
  const placed = Object.fromEntries(
    ids.flatMap((id) => {
      const place = readPlace(known[id])
      return place ? [[id, place] as const] : []
    }),
  )
  const layout: Record<string, Place> = { ...settle(placed) }
  for (const id of ids) layout[id] ??= freePlace(layout)
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
    w: within(w + dw, SMALLEST.w, COLUMNS - x),
    h: within(h + dh, SMALLEST.h, MOST_ROWS),
  }))

/** Widgets in reading order. */
export const inOrder = (layout: Layout): string[] =>
  Object.keys(layout).sort((a, b) => {
    const [one, other] = [layout[a], layout[b]]
    return one && other ? one.y - other.y || one.x - other.x : 0
  })

function changed(layout: Layout, id: string, change: (place: Place) => Place): Layout {
  const before = layout[id]
  if (!before) return layout
  const place = change(before)
  if (JSON.stringify(place) === JSON.stringify(before)) return layout
  // Swap with the widget it meets above or below; otherwise compacting would move it back.
  const isDown = place.y > before.y
  const met = place.y === before.y ? undefined : metBy(layout, id, before, place)
  const y = met ? (isDown ? Math.max(place.y, met.y + met.h - place.h) : Math.min(place.y, met.y)) : place.y
  return settle({ ...layout, [id]: { ...place, y } }, id, isDown)
}

/** The widget above or below that another widget is moved onto. */
const metBy = (layout: Layout, id: string, before: Place, place: Place): Place | undefined =>
  Object.entries(layout).find(
    ([other, each]) =>
      other !== id &&
      isInEachOthersWay(each, place) &&
      (place.y > before.y ? each.y >= before.y + before.h : each.y + each.h <= before.y),
  )?.[1]

/** Moves all widgets up as far as possible without overlap; the moved widget goes first, or last when moving down. */
function settle(layout: Layout, moved?: string, isDown = false): Layout {
  const rank = (id: string) => (id === moved ? (isDown ? 0.5 : -0.5) : 0)
  const order = Object.entries(layout).sort(
    ([a, one], [b, other]) => one.y + rank(a) - (other.y + rank(b)) || one.x - other.x,
  )
  const settled: Record<string, Place> = {}
  for (const [id, place] of order) {
    let y = 0
    const isFree = (at: number) =>
      Object.values(settled).every((other) => !isInEachOthersWay(other, { ...place, y: at }))
    // From bottom to top: widgets above stay above.
    for (y = bottom(settled); y > 0 && isFree(y - 1); y--);
    settled[id] = { ...place, y }
  }
  return settled
}

const bottom = (layout: Layout): number => Math.max(0, ...Object.values(layout).map(({ y, h }) => y + h))

const isInEachOthersWay = (a: Place, b: Place): boolean =>
  a.x < b.x + b.w && b.x < a.x + a.w && a.y < b.y + b.h && b.y < a.y + a.h

const within = (value: number, least: number, most: number): number => Math.min(Math.max(value, least), most)

/** A free position next to the last widget if there is room, otherwise below all. */
function freePlace(layout: Layout): Place {
  const size = { w: 4, h: 6 }
  const y = bottom(layout)
  for (let at = Math.max(0, y - size.h); at < y; at++) {
    for (let x = 0; x + size.w <= COLUMNS; x++) {
      const place = { x, y: at, ...size }
      if (Object.values(layout).every((other) => !isInEachOthersWay(other, place))) return place
    }
  }
  return { x: 0, y, ...size }
}

function readPlace(stored: unknown): Place | undefined {
  const { x, y, w, h } = (stored ?? {}) as Readonly<Record<string, unknown>>
  if (![x, y, w, h].every((value) => Number.isInteger(value) && Number(value) >= 0)) return undefined
  const width = within(Number(w), SMALLEST.w, COLUMNS)
  return {
    x: within(Number(x), 0, COLUMNS - width),
    y: Math.min(Number(y), 10_000),
    w: width,
    h: within(Number(h), SMALLEST.h, MOST_ROWS),
  }
}
