import { isRecord } from '../../../../domain/record.ts'
import type { TableHit } from '../../function.ts'

const MAX_TEXT_LENGTH = 500

/** The first of several places of a row that has a text or a number; `.` separates the members of nested ones. */
export function textIn(row: TableHit['row'], ...paths: readonly string[]): string | undefined {
  for (const path of paths) {
    const value = Object.hasOwn(row, path) ? row[path] : valueAt(row, path.split('.'))
    const text = typeof value === 'string' || typeof value === 'number' ? String(value).trim() : ''
    if (text !== '') return text.slice(0, MAX_TEXT_LENGTH)
  }
  return undefined
}

export function numberIn(row: TableHit['row'], ...paths: readonly string[]): number | undefined {
  const text = textIn(row, ...paths)
  const number = text === undefined ? Number.NaN : Number(text)
  return Number.isFinite(number) ? number : undefined
}

const valueAt = (value: unknown, [name, ...rest]: readonly string[]): unknown =>
  name === undefined ? value : isRecord(value) && Object.hasOwn(value, name) ? valueAt(value[name], rest) : undefined
