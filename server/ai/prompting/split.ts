/**
 * Splits a text into pieces of at most this many characters, at the end of a paragraph, a line or a sentence where possible. Together they
 * are the whole text.
 */
export function splitText(text: string, mostCharacters: number): string[] {
  const pieces: string[] = []
  let rest = text
  while (rest.length > mostCharacters) {
    const end = endOf(rest, mostCharacters)
    pieces.push(rest.slice(0, end))
    rest = rest.slice(end)
  }
  if (rest.trim() !== '' || pieces.length === 0) pieces.push(rest)
  return pieces
}

const ENDS = ['\n\n', '\n', '. ', ' ']

/** Where a piece ends: after the last end of its kind in its second half. */
function endOf(text: string, most: number): number {
  for (const mark of ENDS) {
    const at = text.lastIndexOf(mark, most - mark.length)
    if (at >= most / 2) return at + mark.length
  }
  // Not between the halves of a character.
  const code = text.charCodeAt(most - 1)
  return code >= 0xd800 && code <= 0xdbff ? most - 1 : most
}
