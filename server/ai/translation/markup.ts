import type { Span } from '../../formats/text/scan.ts'

/** Text that a model must not see or change, in Markdown or HTML. */
export interface Markup extends Span {
  /** Tags must also keep their order. */
  readonly isTag: boolean
}

/** The tags, comments, code and link targets of a text. Every step passes over the text a fixed number of times. */
export const markupIn = (text: string): Markup[] => [
  ...htmlIn(text),
  ...fencesIn(text).map(plain),
  ...codeSpansIn(text).map(plain),
  ...targetsIn(text).map(plain),
]

const plain = (span: Span): Markup => ({ ...span, isTag: false })

/** Elements whose content is not prose. */
const CODE_ELEMENT = /^<(pre|code|script|style|samp|kbd)\b/i
const TAG_START = /^<[A-Za-z/!?]/

function htmlIn(text: string): Markup[] {
  const found: Markup[] = []
  // Only Latin letters, because others may change their length.
  const lower = text.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase())
  // Each end is searched for once, however many tags are before it.
  const next = new Map<string, number>()
  const endAfter = (mark: string, from: number): number | undefined => {
    const known = next.get(mark)
    const at = known !== undefined && (known < 0 || known >= from) ? known : lower.indexOf(mark, from)
    next.set(mark, at)
    return at < 0 ? undefined : at + mark.length
  }
  for (let start = text.indexOf('<'); start >= 0; ) {
    const end = endOfTag(text, start, endAfter)
    if (end !== undefined) found.push({ start, end, isTag: true })
    start = text.indexOf('<', end ?? start + 1)
  }
  return found
}

function endOfTag(
  text: string,
  start: number,
  endAfter: (mark: string, from: number) => number | undefined,
): number | undefined {
  // A comment that is not closed ends the text, as in a browser.
  if (text.startsWith('<!--', start)) return endAfter('-->', start + 4) ?? text.length
  if (!TAG_START.test(text.slice(start, start + 2))) return undefined
  const close = endAfter('>', start)
  if (close === undefined || text.lastIndexOf('<', close - 1) !== start) return undefined
  const element = CODE_ELEMENT.exec(text.slice(start, start + 10))?.[1]?.toLowerCase()
  const content = element && endAfter(`</${element}`, close)
  return content ? (endAfter('>', content) ?? text.length) : close
}

const FENCE = /^ {0,3}(`{3,}|~{3,})/

/** Blocks between lines of three or more backticks or tildes; one that is not closed reaches to the end. */
function fencesIn(text: string): Span[] {
  const found: Span[] = []
  let open: { readonly mark: string; readonly start: number } | undefined
  let start = 0
  for (const line of text.split('\n')) {
    const mark = FENCE.exec(line)?.[1]
    if (open && mark?.startsWith(open.mark) && line.trim() === mark) {
      found.push({ start: open.start, end: start + line.trimEnd().length })
      open = undefined
    } else if (!open && mark) open = { mark, start }
    start += line.length + 1
  }
  return open ? [...found, { start: open.start, end: text.length }] : found
}

/** Code spans end with as many backticks as they begin with, in the same paragraph. */
function codeSpansIn(text: string): Span[] {
  const found: Span[] = []
  const runs = [...text.matchAll(/`+/g)].map(({ 0: run, index }) => ({ start: index, end: index + run.length }))
  for (let i = 0; i < runs.length; i++) {
    const open = runs[i] as Span
    const length = open.end - open.start
    const next = runs.slice(i + 1, i + 1 + MAX_RUNS).findIndex(({ start, end }) => end - start === length)
    const close = next < 0 ? undefined : runs[i + 1 + next]
    if (!close || close.end - open.start > MAX_CODE || text.slice(open.end, close.start).includes('\n\n')) continue
    found.push({ start: open.start, end: close.end })
    i += next + 1
  }
  return found
}

const MAX_RUNS = 20
const MAX_CODE = 5_000

/** The targets of links and images, with their brackets. */
const targetsIn = (text: string): Span[] =>
  [...text.matchAll(/(?<=\])\([^()\s]{0,2000}(?:\s"[^"\n]{0,300}")?\)/g)].map(({ 0: target, index }) => ({
    start: index,
    end: index + target.length,
  }))
