import { normaliseObservable } from '../../domain/observables/normalise.ts'
import { noteHost } from './hosts.ts'
import { note, PATH, type Scan, spanIn, USED, use, usedAt } from './scan.ts'
import { isUnspaced } from './script.ts'
import { isInternal, isOfOtherRoot, suffixOf } from './suffixes.ts'

const MAX_LOCAL_PART_LENGTH = 64

/** Finds e-mail addresses. Their domains are found like all others. */
export function findEmails(scan: Scan): void {
  const { text } = scan.view
  for (let at = text.indexOf('@'); at >= 0; at = text.indexOf('@', at + 1)) takeEmail(scan, at)
}

function takeEmail(scan: Scan, at: number): void {
  const { text } = scan.view
  if (usedAt(scan, spanIn(scan, at, at + 1).start) === USED) return
  const local = localBefore(text, at)
  if (local === '') return
  const [domain = ''] =
    /^(?:\[[\d.]{7,15}\]|[\p{L}\p{M}\p{N}_-]+(?:\.[\p{L}\p{M}\p{N}_-]+)+)/u.exec(text.slice(at + 1, at + 256)) ?? []
  const name = nameIn(domain)
  if (name === undefined) return
  const start = at - local.length
  const span = spanIn(scan, start, at + 1 + name.length)
  if (note(scan, 'email', `${local}@${name}`, span) === undefined) return
  // No other search looks for names inside the path of a URL.
  if (usedAt(scan, span.start) === PATH) noteHost(scan, name, at + 1, at + 1 + name.length)
  use(scan, spanIn(scan, start, at + 1))
}

/** Returns the local part before the @. */
function localBefore(text: string, at: number): string {
  let start = at
  while (start > 0 && at - start <= MAX_LOCAL_PART_LENGTH && isLocal(text.charAt(start - 1))) start--
  const local = text
    .slice(start, at)
    .replace(/^(?:%[\dA-Fa-f]{2})+/, '')
    .replace(/^[.'%&*~-]+/, '')
  return Buffer.byteLength(local) <= MAX_LOCAL_PART_LENGTH ? local : ''
}

const isLocal = (character: string): boolean => /[\p{L}\p{M}\p{N}.!_%+'&*~-]/u.test(character) && !isUnspaced(character)

/** Returns the host name or address if mail can be sent to it. */
function nameIn(domain: string): string | undefined {
  const address = domain.replace(/^\[|\]$/g, '')
  if (/^[\d.]+$/.test(address)) return 'value' in normaliseObservable('ipv4', address) ? domain : undefined
  const cut = [...domain].findIndex(
    (character, i) => i > 0 && isUnspaced(character) && /[a-z\d]/i.test(domain[i - 1] ?? ''),
  )
  const name = (cut < 0 ? domain : domain.slice(0, cut)).replace(/(?<![_-])[_-]+$/, '')
  const lower = name.toLowerCase()
  if (suffixOf(lower).isPublic || isOfOtherRoot(lower) || isInternal(lower)) return name
  // The next sentence starts without a space.
  const [shorter = '', next = ''] = [name.slice(0, name.lastIndexOf('.')), name.slice(name.lastIndexOf('.') + 1)]
  return /^[A-Z][a-z]+$/.test(next) && suffixOf(shorter.toLowerCase()).isPublic ? shorter : undefined
}
