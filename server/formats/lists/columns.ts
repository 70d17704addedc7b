import type { ObservableType } from '../../domain/observables/types.ts'
import { tlpOfLabel } from '../tlp-label.ts'
import type { Value } from './cell.ts'
import { digestNamed, isValueName, meaningOf } from './column-names.ts'
import { isMoment } from './moments.ts'
import { referencesAmong } from './references-among.ts'
import { typesOfWord } from './type-words.ts'
import { valuesOf } from './values.ts'

/** What the cells of a column become. */
export type Role =
  | { readonly kind: 'observables'; readonly types: readonly ObservableType[] }
  /** The types of the observables in other columns of the row. */
  | { readonly kind: 'type' }
  | {
      readonly kind: 'time'
      readonly name: 'estimated_threat_start_time' | 'estimated_observed_time' | 'estimated_threat_end_time'
    }
  /** A text may name indicators. A property, such as a version, only looks like one. */
  | { readonly kind: 'tags' | 'confidence' | 'tlp' | 'reference' | 'text' | 'property' }
  /** Row numbers, or only null addresses: contains no information. */
  | { readonly kind: 'row number' | 'null address' }

/** A column of a list. */
export interface Column {
  /** Empty if the list has no header. */
  readonly name: string
  readonly role: Role
}

/** How the rows of a list are read. */
export interface Layout {
  readonly columns: readonly Column[]
  readonly hasHeader: boolean
}

/** Counts of the kinds of cells in a column. */
interface Tally {
  readonly filled: number
  readonly observables: number
  readonly types: ReadonlyMap<ObservableType, number>
  readonly ambiguous: number
  readonly moments: number
  readonly typeWords: number
  readonly colours: number
  readonly distinct: ReadonlySet<string>
  readonly isCounter: boolean
}

/** A column has a kind if more than this share of its cells has it. */
const MAJORITY = 0.5

/**
 * Determines the columns of a list by their cells, and by their names where the cells are ambiguous. Returns undefined if no column
 * contains observables.
 */
export function layoutOf(
  rows: readonly (readonly string[])[],
  names: readonly string[] | undefined,
): Layout | undefined {
  const width = Math.max(...rows.map((row) => row.length), 0)
  const [first = []] = rows
  const columnIndexes = Array.from({ length: width }, (_, i) => i)
  const all = columnIndexes.map((i) => tallyOf(rows.map((row) => row[i] ?? '')))
  const isHeader = names === undefined && rows.length > 0 && isHeaderRow(first, rows, columnIndexes)
  const header = names ?? (isHeader ? first : [])
  const tallies =
    isHeader && rows.length > 1 ? columnIndexes.map((i) => tallyOf(rows.slice(1).map((row) => row[i] ?? ''))) : all
  const roles = columnIndexes.map((i) => roleOf(tallies[i], header[i] ?? ''))
  const listed = columnIndexes.filter((i) => roles[i]?.kind === 'observables')
  const references = referencesAmong(listed, isHeader ? rows.slice(1) : rows, header)
  const settledRoles = roles.map((role, i): Role => (references.has(i) ? { kind: 'reference' } : role))
  const columns = settled(settledRoles, tallies, header)
  if (!columns.some(({ role }) => role.kind === 'observables')) return undefined
  return { columns, hasHeader: isHeader }
}

function tallyOf(cells: readonly string[]): Tally {
  const filled = cells.filter((cell) => !isBlank(cell))
  const values = filled.map((cell) => valuesOf(cell))
  const types = new Map<ObservableType, number>()
  for (const { type } of values.flat()) types.set(type, (types.get(type) ?? 0) + 1)
  const count = (is: (cell: string, i: number) => boolean) => filled.filter(is).length
  return {
    filled: filled.length,
    observables: count((cell, i) => (values[i]?.length ?? 0) > 0 && !isMoment(cell)),
    types,
    ambiguous: values.flat().filter(({ isFileOrHost }: Value) => isFileOrHost).length,
    moments: count(isMoment),
    typeWords: count((cell) => typesOfWord(cell) !== undefined),
    colours: count((cell) => tlpOfLabel(cell) !== undefined),
    distinct: new Set(filled.map((cell) => cell.toLowerCase())),
    isCounter:
      filled.length > 2 && filled.every((cell, i) => /^\d{1,9}$/.test(cell) && Number(cell) === Number(filled[0]) + i),
  }
}

/** Whether a cell is empty or a placeholder. */
export const isBlank = (cell: string): boolean =>
  cell.length < 100 && /^(?:[-\u2013?.]{0,3}|n\/?a|none|null|nil|nan)$/i.test(cell.trim())

/** Whether a cell is an address that belongs to no remote machine. */
export const isNullAddress = (cell: string): boolean => /^(?:0\.0\.0\.0|127\.0\.0\.1|::1?)$/.test(cell.trim())

/** The first row is a header if its cells differ from those below: no observable, no time, no number. */
function isHeaderRow(
  first: readonly string[],
  rows: readonly (readonly string[])[],
  columnIndexes: readonly number[],
): boolean {
  const filled = first.filter((cell) => cell.trim() !== '')
  if (filled.length === 0) return false
  const isValue = (cell: string) =>
    !isStixPath(cell) && (valuesOf(cell).length > 0 || isMoment(cell) || /^[\d.,%]+$/.test(cell.trim()))
  if (filled.some(isValue)) return false
  if (rows.length === 1) return true
  // Words above values are names. Above other words, they may be an ordinary row.
  const rest = rows.slice(1)
  const typed = columnIndexes.filter((i) => tallyOf(rest.map((row) => row[i] ?? '')).observables > 0)
  return typed.some((i) => (first[i] ?? '').trim() !== '') || filled.every((cell) => meaningOf(cell) !== undefined)
}

function roleOf(tally: Tally | undefined, name: string): Role {
  if (!tally || tally.filled === 0) return { kind: 'text' }
  if (tally.isCounter) return { kind: 'row number' }
  const meaning = meaningOf(name)
  const isMost = (count: number) => count > tally.filled * MAJORITY
  if (tally.filled > 1 && isMost(tally.colours) && meaning === 'tlp') return { kind: 'tlp' }
  if (isMost(tally.moments)) return timeRole(meaning)
  if (isMost(tally.observables)) return observablesRole(tally, name)
  if (isMost(tally.typeWords) && tally.distinct.size <= Math.max(3, tally.filled / 2)) return { kind: 'type' }
  // Most cells may be patterns and other texts that contain the value.
  if (isValueName(name)) return { kind: 'observables', types: [] }
  if (meaning === 'tags' || meaning === 'confidence' || meaning === 'tlp') return { kind: meaning }
  return { kind: meaning === 'no indicator' ? 'property' : 'text' }
}

const timeRole = (meaning: ReturnType<typeof meaningOf>): Role => {
  if (meaning === 'last seen') return { kind: 'time', name: 'estimated_observed_time' }
  if (meaning === 'valid until') return { kind: 'time', name: 'estimated_threat_end_time' }
  return meaning === 'first seen' ? { kind: 'time', name: 'estimated_threat_start_time' } : { kind: 'text' }
}

function observablesRole({ types, ambiguous, observables, distinct }: Tally, name: string): Role {
  const meaning = meaningOf(name)
  const isUri = (types.get('uri') ?? 0) >= observables * MAJORITY
  if (meaning === 'reference' && isUri) return { kind: 'reference' }
  if (meaning === 'contact') return { kind: 'property' }
  if (meaning === 'no indicator' && !isUri && !types.has('domain')) return { kind: 'property' }
  if ([...distinct].every(isNullAddress)) return { kind: 'null address' }
  const digest = digestNamed(name)
  if (digest) return { kind: 'observables', types: [digest] }
  const [files, domains] = [types.get('file') ?? 0, (types.get('domain') ?? 0) - ambiguous]
  const named = typesOfWord(name)
  const isOfFiles = named?.includes('file') || (files > 0 && files > domains)
  return { kind: 'observables', types: isOfFiles && !named?.includes('domain') ? ['file'] : [] }
}

/** Resolves roles that depend on other columns: types need values, and links are references only if another column lists values. */
function settled(roles: readonly Role[], tallies: readonly Tally[], header: readonly string[]): Column[] {
  const hasValues = roles.some(({ kind }) => kind === 'observables')
  return roles.map((role, i): Column => {
    const name = (header[i] ?? '').trim()
    const tally = tallies[i]
    if (role.kind === 'reference' && !hasValues) return { name, role: { kind: 'observables', types: [] } }
    if (role.kind === 'type' && !hasValues && (tally?.filled ?? 0) > 0) return { name, role: { kind: 'text' } }
    return { name, role }
  })
}

/** Whether a cell is a STIX property path, which some platforms use as a column name: `file:hashes.MD5`. */
const isStixPath = (cell: string): boolean =>
  /^[a-z][a-z\d-]{1,60}:(?:\w{1,60}\.){0,5}(?:value|name|key|path|number|account_login|user_id|hashes\.['"\w-]{1,20})$/i.test(
    cell.trim(),
  )
