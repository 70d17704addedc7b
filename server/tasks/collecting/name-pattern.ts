/** Whether a name fits a pattern in which * stands for any characters; goes back at most to the last *, never further. */
export function fitsPattern(name: string, pattern: string): boolean {
  let at = 0
  let of = 0
  let star = -1
  let resume = 0
  while (at < name.length) {
    if (pattern[of] === '*') {
      star = of++
      resume = at
    } else if (pattern[of] === name[at]) {
      of++
      at++
    } else if (star >= 0) {
      of = star + 1
      at = ++resume
    } else return false
  }
  while (pattern[of] === '*') of++
  return of === pattern.length
}
