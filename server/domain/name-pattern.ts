/** Any number of characters, including none. */
export const ANY = Symbol('any')
/** Any single character. */
export const ONE = Symbol('one')

/** A pattern as a list of characters and wildcards. */
export type NamePattern = readonly (string | typeof ANY | typeof ONE)[]

/** Whether a name matches a pattern in which * stands for any characters. */
export const fitsPattern = (name: string, pattern: string): boolean =>
  fits(
    [...name],
    [...pattern].map((character) => (character === '*' ? ANY : character)),
  )

/** Whether characters match a pattern. It backtracks only to the last `ANY`, so no pattern takes long. */
export function fits(text: readonly string[], pattern: NamePattern): boolean {
  let at = 0
  let of = 0
  let star = -1
  let resume = 0
  while (at < text.length) {
    if (pattern[of] === ANY) {
      star = of++
      resume = at
    } else if (of < pattern.length && (pattern[of] === ONE || pattern[of] === text[at])) {
      of++
      at++
    } else if (star >= 0) {
      of = star + 1
      at = ++resume
    } else return false
  }
  while (pattern[of] === ANY) of++
  return of === pattern.length
}
