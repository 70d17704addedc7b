import type { ObservableType } from '../../domain/observables/types.ts'
import { note, type Scan, type Span } from './scan.ts'

const BY_LENGTH: ReadonlyMap<number, ObservableType> = new Map([
  [32, 'hash-md5'],
  [40, 'hash-sha1'],
  [56, 'hash-sha224'],
  [64, 'hash-sha256'],
  [96, 'hash-sha384'],
  [128, 'hash-sha512'],
])

/** The type of a digest by its length and the label before it. A JA3 fingerprint is also an MD5 digest, and is reported as both. */
const LABELS: readonly (readonly [length: number, label: RegExp, types: readonly ObservableType[]])[] = [
  [32, /\bimp(?:ort)?[ _-]?hash(?:es)?\b/i, ['hash-imphash']],
  [32, /\brich[ _-]?(?:pe|header)\b/i, ['hash-rich-pe-header']],
  [32, /\bja3s\b/i, ['ja3s-hash', 'hash-md5']],
  [32, /\bja3\b/i, ['ja3-hash', 'hash-md5']],
  [62, /\bjarm\b/i, ['jarm']],
  [64, /\bauthenti[ _-]?hash\b/i, ['hash-authentihash']],
]

/** Words that rule out a digest when they precede it, such as a relay key or a commit. */
const NO_DIGEST = /\b(?:ExitNode|router|relay fingerprint|commit)[ \t:]{1,3}$/i

const LABELLED_WITHIN = 48
const SSDEEP = /(?<![\w:+/.-])\d{1,10}:[A-Za-z\d+/]{6,64}:[A-Za-z\d+/]{3,64}(?![\w:+/])/g

/** A digest in the text, and the types that the last label assigned to its length. */
interface Labelled {
  readonly end: number
  readonly length: number
  readonly types: readonly ObservableType[]
}

/** Finds digests: runs of hexadecimal digits of the right length without adjacent letters or digits. */
export function findHashes(scan: Scan): void {
  const { source } = scan
  let last: Labelled | undefined
  let read = 0
  for (const { 0: run, index } of source.matchAll(/[\dA-Fa-f]{8,}/g)) {
    const digest = { text: run, start: index, end: index + run.length }
    if (index < read || !isAlone(source, digest)) continue
    const whole =
      BY_LENGTH.has(run.length) && !isContinued(source, digest) ? digest : (joined(source, digest) ?? digest)
    if (NO_DIGEST.test(source.slice(Math.max(0, whole.start - 24), whole.start))) continue
    const types = typesOf(source, whole, last)
    for (const type of types) note(scan, type, whole.text, whole)
    read = whole.end
    if (types.length > 0) last = { end: whole.end, length: whole.text.length, types }
  }
  for (const match of source.matchAll(SSDEEP)) {
    if (/[A-Za-z]/.test(match[0]))
      note(scan, 'hash-ssdeep', match[0], { start: match.index, end: match.index + match[0].length })
  }
}

interface Digest extends Span {
  readonly text: string
}

const isAlone = (source: string, { start, end }: Span): boolean =>
  !/[A-Za-z\d]/.test(source.charAt(start - 1)) && !/[A-Za-z\d]/.test(source.charAt(end))

/** Whether the label before a digest states that it is longer than its line. */
function isContinued(source: string, { text, start, end }: Digest): boolean {
  if (!/[\r\n]/.test(source.charAt(end))) return false
  const [, bits = ''] = /sha-?(1|224|256|384|512)\W{1,5}$/i.exec(source.slice(Math.max(0, start - 16), start)) ?? []
  return bits !== '' && text.length < (bits === '1' ? 40 : Number(bits) / 4)
}

/** Joins a digest with its continuation in the next line; undefined if the two parts do not form a digest. */
function joined(source: string, { text, start, end }: Digest): Digest | undefined {
  const [, gap = '', rest = ''] =
    /^([ \t]*\r?\n[ \t]*)([\dA-Fa-f]{4,120})(?![A-Za-z\d])/.exec(source.slice(end, end + 140)) ?? []
  if (!BY_LENGTH.has(text.length + rest.length) || BY_LENGTH.has(rest.length) !== BY_LENGTH.has(text.length))
    return undefined
  return rest === '' ? undefined : { text: `${text}${rest}`, start, end: end + gap.length + rest.length }
}

function typesOf(source: string, { text, start }: Digest, last: Labelled | undefined): readonly ObservableType[] {
  const before = source.slice(Math.max(0, start - LABELLED_WITHIN), start)
  // A label must directly precede a digest, rather than be part of the previous sentence.
  const label = before.slice(startOfLabel(before))
  const named = LABELS.find(([length, pattern]) => length === text.length && pattern.test(label))
  if (named && !isOtherNamed(label, named[1])) return named[2]
  const isNext =
    last !== undefined && last.length === text.length && /^[\s,;|"']{1,6}$/.test(source.slice(last.end, start))
  if (isNext) return last.types
  const type = BY_LENGTH.get(text.length)
  return type ? [type] : []
}

/** Returns where the last statement of a text starts: after the last sentence, within the last two lines or cells. */
function startOfLabel(text: string): number {
  let at = text.length
  for (let breaks = 0; at > 0; at--) {
    const character = text.charAt(at - 1)
    if ('.!?;'.includes(character)) break
    if ('\n|'.includes(character) && ++breaks > 1) break
  }
  return at
}

/** Whether another kind of digest is named after the label. */
function isOtherNamed(text: string, label: RegExp): boolean {
  const after = text.slice(text.search(label)).replace(label, '')
  return /\b(?:md5|sha-?\d+)\b|[\da-f]{32}/i.test(after)
}
