import type { DocumentError } from '../document.ts'
import type { Cut } from './cut-value.ts'
import { duplicateIn } from './duplicate-in.ts'
import { faultAt } from './input.ts'

/** Parses a value strictly: no duplicate members, no NUL, no lone surrogates. A member called `__proto__` is dropped. */
export function parseValue(cut: Cut): unknown {
  const value = parse(cut)
  const isObject = typeof value === 'object' && value !== null
  // The parser keeps the last of two duplicate members, so the object has fewer members than the text.
  if (isObject && countMembers(value) !== cut.members) throw duplicated(cut)
  if (!cut.hasEscapes && !cut.text.includes('__proto__')) return value
  const fault = faultIn(value)
  if (fault) throw faultAt(cut.place, `${fault}.`)
  return value
}

function parse(cut: Cut): unknown {
  try {
    return JSON.parse(cut.text)
  } catch (error) {
    throw notJson(cut, error instanceof Error ? error.message : '')
  }
}

/** The parser's message contains a part of the document, of any length. Only its beginning and the position are used. */
function notJson(cut: Cut, message: string): DocumentError {
  const position = Number(/ at position (\d+)/.exec(message)?.[1] ?? 0)
  const reason = message.replace(/ in JSON at position .*$| \(line .*$|, (?:\.\.\.)?".*$/s, '')
  return faultAt(placeIn(cut, position), `not JSON: ${reason.slice(0, 100)}.`)
}

function duplicated(cut: Cut): DocumentError {
  const duplicate = duplicateIn(cut.text)
  return faultAt(
    placeIn(cut, duplicate?.position ?? 0),
    `duplicate member ${JSON.stringify(duplicate?.key.slice(0, 100) ?? '')}.`,
  )
}

function placeIn({ text, place }: Cut, position: number): { byte: number; line: number } {
  const before = text.slice(0, position)
  return { byte: place.byte + Buffer.byteLength(before), line: place.line + before.split('\n').length - 1 }
}

/** The scanner limits the depth, so recursion is safe. */
function countMembers(value: object): number {
  if (Array.isArray(value)) {
    let count = 0
    for (const item of value) if (typeof item === 'object' && item !== null) count += countMembers(item)
    return count
  }
  const keys = Object.keys(value)
  let count = keys.length
  for (const key of keys) {
    const member = (value as Record<string, unknown>)[key]
    if (typeof member === 'object' && member !== null) count += countMembers(member)
  }
  return count
}

function faultIn(value: unknown): string | undefined {
  if (typeof value === 'string') return textFault(value)
  if (typeof value !== 'object' || value === null) return undefined
  if (Array.isArray(value)) {
    for (const item of value) {
      const fault = faultIn(item)
      if (fault) return fault
    }
    return undefined
  }
  if (Object.hasOwn(value, '__proto__')) Reflect.deleteProperty(value, '__proto__')
  for (const [key, member] of Object.entries(value)) {
    const fault = textFault(key) ?? faultIn(member)
    if (fault) return fault
  }
  return undefined
}

function textFault(text: string): string | undefined {
  if (text.includes('\0')) return 'this value contains a NUL character in a string'
  if (!text.isWellFormed()) return 'this value contains a lone surrogate in a string'
  return undefined
}
