/** The selected rows: some by id, or all results except some. */
export interface Selection {
  readonly isAll: boolean
  /** The selected ids or, if all are selected, the excluded ones. */
  readonly ids: ReadonlySet<string>
  /** The row where a range selection starts. */
  readonly anchor: number
}

export const NOTHING: Selection = { isAll: false, ids: new Set(), anchor: 0 }

export const EVERYTHING: Selection = { isAll: true, ids: new Set(), anchor: 0 }

/** Whether a row is selected. */
export const isSelected = ({ isAll, ids }: Selection, id: string): boolean => ids.has(id) !== isAll

/** The number of selected rows. */
export const countSelected = ({ isAll, ids }: Selection, total: number): number => (isAll ? total - ids.size : ids.size)

/** Selects or deselects a row. */
export function toggled(selection: Selection, id: string, index: number): Selection {
  const ids = new Set(selection.ids)
  if (!ids.delete(id)) ids.add(id)
  return { ...selection, ids, anchor: index }
}

/** Applies the state of the anchor row to all rows up to this one. */
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

/** A query that matches rows by id. */
export const idsQuery = (ids: readonly string[]): string => `id:(${ids.join(' ')})`

/** The number of ids per query, which may have at most 20,000 characters. */
export const MAX_IDS_PER_QUERY = 500

/** Queries that together match the selection, without overlap. */
export function selectedQueries({ isAll, ids }: Selection, whole: string): readonly string[] {
  const named = [...ids]
  if (!isAll) return chunks(named, MAX_IDS_PER_QUERY).map(idsQuery)
  const all = whole === '' ? '*:*' : whole
  return [named.length === 0 ? all : `+(${all}) -${idsQuery(named)}`]
}

/** Splits a list into chunks. */
export const chunks = <T>(list: readonly T[], size: number): readonly (readonly T[])[] =>
  Array.from({ length: Math.ceil(list.length / size) }, (_, i) => list.slice(i * size, (i + 1) * size))
