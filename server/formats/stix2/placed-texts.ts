import type { TextSpool } from './text-spool.ts'

/** Texts about positions in a document, added in document order. */
export interface PlacedTexts {
  get(place: number): string | undefined
  /** Adds a text for the latest position so far or a later one. */
  set(place: number, text: string): void
}

/** Creates an empty collection. */
export function placedTexts(spool: TextSpool): PlacedTexts {
  const positions: number[] = []
  const texts: number[] = []
  return {
    get(place) {
      let [from, to] = [0, positions.length]
      while (from < to) {
        const middle = (from + to) >>> 1
        if ((positions[middle] as number) < place) from = middle + 1
        else to = middle
      }
      return positions[from] === place ? spool.read(texts[from] as number) : undefined
    },
    set(place, text) {
      const at = positions.at(-1) === place ? positions.length - 1 : positions.length
      positions[at] = place
      texts[at] = spool.write(text)
    },
  }
}
