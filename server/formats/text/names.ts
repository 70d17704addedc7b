import { isEndOfHidden } from './bracketed-name.ts'
import { isRatherCode } from './code-names.ts'
import { isRatherFile, isRelevantFile } from './file-names.ts'
import { FREE, note, PATH, type Scan, spanIn, use, usedAt } from './scan.ts'
import { isUnspaced } from './script.ts'
import { isInternal, isOfOtherRoot, suffixOf } from './suffixes.ts'

const MAX_NAME_LENGTH = 512
const MAX_PATH_LENGTH = 2_048

/** A dotted name in the refanged text. */
interface Name {
  readonly text: string
  readonly start: number
}

/** Finds domains, host names and file names, which are all words with dots in them. */
export function findNames(scan: Scan): void {
  // A single character class, so that the search visits each character once.
  for (const { 0: run, index } of scan.view.text.matchAll(/[\p{L}\p{M}\p{N}_.-]+/gu)) {
    if (!run.includes('.')) continue
    for (const piece of piecesOf({ text: run, start: index })) takeName(scan, piece)
  }
}

/** Splits a run at multiple dots, and removes adjacent words in scripts without spaces. */
function piecesOf({ text, start }: Name): Name[] {
  const pieces: Name[] = []
  for (let from = 0; from < text.length; ) {
    const dots = text.indexOf('..', from)
    const end = dots < 0 ? text.length : dots
    if (end > from) pieces.push({ text: text.slice(from, end), start: start + from })
    from = end
    while (text[from] === '.') from++
  }
  return pieces.flatMap((piece) => withoutWords(piece).map(stripped)).filter((piece) => piece.text.includes('.'))
}

/** In scripts without spaces, whole labels are part of a name, while parts of labels are words next to it. */
function withoutWords({ text, start }: Name): Name[] {
  if (!/[\u0e00-\uffff]/.test(text)) return [{ text, start }]
  const isPure = (label: string) => [...label].every(isUnspaced) || ![...label].some(isUnspaced)
  if (text.length <= 64 && text.split('.').every(isPure)) return [{ text, start }]
  const names: Name[] = []
  let from = 0
  for (let i = 0; i <= text.length; i++) {
    if (i < text.length && !isUnspaced(text.charAt(i))) continue
    if (text.slice(from, i).includes('.')) names.push({ text: text.slice(from, i), start: start + from })
    from = i + 1
  }
  return names
}

function stripped({ text, start }: Name): Name {
  // Service names start with an underscore. With another one at the end, it is emphasis.
  const isService = /^_[a-z\d-]{2,62}\.[^.]{1,63}\./.test(text) && !text.endsWith('_')
  const [outer = ''] = isService ? [''] : (/^[_.-]+/.exec(text) ?? [])
  return { text: text.slice(outer.length).replace(/[_.-]{1,64}$/, ''), start: start + outer.length }
}

function takeName(scan: Scan, given: Name): void {
  if (given.text.length > MAX_NAME_LENGTH || !/\p{L}/u.test(given.text)) return
  if (usedAt(scan, spanIn(scan, given.start, given.start + 1).start) !== FREE) return
  if (isEndOfHidden(scan.view.text, given.start)) return
  const name = registrable(given, (at) => scan.view.isEdited(at, at + 1))
  if (name !== undefined && takeDomain(scan, name)) return
  takeOther(scan, given)
}

function takeDomain(scan: Scan, { text: name, start }: Name): boolean {
  const { text } = scan.view
  const end = start + name.length
  const labels = name.split('.')
  const { isPublic, suffix } = suffixOf(name.toLowerCase())
  const isShown = scan.view.isEdited(start, end) || text[start - 1] === '@' || /^www\d{0,3}$/i.test(labels[0] ?? '')
  if (!isShown && (isRatherFile(labels, suffix) || isCode(text, labels, start, end))) return false
  if (!isPublic && !(isShown || name.toLowerCase().endsWith('.example'))) return false
  const span = spanIn(scan, start, end)
  if (note(scan, 'domain', name, span) === undefined) return false
  use(scan, span)
  coverPath(scan, end)
  return true
}

const isCode = (text: string, labels: readonly string[], start: number, end: number): boolean =>
  isRatherCode(labels, text.slice(Math.max(0, start - 2), start), text.slice(end, end + 3))

/** Marks the path after a name as used: nothing in it is a separate name. */
export function coverPath(scan: Scan, end: number): void {
  const { text } = scan.view
  const [path = ''] = /^(?::\d{1,5})?\/[^\s"'<>`|]*/.exec(text.slice(end, end + MAX_PATH_LENGTH)) ?? []
  if (path !== '') use(scan, spanIn(scan, end, end + path.length), PATH)
}

/** Returns the registrable domain of a name with its subdomains; undefined if there is none. */
function registrable(name: Name, isEdited: (at: number) => boolean): Name | undefined {
  return (
    withKnownEnd(name, isEdited) ??
    withKnownEnd(cutAtDash(name), isEdited) ??
    withKnownEnd(cutAtSentence(name), isEdited)
  )
}

function withKnownEnd({ text, start }: Name, isEdited: (at: number) => boolean): Name | undefined {
  const lower = text.toLowerCase()
  if (!text.includes('.')) return undefined
  const { isPublic, registered } = suffixOf(lower)
  if (!isPublic) return isOfOtherRoot(lower) ? { text, start } : undefined
  // Registered names never end with a hyphen or contain an underscore: the text before it is not part of the name, unless the underscore
  // was in brackets.
  const own = registered.slice(0, registered.indexOf('.'))
  if (own.endsWith('-')) return undefined
  const score = own.lastIndexOf('_')
  const cut = text.length - registered.length + score + 1
  const from = score < 0 || isEdited(start + cut - 1) ? 0 : cut
  const hyphens = /^-*/.exec(text.slice(from))?.[0].length ?? 0
  return { text: text.slice(from + hyphens), start: start + from + hyphens }
}

/** `example.com-based` and `example.com_1` start with names. */
function cutAtDash({ text, start }: Name): Name {
  const last = text.lastIndexOf('.') + 1
  const [, end = ''] = /^(com|net|org|info|biz|ru|cn|top|xyz)[-_]/i.exec(text.slice(last)) ?? []
  return { text: end === '' ? '' : text.slice(0, last + end.length), start }
}

/** `example.com.The next` is a name followed by a sentence. */
function cutAtSentence({ text, start }: Name): Name {
  const last = text.lastIndexOf('.')
  return { text: /^[A-Z][a-z]*$/.test(text.slice(last + 1)) ? text.slice(0, last) : '', start }
}

/** Takes names of internal hosts, and of files. */
function takeOther(scan: Scan, { text: name, start }: Name): void {
  const labels = name.split('.')
  const span = spanIn(scan, start, start + name.length)
  if (isInternal(name.toLowerCase()) && (labels.length > 2 || scan.view.isEdited(start, start + name.length))) {
    note(scan, 'host', name, span)
    return
  }
  if (isRelevantFile(labels)) note(scan, 'file', name, span)
}
