import { anyAddressOf } from '../../domain/observables/addresses.ts'
import { hasFileEnding } from './file-names.ts'
import { FREE, note, type Scan, type Span, use, usedAt } from './scan.ts'
import { suffixOf } from './suffixes.ts'

const MAX_PATH_LENGTH = 1_024

const REGISTRY =
  /(?<![A-Za-z\d_])(?:Computer\\)?(?:HKEY_(?:LOCAL_MACHINE|CURRENT_USER|CLASSES_ROOT|USERS|CURRENT_CONFIG|DYN_DATA|PERFORMANCE_DATA)|HK(?:LM|CU|CR|U|CC|PD|DD)|\\?REGISTRY\\(?:MACHINE|USER)):?[\\/]{1,2}(?=[^\s\\/])/gi

const WINDOWS =
  /(?<![A-Za-z\d_%])(?:[A-Za-z]:\\{1,2}(?=[^\s\\])|[A-Za-z]:\/(?=[A-Za-z_.])|%[A-Za-z()\d_]{2,40}%\\{1,2}(?=[^\s\\])|\$env:[A-Za-z_]{2,30}\\)|(?<![\\\w:])\\\\{1,2}(?=[\w.$-]{1,255}\\{1,2}[\w$])/gi

const UNIX =
  /(?<![\w/.:\\>)\]}-]|^#!)(?:~\/(?=[\w.])|\/(?:Applications|Library|System|Users|Volumes|bin|boot|data|dev|etc|home|lib|lib64|media|mnt|opt|private\/(?:etc|tmp|var)|proc|root|run|sbin|srv|sys|tmp|usr|var)\/(?=[\w.]))[\w.@%+~,=:#-]*(?:\/[\w.@%+~,=:#$-]+)*/g

const ABSOLUTE = /(?<![\w/.:\\>)\]}~-])(?:\/[\w.@%+~-]{1,100}){2,20}/g

/** Well-known keys and folders whose last segment has more than one word. */
const SPACED_ENDS =
  /^(?:Active Setup|App Paths|Browser Helper Objects|Control Panel|Image File Execution Options|Installed Components|Internet Explorer|Internet Settings|Program Files(?: \(x86\))?|Safe Mode|Session Manager|Shell Extensions|Shell Folders|Start Menu|Startup Items|User Shell Folders|Windows NT)(?![\w])/i

const CLOSERS: Readonly<Record<string, string>> = {
  '"': '"',
  "'": "'",
  '`': '`',
  '\u201c': '\u201d',
  '\u2018': '\u2019',
  '\u00ab': '\u00bb',
}

/** Finds registry keys and file paths. */
export function findPaths(scan: Scan): void {
  for (const { 0: head, index } of scan.source.matchAll(REGISTRY)) takePath(scan, 'winregistry', index, head)
  for (const { 0: head, index } of scan.source.matchAll(WINDOWS)) takePath(scan, 'file', index, head)
  for (const { 0: path, index } of scan.source.matchAll(UNIX)) takeUnix(scan, path, index)
  for (const { 0: path, index } of scan.source.matchAll(ABSOLUTE)) {
    const isProgram = /\.(?:py|sh|pl|rb|elf|so|bin|dylib|plist|ko|conf|cfg|jar|deb|rpm|exe|dll)$/.test(path)
    if (isProgram) takeUnix(scan, path, index)
  }
}

function takePath(scan: Scan, type: 'file' | 'winregistry', start: number, head: string): void {
  if (usedAt(scan, start) !== FREE) return
  const path = pathAt(scan.source, start, head)
  if (path.length <= head.length) return
  const span = { start, end: start + path.length }
  const value =
    type === 'file' ? path.replace(/\\{2}(?=[^\\])/g, (slashes, at: number) => (at === 0 ? slashes : '\\')) : path
  if (note(scan, type, value, span) === undefined) return
  if (head.startsWith('\\\\')) noteServer(scan, path, start)
  use(scan, span)
}

/** Records the server of a network share. */
function noteServer(scan: Scan, path: string, start: number): void {
  const [, server = ''] = /^\\+([^\\]+)/.exec(path) ?? []
  const span: Span = { start, end: start + path.length }
  const address = anyAddressOf(server)
  if (address !== undefined) note(scan, address.includes(':') ? 'ipv6' : 'ipv4', address, span)
  else if (suffixOf(server.toLowerCase()).isPublic) note(scan, 'domain', server, span)
  else if (/^[A-Za-z][\w.-]+$/.test(server)) note(scan, 'host', server, span)
}

function takeUnix(scan: Scan, path: string, start: number): void {
  if (usedAt(scan, start) !== FREE) return
  const trimmed = path.replace(/[.,:;=#$]{1,64}$/, '')
  const span = { start, end: start + trimmed.length }
  if (trimmed.length <= MAX_PATH_LENGTH && note(scan, 'file', trimmed, span) !== undefined) use(scan, span)
}

/**
 * Returns a path with backslashes from its start. Quotes end a quoted path; otherwise a space does, unless the context shows that it
 * continues.
 */
function pathAt(source: string, start: number, head: string): string {
  const rest = source.slice(start + head.length, start + MAX_PATH_LENGTH)
  const closer = CLOSERS[source.charAt(start - 1)]
  const [line = ''] = /^(?:[^\r\n\t"<>|*?\u201c\u201d\u00ab\u00bb`]|<[\w -]{1,30}>)*/.exec(rest) ?? []
  const close = closer === undefined ? -1 : rest.indexOf(closer)
  if (close >= 0 && close <= line.length) return head + rest.slice(0, close)
  return (head + unquoted(line)).replace(/[\s.,;:!?'")\]}]{1,64}$/, closeBracket)
}

/** Keeps a closing bracket that was opened in the path: `{guid}`, `Program Files (x86)`. */
function closeBracket(end: string, at: number, path: string): string {
  const isOpened =
    (end[0] === '}' && path.lastIndexOf('{', at) >= 0) || (end[0] === ')' && path.lastIndexOf('(', at) >= 0)
  return isOpened ? (end[0] ?? '') : ''
}

function unquoted(line: string): string {
  let start = 0
  for (let end = line.indexOf('\\'); end >= 0; end = line.indexOf('\\', start)) {
    if (!isFolder(line.slice(start, end))) break
    start = end + 1
  }
  const next = line.indexOf('\\', start)
  return line.slice(0, start) + lastSegment(line.slice(start, next < 0 ? line.length : next))
}

/** Whether the text between two backslashes is one folder name, rather than the end of one path and the start of another. */
function isFolder(segment: string): boolean {
  if (/[:%,;]|^\s|\s$/.test(segment)) return !segment.includes(' ') && /^[^:,;]*$/.test(segment)
  const words = segment.split(' ')
  if (words.length === 1) return true
  if (words.length > 5 || words.slice(0, -1).some(hasFileEnding)) return false
  return (
    words.every((word) => /^[A-Z\d(&{[._-]|^(?:and|of|the)$/.test(word)) &&
    !words.some((word) => /^HK[A-Z_]+$/.test(word))
  )
}

/** Punctuation after a word. */
const WORD_END = /(?<![.,;:!?'")\]}])[.,;:!?'")\]}]+$/

/** Returns the last segment: up to the first space, unless more words lead to a file extension. */
function lastSegment(segment: string): string {
  const [spaced] = SPACED_ENDS.exec(segment) ?? []
  if (spaced !== undefined) return spaced
  const words = segment.split(' ')
  const [first = ''] = words
  if (words.length === 1 || hasFileEnding(first.replace(WORD_END, '')) || /[,;:!?)]$/.test(first)) return first
  for (let count = 2; count <= Math.min(words.length, 5); count++) {
    const word = words[count - 1] ?? ''
    if (hasFileEnding(word.replace(WORD_END, '')) && count > 1) return words.slice(0, count).join(' ')
    if (/[,;:!?()]/.test(word) || /^(?:and|or|to|is|was|in|on|with|from|as|into|that|which)$/.test(word)) break
  }
  return first
}
