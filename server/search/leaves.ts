import { isoDay } from './days.ts'
import { isIdentifier } from './identifiers.ts'
import { keywordValue, TEXT_CODES } from './lexemes.ts'
import { sortableNumber } from './numbers.ts'
import { type Path, type PathSpelling, rootPath } from './path-spelling.ts'
import { addLexeme, addPlainKeyword } from './vector.ts'

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

// One vector is built at a time.
let document = 0
let paths = 0
let leaves = 0

/** Adds the lexemes of all values in data but the texts: the first 20,000 values at the first 200 paths, at most 100 levels deep. */
export function addLeaves(data: Record<string, unknown>): void {
  document++
  paths = 0
  leaves = 0
  const root = rootPath()
  for (const key in data) {
    if (!LEFT_OUT.has(key) && key.length <= PATH_LENGTH) addValue(data[key], root.below(key), 1)
  }
}

function addValue(value: unknown, path: Path, depth: number): void {
  if (depth > DEPTH) return
  if (Array.isArray(value)) {
    for (const item of value) addValue(item, path, depth + 1)
  } else if (isRecord(value)) {
    for (const key in value) {
      if (path.name.length + 1 + key.length <= PATH_LENGTH) addValue(value[key], path.below(key), depth + 1)
    }
  } else if (isLeaf(value) && !(typeof value === 'string' && TEXT_PATHS.has(path.name))) {
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

function addLeaf(value: string | number | boolean, path: Path): void {
  if (leaves === LEAVES) return
  leaves++
  const isNew = path.met !== document
  if (isNew && paths === PATHS) return
  if (isNew) {
    path.met = document
    paths++
    addLexeme('', path.spelling.exists)
  }
  addLeafLexeme(value, path.spelling)
}

function addLeafLexeme(value: string | number | boolean, { keyword, number, day }: PathSpelling): void {
  if (typeof value === 'number') {
    addLexeme(sortableNumber(value), number)
  } else if (typeof value === 'boolean') {
    addLexeme(`${value}`, keyword)
  } else if (!isIdentifier(value)) {
    const date = isoDay(value)
    if (date !== undefined) addLexeme(date, day)
    else if (!addPlainKeyword(value, keyword)) addLexeme(keywordValue(value), keyword)
  }
}
