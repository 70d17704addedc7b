/** The cell separator; `spaces` means two or more spaces, or tabs. */
export type Delimiter = ',' | ';' | '\t' | '|' | 'spaces'

/** The cells of a row, or that a quote is still open at its end. */
export interface Split {
  readonly cells: readonly string[]
  readonly isOpen: boolean
}

/** Splits a row into cells. A quote counts at the start of a cell, also after spaces, and a doubled quote stands for one. */
export function splitCells(text: string, delimiter: Delimiter): Split {
  if (delimiter === 'spaces') return { cells: text.trim().split(/\t+| {2,}/), isOpen: false }
  const cells: string[] = []
  for (let at = 0; ; ) {
    const start = afterSpaces(text, at, delimiter)
    const quoted = text[start] === '"' ? quotedAt(text, start) : undefined
    if (quoted === 'open') return { cells: [...cells, text.slice(start + 1)], isOpen: true }
    const next = text.indexOf(delimiter, quoted?.end ?? at)
    const end = next < 0 ? text.length : next
    cells.push(quoted ? quoted.text + text.slice(quoted.end, end).trimEnd() : text.slice(at, end).trim())
    if (next < 0) return { cells, isOpen: false }
    at = next + 1
  }
}

function afterSpaces(text: string, from: number, delimiter: Delimiter): number {
  let at = from
  while (text[at] === ' ' || (text[at] === '\t' && delimiter !== '\t')) at++
  return at
}

function quotedAt(text: string, start: number): { readonly text: string; readonly end: number } | 'open' {
  const parts: string[] = []
  for (let from = start + 1; ; ) {
    const quote = text.indexOf('"', from)
    if (quote < 0) return 'open'
    parts.push(text.slice(from, quote))
    if (text[quote + 1] !== '"') return { text: parts.join(''), end: quote + 1 }
    parts.push('"')
    from = quote + 2
  }
}
