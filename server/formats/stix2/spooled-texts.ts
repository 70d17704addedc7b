import { type IdIndex, idIndex } from './id-index.ts'
import { pagedWords } from './paged-numbers.ts'
import type { TextSpool } from './text-spool.ts'

/** A map from ids to texts. The texts are in a spool: memory holds some twenty bytes for each. */
export interface SpooledTexts {
  /** The ids with a text, and others that somebody else numbered with it. */
  readonly index: IdIndex
  has(id: string): boolean
  hasAt(index: number): boolean
  get(id: string): string | undefined
  set(id: string, text: string): void
  /** Sets a text that is in the spool already. */
  setPlace(id: string, place: number): void
}

/** An empty map. */
export function spooledTexts(spool: TextSpool): SpooledTexts {
  const index = idIndex(spool.openFile)
  /** By the number of an id, the place of its text; 0 is none. */
  const places = pagedWords()
  const placeOf = (id: string): number => {
    const at = index.indexOf(id)
    return at < 0 ? 0 : places.get(at)
  }
  const setPlace = (id: string, place: number): void => places.set(index.add(id), place)
  return {
    index,
    has: (id) => placeOf(id) > 0,
    hasAt: (at) => places.get(at) > 0,
    get(id) {
      const place = placeOf(id)
      return place === 0 ? undefined : spool.read(place)
    },
    set: (id, text) => setPlace(id, spool.write(text)),
    setPlace,
  }
}
