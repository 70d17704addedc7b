import { suffixOf } from './suffixes.ts'

const MAX_NAME_LENGTH = 253
const IN_NAME = /[\p{L}\p{M}\p{N}_.-]/u
const ALNUM = /[\p{L}\p{N}]/u

/** Returns the name characters that end at an offset. */
export function nameBefore(text: string, end: number): string {
  let start = end
  while (end - start < MAX_NAME_LENGTH && IN_NAME.test(text.charAt(start - 1))) start--
  return text.slice(start, end)
}

/** Returns the name characters that start at an offset. */
export function nameAfter(text: string, start: number): string {
  let end = start
  while (end - start < MAX_NAME_LENGTH && IN_NAME.test(text.charAt(end))) end++
  return text.slice(start, end)
}

/**
 * Whether the text at an offset is only the end of a name with a hidden character: `foo[*]bar.com` must not give `bar.com`. Brackets after
 * a complete name are not part of it (`a.com(2)b.com`), and a letter in angle brackets is an HTML tag.
 */
export function isEndOfHidden(text: string, start: number): boolean {
  const [open = '', hidden = '', close = ''] = text.slice(Math.max(0, start - 3), start)
  const isPair = ['[]', '()', '{}', '<>'].includes(`${open}${close}`)
  if (!isPair || (open === '<' && ALNUM.test(hidden)) || !ALNUM.test(text.charAt(start - 4))) return false
  return !suffixOf(nameBefore(text, start - 3).toLowerCase()).isPublic
}
