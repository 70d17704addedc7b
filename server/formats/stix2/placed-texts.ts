import type { TextSpool } from './text-spool.ts'

/** Texts by the places in a document that they are about; they are added in its order. */
export interface PlacedTexts {
  get(place: number): string | undefined
  /** Adds a text for the last place so far or one behind it. */
  set(place: number, text: string): void
}

/** No texts yet. */
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
