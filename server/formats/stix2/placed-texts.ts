import type { TextSpool } from './text-spool.ts'

/** Texts about positions in a document, added in document order. */
export interface PlacedTexts {
  get(place: number): string | undefined
  /** Adds a text for the latest position so far or a later one. */
  set(place: number, text: string): void
}

/** Creates an empty collection. */
export function placedTexts(spool: TextSpool): PlacedTexts {
  const places: number[] = []
  const texts: number[] = []
  return {
    get(place) {
      let [from, to] = [0, places.length]
      while (from < to) {
        const middle = (from + to) >>> 1
        if ((places[middle] as number) < place) from = middle + 1
        else to = middle
      }
      return places[from] === place ? spool.read(texts[from] as number) : undefined
    },
    set(place, text) {
      const at = places.at(-1) === place ? places.length - 1 : places.length
      places[at] = place
      texts[at] = spool.write(text)
    },
  }
}
