import type { MatrixTree, Place, Tactic } from './matrix-tree.ts'

/** Which side of a comparison has a technique, or whether an entity is classified with it. */
export type Mark = '' | 'left' | 'both' | 'right' | 'on' | 'inside'

/** What a cell shows about a technique. */
export interface Face {
  /** For sorting, and to hide unused techniques. */
  readonly score: number
  readonly gap: number
  /** How much is defended, from 0 to 1. */
  readonly share: number
  /** The shades of heat, gap and defense; see `heat-level.ts`. */
  readonly level: number
  readonly gapLevel: number
  readonly shareLevel: number
  readonly mark: Mark
  /** The number in the cell. */
  readonly text: string
  /** What screen readers say after the name. */
  readonly label: string
}

/** What a technique shows; folded, it stands for its sub-techniques as well. */
export type FaceOf = (place: Place, isFolded: boolean) => Face

export interface Cell {
  readonly place: Place
  readonly face: Face
  /** Whether the sub-techniques of a technique are shown; undefined if it has none. */
  readonly isOpen: boolean | undefined
}

export interface Column {
  readonly tactic: Tactic
  readonly cells: readonly Cell[]
  /** The number of techniques with a score, of all that the filters leave. */
  readonly used: number
  readonly count: number
}

export const ORDERS = ['matrix', 'score', 'gap'] as const
export type Order = (typeof ORDERS)[number]

/** Which techniques a matrix shows, and in which order. */
export interface View {
  /** Words that the id or the name must contain. */
  readonly search: string
  readonly platforms: readonly string[]
  readonly isUsedOnly: boolean
  readonly order: Order
  readonly isOpen: (id: string) => boolean
}

/** Arranges the cells of a matrix in columns. */
export function columnsOf({ tactics }: MatrixTree, faceOf: FaceOf, view: View): Column[] {
  const isFound = matcherOf(view)
  const isHidden = (face: Face) => view.isUsedOnly && face.score <= 0 && face.mark === ''
  return tactics.map((tactic) => {
    const techniques = tactic.techniques.flatMap((place) => {
      const subs = place.subs.filter(isFound)
      if (!isFound(place) && subs.length === 0) return []
      const whole = faceOf(place, place.subs.length > 0)
      return isHidden(whole) ? [] : [{ place, whole, isSelfFound: isFound(place), subs }]
    })
    const cells = inOrder(techniques, view.order, ({ whole }) => whole).flatMap(
      ({ place, whole, isSelfFound, subs }): Cell[] => {
        if (place.subs.length === 0) return [{ place, face: whole, isOpen: undefined }]
        // A technique that was found only by its sub-techniques shows them.
        const isOpen = view.isOpen(place.id) || (view.search !== '' && !isSelfFound)
        if (!isOpen) return [{ place, face: whole, isOpen }]
        const below = (isSelfFound && view.platforms.length === 0 ? place.subs : subs)
          .map((sub) => ({ place: sub, face: faceOf(sub, false), isOpen: undefined }))
          .filter(({ face }) => !isHidden(face))
        return [{ place, face: faceOf(place, false), isOpen }, ...inOrder(below, view.order, ({ face }) => face)]
      },
    )
    return {
      tactic,
      cells,
      used: techniques.filter(({ whole }) => whole.score > 0 || whole.mark !== '').length,
      count: techniques.length,
    }
  })
}

function matcherOf({ search, platforms }: View): (place: Place) => boolean {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean)
  return ({ externalId, name, platforms: own }) => {
    const text = `${externalId} ${name}`.toLowerCase()
    return (
      words.every((word) => text.includes(word)) &&
      (platforms.length === 0 || own.some((each) => platforms.includes(each)))
    )
  }
}

function inOrder<T>(items: readonly T[], order: Order, faceOf: (item: T) => Face): readonly T[] {
  if (order === 'matrix') return items
  const by = order === 'score' ? ({ score }: Face) => score : ({ gap }: Face) => gap
  return items.toSorted((a, b) => by(faceOf(b)) - by(faceOf(a)))
}

/** Which techniques are open, as it is in the URL: `all` or nothing, and the techniques that differ from that. */
export function readOpen(text: string): (id: string) => boolean {
  const listed = new Set(text.split(','))
  return (id) => listed.has('all') !== listed.has(id)
}

/** The same with one technique opened or folded. */
export function toggleOpen(text: string, id: string): string {
  const listed = new Set(text.split(',').filter(Boolean))
  if (!listed.delete(id)) listed.add(id)
  return [...listed].join(',')
}
