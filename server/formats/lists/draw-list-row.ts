import type { ObservableType } from '../../domain/observables/types.ts'
import { makeValue } from '../csv/values.ts'
import type { FoundObservable } from '../finding.ts'
import { extractObservables } from '../text/extract-observables.ts'
import { tlpOfLabel } from '../tlp-label.ts'
import type { Value } from './cell.ts'
import { type Column, isBlank, isNullAddress, type Layout, type Role } from './columns.ts'
import { momentOf } from './moments.ts'
import { isDescribing, typesOfWord } from './type-words.ts'
import { typedValue, valuesOf } from './values.ts'

/** The contents of a row of a list. */
export interface ListDraft {
  readonly data: Record<string, unknown>
  readonly meta: Record<string, unknown>
  readonly observables: FoundObservable[]
  readonly losses: string[]
}

/** What the type cells of a row state about its values. */
interface RowTypes {
  readonly types: readonly ObservableType[]
  readonly isDescribing: boolean
}

interface Drawing extends ListDraft {
  readonly lines: string[]
  readonly tags: Set<string>
  readonly references: { readonly source_name: string; readonly url: string }[]
}

/** Types that are reliable even inside a text. A domain or URL there may be a citation. */
const CERTAIN: ReadonlySet<string> = new Set(
  'hash-md5 hash-sha1 hash-sha256 hash-sha384 hash-sha512 hash-imphash hash-ssdeep ipv4 ipv6 ipv4-cidr ipv6-cidr cve'.split(
    ' ',
  ),
)
const DEFANGED = /\[\s?(?:\.|dot|:)|\(\s?(?:\.|dot)\s?\)|h[x*]{2}ps?:|\{\.\}/i

const MAX_CELL_LENGTH = 64 * 1024

/**
 * Reads the cells of a row. Cells without an observable are kept as its description. Returns undefined for a row without any observable.
 */
export function drawListRow({ columns }: Layout, cells: readonly string[]): ListDraft | undefined {
  const rowTypes = rowTypesOf(columns, cells)
  if (rowTypes.isDescribing) return undefined
  const drawing: Drawing = {
    data: {},
    meta: {},
    observables: [],
    losses: [],
    lines: [],
    tags: new Set(),
    references: [],
  }
  for (const [i, cell] of cells.entries()) {
    const column = columns[Math.min(i, columns.length - 1)]
    if (column && !isBlank(cell)) put(drawing, column, rowTypes, cell)
  }
  if (drawing.observables.length === 0) return undefined
  const { data, meta, observables, losses, lines, tags, references } = drawing
  if (lines.length > 0) data.description = lines.join('\n')
  if (references.length > 0) data.external_references = references
  if (tags.size > 0) meta.tags = [...tags]
  return { data, meta, observables, losses }
}

/** Whether a row describes the list and contains no indicator. */
export const describesList = ({ columns }: Layout, cells: readonly string[]): boolean =>
  rowTypesOf(columns, cells).isDescribing

function rowTypesOf(columns: readonly Column[], cells: readonly string[]): RowTypes {
  const place = columns.findIndex(({ role }) => role.kind === 'type')
  const word = place < 0 ? '' : (cells[place] ?? '')
  return { types: typesOfWord(word) ?? [], isDescribing: word !== '' && isDescribing(word) }
}

function put(drawing: Drawing, column: Column, rowTypes: RowTypes, cell: string): void {
  const { role, name } = column
  if (role.kind === 'row number' || role.kind === 'null address') {
    // Later rows may contain something else in this column.
    const isEmpty = role.kind === 'row number' ? /^\d{1,9}$/.test(cell.trim()) : isNullAddress(cell)
    if (!isEmpty) keepText(drawing, name, cell)
    return
  }
  if (role.kind === 'type') {
    // A word that is not a type carries other information.
    if (typesOfWord(cell) === undefined) keep(drawing, name, cell)
    return
  }
  if (role.kind === 'observables') putObservables(drawing, column, role, rowTypes, cell)
  else if (!putMeaning(drawing, role, name, cell)) {
    if (role.kind === 'text') keepText(drawing, name, cell)
    else keep(drawing, name, cell)
  }
}

function putObservables(
  drawing: Drawing,
  { name }: Column,
  role: Extract<Role, { kind: 'observables' }>,
  rowTypes: RowTypes,
  cell: string,
): void {
  const looks = valuesOf(cell)
  const types = role.types.length > 0 ? role.types : rowTypes.types
  const isGuess = role.types.includes('file') && !looksLikeFile(cell)
  const typed = looks.length > 1 || types.length === 0 || isGuess ? undefined : typedValue(types, cell)
  const values = typed ? [typed] : looks
  drawing.observables.push(...observablesOf(values))
  if (values.some(({ hasMore }) => hasMore)) keep(drawing, name, cell)
  if (values.length > 0) return
  keep(drawing, name, cell)
  drawing.observables.push(...extracted(cell))
}

/** Sets a property of the whole row; false if the cell does not contain one. */
function putMeaning(drawing: Drawing, role: Role, name: string, cell: string): boolean {
  if (role.kind === 'time') {
    const moment = momentOf(cell)
    if (moment === undefined || drawing.meta[role.name] !== undefined) return false
    drawing.meta[role.name] = moment
    return true
  }
  if (role.kind === 'tags') {
    for (const tag of cell.split(/[,;|]/)) if (tag.trim() !== '') drawing.tags.add(tag.trim().slice(0, 200))
    return true
  }
  if (role.kind === 'reference') {
    const parts = cell.split(/[\s,;|]+/).filter((part) => part !== '')
    if (!parts.every((part) => /^https?:\/\/\S+$/i.test(part))) return false
    for (const url of parts) drawing.references.push({ source_name: name || 'reference', url })
    return true
  }
  if (role.kind === 'tlp') {
    const colour = tlpOfLabel(cell)
    if (colour) drawing.meta.tlp_color = colour
    return colour !== undefined
  }
  if (role.kind !== 'confidence') return false
  const made = makeValue('confidence', cell)
  if ('value' in made) drawing.data.confidence = made.value
  // A number carries more information than the word it is converted to.
  return 'value' in made && !/\d/.test(cell)
}

/** Whether a cell in a file column looks like a file name. Some lists have the name of a certificate or a remark there. */
const looksLikeFile = (cell: string): boolean => /[\\/]|\.[A-Za-z\d]{1,10}$/.test(cell.trim().slice(-260))

const PLAIN_NAMES = /^(?:description|desc|notes?|comments?|remarks?)$/i

function keep({ lines }: Drawing, name: string, cell: string): void {
  const text = cell.slice(0, MAX_CELL_LENGTH).trim()
  lines.push(name === '' || PLAIN_NAMES.test(name.trim()) ? text : `${name.trim()}: ${text}`)
}

/** Keeps a text, and the observables in it that are reliable. */
function keepText(drawing: Drawing, name: string, cell: string): void {
  keep(drawing, name, cell)
  drawing.observables.push(...certainIn(cell))
}

/** Returns the observables of values. A URL with an IP address as its host gives both. */
export const observablesOf = (values: readonly Value[]): FoundObservable[] =>
  values.flatMap(({ type, value }): FoundObservable[] => {
    const [, host] =
      type === 'uri'
        ? (/^[a-z+.-]{2,32}:\/\/(?:[^/@?#]{1,200}@)?(\d{1,3}(?:\.\d{1,3}){3})(?![\w.])/i.exec(value) ?? [])
        : []
    return host === undefined
      ? [{ type, value }]
      : [
          { type, value },
          { type: 'ipv4', value: host },
        ]
  })

/** Returns all observables in a cell that is not a single value. */
const extracted = (cell: string): FoundObservable[] =>
  extractObservables(cell.slice(0, MAX_CELL_LENGTH)).map(({ type, value }) => ({ type, value }))

/** Returns the reliable observables in a remark: digests, addresses, and everything that is defanged. */
function certainIn(cell: string): FoundObservable[] {
  if (!/[\da-f]{8}|\d\.\d|[[({]|hxxp|CVE/i.test(cell)) return []
  const all = extracted(cell)
  return DEFANGED.test(cell) ? all : all.filter(({ type }) => CERTAIN.has(type))
}
