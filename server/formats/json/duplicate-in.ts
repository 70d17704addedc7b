interface Duplicate {
  readonly key: string
  readonly position: number
}

/** Returns the first duplicate member name in a valid JSON text, and its position. */
export function duplicateIn(text: string): Duplicate | undefined {
  const open: (Set<string> | undefined)[] = []
  for (let at = 0; at < text.length; at++) {
    const character = text.charAt(at)
    if (character === '{') open.push(new Set())
    else if (character === '[') open.push(undefined)
    else if (character === '}' || character === ']') open.pop()
    if (character !== '"') continue
    const position = at
    at = endOfText(text, position)
    const keys = open.at(-1)
    if (!keys || text.charAt(afterSpace(text, at + 1)) !== ':') continue
    const key = String(JSON.parse(text.slice(position, at + 1)))
    if (keys.has(key)) return { key, position }
    keys.add(key)
  }
  return undefined
}

/** Returns the position of the closing quote of a string. */
function endOfText(text: string, opening: number): number {
  let at = opening + 1
  while (at < text.length && text.charAt(at) !== '"') at += text.charAt(at) === '\\' ? 2 : 1
  return at
}

function afterSpace(text: string, from: number): number {
  let at = from
  while (at < text.length && ' \n\r\t'.includes(text.charAt(at))) at++
  return at
}
