import { type IdIndex, idIndex } from './id-index.ts'
import { pagedWords } from './paged-numbers.ts'
import type { TextSpool } from './text-spool.ts'

/** A map from ids to texts. The texts are in a spool, so that each takes only about twenty bytes of memory. */
export interface SpooledTexts {
  /** Numbers the ids that have a text, and others that callers added to the same index. */
  readonly index: IdIndex
  has(id: string): boolean
  hasAt(index: number): boolean
  get(id: string): string | undefined
  set(id: string, text: string): void
  /** Assigns a text that is already in the spool. */
  setPosition(id: string, place: number): void
}

/** Creates an empty map. */
export function spooledTexts(spool: TextSpool): SpooledTexts {
  const index = idIndex(spool.openFile)
  /** The position of each text by id number; 0 means none. */
  const positions = pagedWords()
  const placeOf = (id: string): number => {
    const at = index.indexOf(id)
    return at < 0 ? 0 : positions.get(at)
  }
  const setPosition = (id: string, place: number): void => positions.set(index.add(id), place)
  return {
    index,
    has: (id) => placeOf(id) > 0,
    hasAt: (at) => positions.get(at) > 0,
    get(id) {
      const place = placeOf(id)
      return place === 0 ? undefined : spool.read(place)
    },
    set: (id, text) => setPosition(id, spool.write(text)),
    setPosition,
  }
}
