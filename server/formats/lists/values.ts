import { normaliseObservable } from '../../domain/observables/normalise.ts'
import type { ObservableType } from '../../domain/observables/types.ts'
import { bare, readValue, type Value } from './cell.ts'
import { typesOfWord } from './type-words.ts'

const MAX_VALUES = 1_000
const MAX_CELL_LENGTH = 128 * 1024

/** Returns the observables in a cell: the whole cell, or several separated by commas, semicolons, bars or spaces. */
export function valuesOf(cell: string): readonly Value[] {
  const labelled = labelledValue(cell)
  if (labelled) return [labelled]
  const whole = readValue(cell)
  if (whole) return [whole]
  return severalIn(cell)
}

/** Returns all parts of a cell if each of them is an observable; otherwise the cell is text. */
function severalIn(cell: string): readonly Value[] {
  if (cell.length > MAX_CELL_LENGTH || !/[\s,;|]/.test(cell.trim())) return []
  const parts = cell.split(/[\s,;|]+/, MAX_VALUES + 1).filter((part) => part !== '')
  if (parts.length < 2 || parts.length > MAX_VALUES) return []
  const values: Value[] = []
  for (const part of parts) {
    const value = labelledValue(part) ?? readValue(part)
    if (!value || value.isFileOrHost || value.type === 'file') return []
    values.push(value)
  }
  return values
}

/** Reads a value that is preceded by its type, as in `SHA256: 5f…` and `imphash=0c…`. */
function labelledValue(cell: string): Value | undefined {
  const [head = '', label = ''] =
    /^\s{0,8}([A-Za-z][A-Za-z\d _-]{1,24}?)\s{0,3}(?:[:=]|->)(?!\/\/)\s{0,3}(?=\S)/.exec(cell) ?? []
  const types = head === '' ? undefined : typesOfWord(label)
  if (!types || types.length === 0) return undefined
  return typedValue(types, cell.slice(head.length))
}

/** Returns the observable in a cell whose possible types are known. Its appearance takes precedence over a generic type. */
export function typedValue(types: readonly ObservableType[], cell: string): Value | undefined {
  const text = bare(cell)
  const looks = readValue(text)
  const [only] = types
  if (looks && (types.length === 0 || types.includes(looks.type))) return looks
  if (looks && !looks.isFileOrHost && looks.type !== 'domain' && looks.type !== 'file') {
    // A digest may have another type of the same length: an imphash, a JA3, a certificate fingerprint.
    const isOtherDigest = only !== undefined && types.length === 1 && HEXADECIMAL.test(looks.value)
    return (isOtherDigest ? as(only, text) : undefined) ?? looks
  }
  for (const type of types) {
    const found = ANY_WORD.has(type) && types.length > 1 ? undefined : as(type, text)
    if (found) return found
  }
  return looks
}

const HEXADECIMAL = /^[\da-f]{32,128}$/
const ANY_WORD: ReadonlySet<ObservableType> = new Set<ObservableType>(['hash-vhash'])

function as(type: ObservableType, text: string): Value | undefined {
  const read = normaliseObservable(type, text)
  return 'value' in read ? { type, value: read.value } : undefined
}
