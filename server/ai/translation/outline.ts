import { splitText } from '../prompting/split.ts'

/** A text as what is translated and what stands between: line ends, marks of lists, headings and tables, and lines without words. */
export interface Outline {
  /** In order: fixed text, or the position of a segment. */
  readonly parts: readonly (string | number)[]
  readonly segments: readonly string[]
}

/** Longer segments are divided. */
const MAX_SEGMENT = 3_000
/** Marks that a line begins with: quotes, headings, list items. */
const MARKS = /^[ \t]*(?:(?:#{1,6}|[-*+]|\d{1,9}[.)])[ \t]+|>[ \t]*)*(?:\[[ xX]\][ \t]+)?/
/** A line of this length was probably wrapped, so that its sentence goes on in the next. */
const WRAPPED_LENGTH = 60
const ENDS_SENTENCE = /[.!?:;|\u3002\uff01\uff1f]["')\]]?$/

/** Divides a text whose placeholders have this token. The structure is kept because a model never sees it. */
export function outlineOf(text: string, token: string): Outline {
  const parts: (string | number)[] = []
  const segments: string[] = []
  const add = (segment: string): void => {
    for (const piece of splitText(segment, MAX_SEGMENT)) {
      const [start, end] = [piece.length - piece.trimStart().length, piece.trimEnd().length]
      parts.push(piece.slice(0, start), segments.length, piece.slice(end))
      segments.push(piece.slice(start, end))
    }
  }
  const addCells = (row: string): void => {
    for (const [i, cell] of row.split('|').entries()) {
      if (i > 0) parts.push('|')
      if (hasWords(cell, token)) add(cell)
      else parts.push(cell)
    }
  }
  let open = ''
  const flush = (): void => {
    if (open !== '') add(open)
    open = ''
  }
  for (const [i, line] of text.split('\n').entries()) {
    const [mark = ''] = MARKS.exec(line) ?? []
    const core = line.slice(mark.length).trimEnd()
    const isWrapped = open !== '' && mark === '' && hasWords(core, token) && !core.startsWith('|')
    if (isWrapped) open += ` ${core}`
    else {
      flush()
      parts.push(`${i === 0 ? '' : '\n'}${mark}`)
      if (!hasWords(core, token)) parts.push(core)
      else if (core.startsWith('|')) addCells(core)
      else open = core
    }
    const rest = line.slice(mark.length + core.length)
    const isComplete = core.length < WRAPPED_LENGTH || ENDS_SENTENCE.test(core) || rest.startsWith('  ')
    if (isComplete || mark.includes('#')) flush()
    if (open === '') parts.push(rest)
  }
  flush()
  return { parts, segments }
}

/** Whether anything is left to translate besides placeholders. */
const hasWords = (text: string, token: string): boolean =>
  text.split(`[[${token}-`).some((part, i) => /\p{L}/u.test(i === 0 ? part : part.slice(part.indexOf(']]') + 2)))

export const assembled = ({ parts }: Outline, translations: readonly string[]): string =>
  parts.map((part) => (typeof part === 'string' ? part : (translations[part] ?? ''))).join('')
