/** Joins texts in one cell with semicolons. Semicolons inside a text are escaped with a backslash. */
export const joinList = (texts: readonly string[]): string =>
  texts.map((text) => text.replaceAll(/[\\;]/g, '\\$&')).join(';')

/** Splits a cell written by `joinList`. An empty cell gives one empty text. */
export function splitList(cell: string): string[] {
  const texts: string[] = []
  let text = ''
  for (let at = 0; at < cell.length; at++) {
    const character = cell.charAt(at)
    if (character === '\\' && at + 1 < cell.length) text += cell.charAt(++at)
    else if (character === ';') {
      texts.push(text)
      text = ''
    } else text += character
  }
  return [...texts, text]
}
