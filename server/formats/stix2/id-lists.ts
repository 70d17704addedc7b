import type { ScratchFile } from '../scratch.ts'
import { type IdIndex, idIndex } from './id-index.ts'
import { pagedWords } from './paged-numbers.ts'

/** Lists of ids grouped by another id, in the order of insertion. A list may contain the same id more than once. */
export interface IdLists {
  add(key: string, id: string): void
  /** Returns the first `limit` ids of a list, or all of them. */
  of(key: string, limit?: number): string[]
}

/** Creates empty lists. All ids are numbered by the given index. */
export function idLists(index: IdIndex, openFile?: () => ScratchFile): IdLists {
  const keys = idIndex(openFile)
  // Entries are numbered from 1; 0 means none.
  const [firsts, lasts] = [pagedWords(), pagedWords()]
  const [values, nexts] = [pagedWords(), pagedWords()]
  let count = 0
  return {
    add(key, id) {
      const [list, value] = [keys.add(key), index.add(id)]
      const last = lasts.get(list)
      // Most relationships of an entity have the same marking as the previous one.
      if (last > 0 && values.get(last) === value) return
      values.set(++count, value)
      if (last > 0) nexts.set(last, count)
      else firsts.set(list, count)
      lasts.set(list, count)
    },
    of(key, limit = Number.POSITIVE_INFINITY) {
      const list = keys.indexOf(key)
      const ids: string[] = []
      let entry = list < 0 ? 0 : firsts.get(list)
      for (; entry > 0 && ids.length < limit; entry = nexts.get(entry)) ids.push(index.idAt(values.get(entry)))
      return ids
    },
  }
}
