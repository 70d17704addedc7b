/** Text for people: one spelling of each character, runs of white space as one space, no control characters. */
export function foldText(text: string): string | undefined {
  if (!isStreamSafe(text)) return undefined
  const folded = text.normalize('NFC').replace(/\s+/g, ' ').trim()
  // Composing can also split a mark into two.
  return isStreamSafe(folded) && isVisible(folded) && !hasControl(folded) ? folded : undefined
}

/** Text for machines: one line, no control characters, and kept to the byte: two spaces make another mutex. */
export function keepLine(text: string): string | undefined {
  return hasControl(text) || !isVisible(text) ? undefined : text
}

/** One word for machines: kept to the byte, no white space and no control characters. */
export function keepWord(text: string): string | undefined {
  return /\s/.test(text) ? undefined : keepLine(text)
}

/** Whether a text has control characters or ends of lines. */
export const hasControl = (text: string): boolean => /[\p{Cc}\u2028\u2029]/u.test(text)

/** Whether there is anything to see: letters, digits, signs; a name of joiners and spaces is a trap. */
export const isVisible = (text: string): boolean => /[\p{L}\p{N}\p{P}\p{S}]/u.test(text)

/** Composing sorts the marks on a letter in quadratic time: like Unicode's stream-safe text, this allows 30 of them. */
function isStreamSafe(text: string): boolean {
  for (const [marks] of text.matchAll(/\p{M}+/gu)) if (marks.length > 30) return false
  return true
}
