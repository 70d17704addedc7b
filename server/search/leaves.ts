import { isoDay } from './days.ts'
import { isIdentifier } from './identifiers.ts'
import { keywordValue, TEXT_CODES } from './lexemes.ts'
import { sortableNumber } from './numbers.ts'
import { type PathSpelling, spellPath } from './path-spelling.ts'
import { addLexeme } from './vector.ts'

const DEPTH = 100
const PATHS = 200
const LEAVES = 20_000

// Three bytes a character, and there is still room for the value in a lexeme.
const PATH_LENGTH = 500

/** What stands in data but is searched as links, under names of its own: it may be megabytes. */
export const LINKED: ReadonlySet<string> = new Set(['extracts', 'attachments'])

// Beside what is linked, columns of their own.
const LEFT_OUT = new Set([...LINKED, 'id', 'type'])

const TEXT_PATHS = new Set(Object.keys(TEXT_CODES).flatMap((path) => [path, `${path}.value`]))

interface Walk {
  readonly paths: Set<string>
  leaves: number
}

// One vector is built at a time.
const walk: Walk = { paths: new Set(), leaves: 0 }

/** Adds the lexemes of all values in data but the texts: the first 20,000 values at the first 200 paths, at most 100 levels deep. */
export function addLeaves(data: Record<string, unknown>): void {
  walk.paths.clear()
  walk.leaves = 0
  for (const key of Object.keys(data)) {
    if (!LEFT_OUT.has(key)) addValue(data[key], key, 1)
  }
}

function addValue(value: unknown, path: string, depth: number): void {
  if (path.length > PATH_LENGTH || depth > DEPTH) return
  if (Array.isArray(value)) {
    for (const item of value) addValue(item, path, depth + 1)
  } else if (isRecord(value)) {
    for (const key of Object.keys(value)) addValue(value[key], `${path}.${key}`, depth + 1)
  } else if (isLeaf(value) && !(typeof value === 'string' && TEXT_PATHS.has(path))) {
    addLeaf(value, path)
  }
}

/** Whether a value has properties by name. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isLeaf(value: unknown): value is string | number | boolean {
  if (typeof value === 'string') return value !== ''
  return typeof value === 'boolean' || Number.isFinite(value)
}

function addLeaf(value: string | number | boolean, path: string): void {
  if (walk.leaves === LEAVES) return
  walk.leaves++
  const isNew = !walk.paths.has(path)
  if (isNew && walk.paths.size === PATHS) return
  const spelling = spellPath(path)
  if (isNew) {
    walk.paths.add(path)
    addLexeme('', spelling.exists)
  }
  addLeafLexeme(value, spelling)
}

function addLeafLexeme(value: string | number | boolean, { keyword, number, day }: PathSpelling): void {
  if (typeof value === 'number') {
    addLexeme(sortableNumber(value), number)
  } else if (typeof value === 'boolean') {
    addLexeme(`${value}`, keyword)
  } else if (!isIdentifier(value)) {
    const date = isoDay(value)
    if (date === undefined) addLexeme(keywordValue(value), keyword)
    else addLexeme(date, day)
  }
}
