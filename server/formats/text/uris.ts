import { noteHost } from './hosts.ts'
import { note, PATH, type Scan, spanIn, spellingOf, use } from './scan.ts'
import { isUnspaced } from './script.ts'

const MAX_AUTHORITY_LENGTH = 512
const MAX_URI_LENGTH = 8_192
const INNER_URIS = 3

const WEB = /^(?:https?|ftps?|sftp|ssh|wss?|smb|rdp|vnc|ldaps?|tcp|udp)$/i

/** Schemes that are recognised even if other letters precede them. */
const GLUED = /(?:https?|ftps?|sftp|hxxps?)$/i

/** Characters that never occur in a URL: spaces, controls, quotes, brackets of prose, and punctuation of other scripts. */
const STOP =
  /[\s\p{Cc}"'<>`|\\^\u00ab\u00bb\u2018-\u201f\u2026\u2039\u203a\u3000-\u3002\u3008-\u3011\u300c-\u300f\uff01-\uff0f\uff1a-\uff20\uff5b-\uff65]/u

const BRACKETS: Readonly<Record<string, string>> = { ')': '(', ']': '[', '}': '{' }

/** Finds URLs with a scheme, and the hosts in them. */
export function findUris(scan: Scan): void {
  const { text } = scan.view
  for (let at = text.indexOf('://'); at >= 0; at = text.indexOf('://', at)) at = takeUri(scan, at)
}

/** Takes the URL around a separator, and returns where to continue. */
function takeUri(scan: Scan, separator: number): number {
  const { text } = scan.view
  const next = separator + 3
  const scheme = schemeBefore(text, separator)
  if (scheme === '') return next
  const start = separator - scheme.length
  const authority = authorityAt(text, next)
  const host = hostIn(authority)
  if (!isHost(scan, host)) return next
  const end = trimmedEnd(text, next, endOfUri(text, next + authority.length))
  const uri = text.slice(start, end)
  const hasMore = /[:/?]/.test(uri.slice(next - start + Math.max(host.length, 1)))
  if (!isNamed(host) && !(hasMore && host.length > 1)) return next
  // No real URL is this long, and a part of it would be a different URL.
  if (end - start >= MAX_URI_LENGTH) return end
  if (note(scan, 'uri', uri, spanIn(scan, start, end)) === undefined) return next
  const head = Math.min(next + authority.length, end)
  const hostAt = next + authority.lastIndexOf(host)
  // For other schemes, the host part may be any name.
  if (isNamed(host) || WEB.test(scheme)) noteHost(scan, host, hostAt, Math.min(hostAt + host.length, end))
  use(scan, spanIn(scan, start, head))
  if (end > head) use(scan, spanIn(scan, head, end), PATH)
  takeInner(scan, head, end)
  return Math.max(end, next)
}

/** Finds URLs inside a URL, such as the target of a redirect. They end with the outer one. */
function takeInner(scan: Scan, from: number, end: number): void {
  const { text } = scan.view
  for (let i = 0, at = text.indexOf('://', from); i < INNER_URIS && at >= 0 && at < end; i++) {
    const scheme = schemeBefore(text, at)
    const start = at - scheme.length
    const host = hostIn(authorityAt(text, at + 3)).slice(0, end - at - 3)
    const span = spanIn(scan, start, end)
    if (/^(?:https?|ftp)$/i.test(scheme) && start >= from && isHost(scan, host)) {
      if (note(scan, 'uri', text.slice(start, end), span) !== undefined)
        noteHost(scan, host, at + 3, at + 3 + host.length)
    }
    at = text.indexOf('://', at + 3)
  }
}

function schemeBefore(text: string, end: number): string {
  const before = text.slice(Math.max(0, end - 32), end)
  const [, scheme = ''] = /(?<![A-Za-z\d+.-])[\d+.-]*([A-Za-z][A-Za-z\d+.-]*)$/.exec(before) ?? []
  if (scheme.length < 2) return ''
  // A scheme preceded by other letters, or by a sentence that ends without a space.
  return GLUED.exec(scheme)?.[0] ?? (/^[A-Za-z][A-Za-z\d+-]*$/.test(scheme) ? scheme : '')
}

/** Returns the part before the path. */
function authorityAt(text: string, start: number): string {
  const limit = Math.min(text.length, start + MAX_AUTHORITY_LENGTH)
  let end = start
  let isLiteral = false
  for (; end < limit; end++) {
    const character = text.charAt(end)
    if (!isLiteral && character >= 'a' && character <= 'z') continue
    if (character === '[' && (end === start || text[end - 1] === '@')) isLiteral = true
    else if (character === ']' && isLiteral) isLiteral = false
    else if (isLiteral ? !/[\da-fv:.%]/i.test(character) : /[/?#()[\]{},;]/.test(character)) break
    else if (!isPlain(character) && STOP.test(character)) break
    else if (isUnspaced(character) && /[A-Za-z\d]$/.test(text.charAt(end - 1)) && end > start) break
  }
  return text.slice(start, end)
}

/** Returns the host without user, port and punctuation. */
function hostIn(authority: string): string {
  const place = authority.slice(authority.lastIndexOf('@') + 1)
  const [literal] = /^\[[^\]]*\]/.exec(place) ?? []
  return literal ?? place.replace(/:\d*$/, '').replace(/(?<![.:!*_-])[.:!*_-]+$/, '')
}

const isHost = (scan: Scan, host: string): boolean =>
  host !== '' && !host.startsWith('.') && spellingOf(scan, 'uri', `http://${host}`) !== undefined

/** Whether a host is more than a single word, which would need a port or a path to be part of a URL. */
const isNamed = (host: string): boolean => host.includes('.') || host.startsWith('[') || host === 'localhost'

/** Returns the end of a URL: a character that it cannot contain, an unmatched closing bracket, or the start of the next URL. */
function endOfUri(text: string, start: number): number {
  const open: string[] = []
  const limit = Math.min(text.length, start + MAX_URI_LENGTH)
  if (!/[/?#]/.test(text.charAt(start))) return start
  let end = start
  for (; end < limit; end++) {
    const character = text.charAt(end)
    if (isPlain(character)) continue
    if (STOP.test(character) || (isUnspaced(character) && isProse(text, end))) break
    if (/[,;]/.test(character) && /^.{0,2}(?:h[tx]{2}ps?|ftp):\/\//i.test(text.slice(end + 1, end + 12))) break
    if ('([{'.includes(character)) open.push(character)
    else if (BRACKETS[character] && open.pop() !== BRACKETS[character]) break
  }
  return end
}

/**
 * Whether adjacent prose in a script without spaces starts here. A part of a URL follows punctuation and does not start with a particle.
 */
const isProse = (text: string, at: number): boolean =>
  /[A-Za-z\d]/.test(text.charAt(at - 1)) || (text[at - 1] === '/' && PARTICLE.test(text.charAt(at)))

const PARTICLE = /[\u304b\u304c\u3067\u3068\u306b\u306e\u306f\u3078\u3082\u3084\u3092]/

/** The most common URL characters. */
const isPlain = (character: string): boolean =>
  (character >= 'a' && character <= 'z') ||
  (character >= '-' && character <= '9') ||
  (character >= 'A' && character <= 'Z')

/** Returns the end without trailing punctuation. */
function trimmedEnd(text: string, start: number, end: number): number {
  let last = end
  while (last > start && /[.,;:!?*([{]/.test(text.charAt(last - 1))) last--
  return last
}
