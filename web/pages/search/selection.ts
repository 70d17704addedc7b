/** Which rows are selected: some by their ids, or all that match but for some. */
export interface Selection {
  readonly isAll: boolean
  /** Those that are selected or, where all are, those that are not. */
  readonly ids: ReadonlySet<string>
  /** The row that a range begins at. */
  readonly anchor: number
}

export const NOTHING: Selection = { isAll: false, ids: new Set(), anchor: 0 }

export const EVERYTHING: Selection = { isAll: true, ids: new Set(), anchor: 0 }

/** Whether a row is selected. */
export const isSelected = ({ isAll, ids }: Selection, id: string): boolean => ids.has(id) !== isAll

/** How many are selected of all that match. */
export const countSelected = ({ isAll, ids }: Selection, total: number): number => (isAll ? total - ids.size : ids.size)

/** Selects a row, or no longer. */
export function toggled(selection: Selection, id: string, index: number): Selection {
  const ids = new Set(selection.ids)
  if (!ids.delete(id)) ids.add(id)
  return { ...selection, ids, anchor: index }
}

/** Makes all rows from the anchor to this one as the row at the anchor is. */
export function ranged(selection: Selection, rows: readonly { readonly id: string }[], index: number): Selection {
  const anchor = Math.min(selection.anchor, rows.length - 1)
  const from = Math.min(anchor, index)
  const wanted = isSelected(selection, rows[anchor]?.id ?? '') || selection.ids.size === 0
  const ids = new Set(selection.ids)
  for (const { id } of rows.slice(from, Math.max(anchor, index) + 1)) {
    if (wanted === selection.isAll) ids.delete(id)
    else ids.add(id)
  }
  return { ...selection, ids }
}

/** A query that finds rows by their ids. */
export const idsQuery = (ids: readonly string[]): string => `id:(${ids.join(' ')})`

/** A query names no more ids than this: it has at most 20,000 characters. */
export const IDS_AT_ONCE = 500

/** Queries that together find what is selected, each entity by one of them. */
export function selectedQueries({ isAll, ids }: Selection, whole: string): readonly string[] {
  const named = [...ids]
  if (!isAll) return chunks(named, IDS_AT_ONCE).map(idsQuery)
  const all = whole === '' ? '*:*' : whole
  return [named.length === 0 ? all : `+(${all}) -${idsQuery(named)}`]
}

/** A list in pieces of at most so many. */
export const chunks = <T>(list: readonly T[], size: number): readonly (readonly T[])[] =>
  Array.from({ length: Math.ceil(list.length / size) }, (_, i) => list.slice(i * size, (i + 1) * size))
