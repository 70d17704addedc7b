import { isUtf8 } from 'node:buffer'
import { isRecord } from '../../../domain/record.ts'
import { storableText } from '../../../domain/storable-text.ts'
import { DetonatorError, type DroppedFile } from '../adapter.ts'

/**
 * An object in a document of a vendor. Its members are read with the functions below: a missing one is null or empty, and one of the
 * wrong type as well, with a fault. Only own members are read, so that no name means anything by itself.
 */
export interface Part {
  /** Where it stands in the document, with `[]` for any item of a list. */
  readonly at: string
  readonly members: Readonly<Record<string, unknown>>
  /** Which places have a wrong value, for the whole document. */
  readonly faults: Set<string>
}

/** Longer texts are cut. */
const MAX_TEXT = 10_000
const MAX_WARNINGS = 50
/** A hostile document of 50 MB has 25 million values, which need gigabytes of memory. One of a sandbox has up to 3 million. */
const MAX_VALUES = 4_000_000

/** Parses a document of a vendor; a list becomes the member `items`. Throws `unreadable` if it is neither an object nor a list. */
export function readDocument(body: Buffer): Part {
  if (body.length === 0) throw unreadable('is empty')
  if (!isUtf8(body)) throw unreadable('is not valid UTF-8')
  if (/^\uFEFF?\s{0,100}</.test(body.toString('utf8', 0, 200))) throw unreadable('is a web page or XML, not JSON')
  // A parser that runs out of memory ends the process, also in a thread with a limit of its own.
  if (valuesIn(body) > MAX_VALUES) throw unreadable(`has more than ${MAX_VALUES} values, which is the limit`)
  const document = parsed(body)
  if (Array.isArray(document)) return { at: '', members: { items: document }, faults: new Set() }
  if (!isRecord(document)) throw unreadable('is no JSON object')
  return { at: '', members: document, faults: new Set() }
}

/** The vendor sent something else than it documents. */
export const unreadable = (what: string): DetonatorError =>
  new DetonatorError('unreadable', `The answer of the sandbox cannot be read: it ${what}.`)

const [QUOTE, BACKSLASH, COMMA, BRACKET, BRACE] = [0x22, 0x5c, 0x2c, 0x5b, 0x7b]

/** How many values a document has at most: each begins a list or an object, or comes after one of them or a comma. */
function valuesIn(body: Buffer): number {
  let count = 1
  let isText = false
  for (let i = 0; i < body.length; i++) {
    const byte = body[i]
    if (isText) {
      if (byte === BACKSLASH) i++
      else if (byte === QUOTE) isText = false
    } else if (byte === QUOTE) isText = true
    else if (byte === COMMA || byte === BRACKET || byte === BRACE) count++
  }
  return count
}

function parsed(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8').replace(/^\uFEFF/, ''))
  } catch {
    throw unreadable('is not valid JSON')
  }
}

/** The faults of a document as warnings for its readers. */
export function warningsOf({ faults }: Part): string[] {
  const warnings = [...faults].map((fault) => `${fault}. It was left out.`)
  const rest = warnings.length - MAX_WARNINGS
  return rest > 0 ? [...warnings.slice(0, MAX_WARNINGS), `${rest} further places could not be read.`] : warnings
}

/** An object in a part; empty if there is none, or an empty text in its place. */
export function partOf(part: Part, name: string): Part {
  const value = memberOf(part, name)
  const members = isRecord(value) ? value : {}
  if (!isAbsent(value) && value !== '' && !isRecord(value)) fault(part, name, 'is not an object')
  return { at: place(part, name), members, faults: part.faults }
}

/** The objects of a list in a part. One object stands for a list of one. */
export function partsOf(part: Part, name: string): Part[] {
  const value = memberOf(part, name)
  const at = `${place(part, name)}[]`
  return itemsOf(part, name, value).flatMap((item) => {
    if (isRecord(item)) return [{ at, members: item, faults: part.faults }]
    if (!isAbsent(item)) fault(part, `${name}[]`, 'is not an object')
    return []
  })
}

/** The objects that are members of a part, with their names. */
export const namedPartsOf = (part: Part): [name: string, part: Part][] =>
  Object.entries(part.members).flatMap(([name, value]): [string, Part][] =>
    isRecord(value) ? [[storableText(name, 200), { at: `${part.at}.*`, members: value, faults: part.faults }]] : [],
  )

/** A text, without spaces around it; null if it is missing or empty. A number is one as well. */
export function textOf(part: Part, name: string): string | null {
  const value = memberOf(part, name)
  const text = readText(value)
  if (text === null && !isAbsent(value) && value !== '') fault(part, name, 'is not a text')
  return text
}

/** The texts of a list; one text stands for a list of one. */
export function textsOf(part: Part, name: string): string[] {
  return itemsOf(part, name, memberOf(part, name)).flatMap((item) => {
    const text = readText(item)
    if (text === null && !isAbsent(item) && item !== '') fault(part, `${name}[]`, 'is not a text')
    return text === null ? [] : [text]
  })
}

/** A number, also one that is written as a text. */
export function numberOf(part: Part, name: string): number | null {
  const value = memberOf(part, name)
  if (typeof value === 'number' && Number.isFinite(value)) return value
  if (typeof value === 'string' && /^-?\d{1,15}(?:\.\d{1,15})?$/.test(value)) return Number(value)
  if (!isAbsent(value) && value !== '') fault(part, name, 'is not a number')
  return null
}

/** A number that is 0 or more and whole, such as a size, a port or the id of a process. */
export function countOf(part: Part, name: string): number | null {
  const number = numberOf(part, name)
  return number !== null && Number.isSafeInteger(number) && number >= 0 ? number : null
}

/** Whether a member is true. */
export const isTrue = (part: Part, name: string): boolean => memberOf(part, name) === true

/** A digest in lower case; null if it is not of this length. */
export function digestOf(part: Part, name: string, length: 32 | 40 | 64): string | null {
  const text = textOf(part, name)?.toLowerCase() ?? null
  return text !== null && text.length === length && /^[\da-f]+$/.test(text) ? text : null
}

/** The digests of a file, as most vendors name them. */
export const digestsOf = (file: Part): Pick<DroppedFile, 'md5' | 'sha1' | 'sha256'> => ({
  md5: digestOf(file, 'md5', 32),
  sha1: digestOf(file, 'sha1', 40),
  sha256: digestOf(file, 'sha256', 64),
})

/** Whether a part has a member, of whatever type. */
export const has = (part: Part, name: string): boolean => !isAbsent(memberOf(part, name))

/** A member as it was sent. */
export const memberOf = ({ members }: Part, name: string): unknown =>
  Object.hasOwn(members, name) ? members[name] : undefined

const isAbsent = (value: unknown): boolean => value === undefined || value === null

const place = ({ at }: Part, name: string): string => (at === '' ? name : `${at}.${name}`)

function fault(part: Part, name: string, what: string): void {
  part.faults.add(`${place(part, name)} ${what}`)
}

function itemsOf(part: Part, name: string, value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value
  if (isAbsent(value) || value === '') return []
  if (isRecord(value) || typeof value === 'string') return [value]
  fault(part, name, 'is not a list')
  return []
}

function readText(value: unknown): string | null {
  if (typeof value === 'number') return String(value)
  if (typeof value !== 'string') return null
  const text = storableText(value, MAX_TEXT).trim()
  return text === '' ? null : text
}
