import { isRecord } from '../domain/record.ts'
import { isoDay } from './days.ts'
import { isIdentifier } from './identifiers.ts'
import { dayLexeme, existsLexeme, keywordLexeme, numberLexeme, TEXT_CODES } from './lexemes.ts'

const MAX_DEPTH = 100
const MAX_PATHS = 200
const MAX_LEAVES = 20_000

// At three bytes per character, a lexeme still has room for the value.
const MAX_PATH_LENGTH = 500

/** Properties of data that can be megabytes, and are searched through their links under other names. */
export const LINKED: ReadonlySet<string> = new Set(['extracts', 'attachments'])

// The id and type have columns.
const LEFT_OUT = new Set([...LINKED, 'id', 'type'])

const TEXT_PATHS = new Set(Object.keys(TEXT_CODES).flatMap((path) => [path, `${path}.value`]))

type Leaf = string | number | boolean

/** The lexemes of all values in data except texts: of the first 20,000 values at the first 200 paths, at most 100 levels deep. */
export function leafLexemes(data: Record<string, unknown>): string[] {
  const lexemes: string[] = []
  const paths = new Set<string>()
  let leaves = 0
  const addLeaf = (leaf: Leaf, path: string): void => {
    if (leaves === MAX_LEAVES) return
    leaves++
    if (!paths.has(path)) {
      if (paths.size === MAX_PATHS) return
      paths.add(path)
      lexemes.push(existsLexeme(path))
    }
    const lexeme = leafLexeme(leaf, path)
    if (lexeme !== undefined) lexemes.push(lexeme)
  }
  const addValue = (value: unknown, path: string, depth: number): void => {
    if (depth > MAX_DEPTH) return
    if (Array.isArray(value)) {
      for (const item of value) addValue(item, path, depth + 1)
    } else if (isRecord(value)) {
      for (const key in value) {
        if (path.length + 1 + key.length <= MAX_PATH_LENGTH) addValue(value[key], `${path}.${key}`, depth + 1)
      }
    } else if (isLeaf(value) && !(typeof value === 'string' && TEXT_PATHS.has(path))) {
      addLeaf(value, path)
    }
  }
  for (const key in data) if (!LEFT_OUT.has(key) && key.length <= MAX_PATH_LENGTH) addValue(data[key], key, 1)
  return lexemes
}

function isLeaf(value: unknown): value is Leaf {
  if (typeof value === 'string') return value !== ''
  return typeof value === 'boolean' || Number.isFinite(value)
}

/** The lexeme of a value. Identifiers have none, only that of their path. */
function leafLexeme(value: Leaf, path: string): string | undefined {
  if (typeof value === 'number') return numberLexeme(path, value)
  if (typeof value === 'boolean') return keywordLexeme(path, `${value}`)
  if (isIdentifier(value)) return undefined
  const day = isoDay(value)
  return day === undefined ? keywordLexeme(path, value) : dayLexeme(path, day)
}
