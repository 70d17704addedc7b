import type { ListFile } from './list-file.ts'
import { invented, type Listed } from './values.ts'

/** Invented values for the list of this name. */
export const of = (name: string) => invented(`published ${name}`)

/** A timestamp that differs from row to row. */
export const day = (i: number): string => `2024-0${1 + (i % 9)}-1${i % 9} 0${i % 9}:15:0${i % 9}`

/** A row of quoted cells. */
export const quoted = (...cells: readonly (string | Listed)[]): string =>
  cells.map((cell) => `"${(typeof cell === 'string' ? cell : cell.value).replaceAll('"', '""')}"`).join(',')

/** The same with a space after each comma. */
export const spaced = (...cells: readonly (string | Listed)[]): string =>
  cells.map((cell) => `"${typeof cell === 'string' ? cell : cell.value}"`).join(', ')

/** One of some items, in turn. */
export const pick = <T>(i: number, items: readonly T[]): T => items[i % items.length] as T

/** A file of lines, and the indicators in it. */
export const file = (
  name: string,
  text: readonly string[],
  indicators: readonly Listed[],
  encoding?: string,
): ListFile => ({
  name,
  text: `${text.join('\n')}\n`,
  indicators,
  ...(encoding !== undefined && { encoding }),
})
