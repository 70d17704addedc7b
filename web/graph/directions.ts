import type { Point } from './layouts.ts'

export type Direction = 'left' | 'right' | 'up' | 'down'

const WAYS: Readonly<Record<Direction, Point>> = {
  left: { x: -1, y: 0 },
  right: { x: 1, y: 0 },
  up: { x: 0, y: 1 },
  down: { x: 0, y: -1 },
}

/**
 * The target of an arrow key: the neighbour closest to its direction or, without one, any node there. Direction counts more than
 * distance.
 */
export function towards(
  from: string,
  direction: Direction,
  positions: ReadonlyMap<string, Point>,
  neighbours: ReadonlySet<string>,
  shown: ReadonlySet<string>,
): string | undefined {
  const here = positions.get(from)
  if (!here) return undefined
  const best = (keys: Iterable<string>): string | undefined => {
    let [found, least] = [undefined as string | undefined, Infinity]
    for (const key of keys) {
      const position = positions.get(key)
      if (!position || key === from || !shown.has(key)) continue
      const cost = costOf({ x: position.x - here.x, y: position.y - here.y }, WAYS[direction])
      if (cost < least) [found, least] = [key, cost]
    }
    return found
  }
  return best(neighbours) ?? best(shown)
}

function costOf(offset: Point, way: Point): number {
  const ahead = offset.x * way.x + offset.y * way.y
  const aside = Math.abs(offset.x * way.y) + Math.abs(offset.y * way.x)
  return ahead <= 0 || aside > ahead * 2 ? Infinity : ahead + aside * 2
}
