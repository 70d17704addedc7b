import { type Document, isDocument, isSame, type Path, pathText } from '../../forms/paths.ts'
import { isEmpty, NOT_COMPARED, type Version } from '../entity/differences.ts'

/** An item of lists that are compared as sets, and which columns have it. */
export interface ComparedItem {
  readonly item: unknown
  readonly isIn: readonly boolean[]
}

/** A field of several entities. */
export interface ComparedRow {
  readonly path: string
  /** One value per column; undefined where there is none. */
  readonly values: readonly unknown[]
  readonly isEqual: boolean
  /** The items, if all values are lists; their order does not count. */
  readonly items: readonly ComparedItem[] | undefined
}

type Compared = Pick<Version, 'data' | 'meta'>

/** What identifies an entity is different in any case. */
const IDENTIFYING: ReadonlySet<string> = new Set(['data.id', 'data.type'])

/** The fields of several entities, aligned; those that none of them has are omitted. */
export function compareEntities(versions: readonly Compared[]): readonly ComparedRow[] {
  const part = ({ data, meta }: Compared): Document => ({ data, meta })
  return rowsAt([], versions.map(part))
}

/** A row for values that are not fields of the entity, such as those of its observables. */
export const comparedSet = (path: string, lists: readonly (readonly unknown[])[]): ComparedRow => rowOf(path, lists)

function rowsAt(path: Path, values: readonly unknown[]): readonly ComparedRow[] {
  const known = values.filter((value) => !isEmpty(value))
  const text = pathText(path)
  if (known.length === 0 || NOT_COMPARED.has(text) || IDENTIFYING.has(text)) return []
  if (!known.every(isDocument)) return [rowOf(text, values)]
  const names = new Set(known.flatMap((value) => Object.keys(value)))
  return [...names].flatMap((name) =>
    rowsAt(
      [...path, name],
      values.map((value) => (isDocument(value) ? value[name] : undefined)),
    ),
  )
}

function rowOf(path: string, values: readonly unknown[]): ComparedRow {
  const shown = values.map((value) => (isEmpty(value) ? undefined : value))
  const known = shown.filter((value) => value !== undefined)
  const items = known.every(Array.isArray) ? itemsOf(shown as readonly (readonly unknown[] | undefined)[]) : undefined
  const isEqual = items
    ? items.every(({ isIn }) => isIn.every(Boolean))
    : shown.every((value) => isSame(value, shown[0]))
  return { path, values: shown, isEqual, items }
}

/** Equal items have the same text, whatever the order of their properties. */
const textOf = (item: unknown): string =>
  isDocument(item)
    ? `{${Object.keys(item)
        .sort()
        .map((name) => `${name}:${textOf(item[name])}`)
        .join()}}`
    : JSON.stringify(item)

function itemsOf(lists: readonly (readonly unknown[] | undefined)[]): readonly ComparedItem[] {
  const items = new Map<string, { item: unknown; isIn: boolean[] }>()
  lists.forEach((list, column) => {
    for (const item of list ?? []) {
      const text = textOf(item)
      const known = items.get(text) ?? { item, isIn: lists.map(() => false) }
      known.isIn[column] = true
      items.set(text, known)
    }
  })
  return [...items.values()]
}

/** How the value of a column relates to that of the first. */
export type CellState = 'same' | 'different' | 'missing'

/** How a value relates to that of the first column. */
export function cellState({ values, items }: ComparedRow, column: number): CellState {
  const [base, value] = [values[0], values[column]]
  if (column === 0) return 'same'
  if (value === undefined) return base === undefined ? 'same' : 'missing'
  const isEqual = items ? items.every(({ isIn }) => isIn[0] === isIn[column]) : isSame(base, value)
  return isEqual ? 'same' : 'different'
}

/** The most columns that are compared side by side, apart from that of the unified entity. */
export const MAX_COMPARED = 4

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** The ids of the other columns, as given by the address. */
export const comparedIds = (text: unknown, except: string): readonly string[] =>
  [
    ...new Set(
      String(text ?? '')
        .split(',')
        .filter((id) => UUID.test(id) && id !== except),
    ),
  ].slice(0, MAX_COMPARED)

/** The address of a comparison of entities; the first one is the base. */
export function compareAddress(ids: readonly string[]): { readonly to: string; readonly search: { with?: string } } {
  const [first = '', ...others] = ids
  return { to: `/entities/${first}/compare`, search: others.length === 0 ? {} : { with: others.join() } }
}
