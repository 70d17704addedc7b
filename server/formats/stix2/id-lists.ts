import type { ScratchFile } from '../scratch.ts'
import { type IdIndex, idIndex } from './id-index.ts'
import { pagedWords } from './paged-numbers.ts'

/** Lists of ids by an id, in the order in which they were added. The same id may be in a list more than once. */
export interface IdLists {
  add(key: string, id: string): void
  /** The first ids of a list. */
  of(key: string, limit?: number): string[]
}

/** Empty lists of ids that have numbers in an index. */
export function idLists(index: IdIndex, openFile?: () => ScratchFile): IdLists {
  const keys = idIndex(openFile)
  // Entries are numbered from 1, so that 0 is none.
  const [firsts, lasts] = [pagedWords(), pagedWords()]
  const [values, nexts] = [pagedWords(), pagedWords()]
  let count = 0
  return {
    add(key, id) {
      const [list, value] = [keys.add(key), index.add(id)]
      const last = lasts.get(list)
      // Most relationships of an entity are marked as the one before.
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
