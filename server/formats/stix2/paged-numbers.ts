const PAGE_BITS = 14
const PAGE = 1 << PAGE_BITS

/** A growing array of numbers. It grows page by page, because copying a single array would need twice the memory. */
export interface PagedNumbers {
  /** Returns the number at an index; 0 if none was set. */
  get(place: number): number
  set(place: number, value: number): void
}

type Page = Uint8Array | Uint32Array | Float64Array

/** Creates an array whose pages are typed arrays made by `makePage`. */
export function pagedNumbers(makePage: (length: number) => Page): PagedNumbers {
  const pages: (Page | undefined)[] = []
  return {
    get: (place) => pages[place >>> PAGE_BITS]?.[place & (PAGE - 1)] ?? 0,
    set(place, value) {
      const number = place >>> PAGE_BITS
      const page = pages[number] ?? makePage(PAGE)
      pages[number] = page
      page[place & (PAGE - 1)] = value
    },
  }
}

export const pagedBytes = (): PagedNumbers => pagedNumbers((length) => new Uint8Array(length))
export const pagedWords = (): PagedNumbers => pagedNumbers((length) => new Uint32Array(length))
export const pagedDoubles = (): PagedNumbers => pagedNumbers((length) => new Float64Array(length))
