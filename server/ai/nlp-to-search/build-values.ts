import { refang } from '../../domain/observables/refang.ts'
import type { Query } from '../../search/query/ast.ts'
import type { Condition, Operator } from './answer.ts'
import { nodesMeant, queriesFor } from './attack-values.ts'
import type { Known } from './known-values.ts'
import { beginning, beginningWords, containing, open, range, readNumber, term } from './leaf-queries.ts'
import type { SearchableField } from './searchable-fields.ts'
import { joined, leaf, type Written } from './write-query.ts'

/** A query, with what it looks for in words. */
export interface Built {
  readonly written: Written
  readonly words: string
}

/** Why a condition, or one of its values, is not in the query. */
export class Unusable extends Error {}

/** The same in all fields where the query searches. */
export const inPaths = ({ paths }: SearchableField, make: (path: string | null) => Written): Written =>
  joined('any', paths.map(make))

export const labelOf = ({ name }: SearchableField): string =>
  name.replace(/^(?:data|meta|extracts)\./, '').replaceAll('_', ' ')

export const isNumeric = ({ kind }: SearchableField): boolean => kind === 'number' || kind === 'any'

export const fromChoices = (field: SearchableField, values: readonly string[]): Built => ({
  written: inPaths(field, (path) =>
    joined(
      'any',
      values.map((value) => leaf(term(path, value))),
    ),
  ),
  words: `${labelOf(field)} is ${values.join(' or ')}`,
})

export function readChoice({ choices }: SearchableField, word: string): string {
  const value = choices?.read(word)
  if (value === undefined) {
    const { values = [] } = choices ?? {}
    const few = values.length > 0 && values.length <= 10 ? ` Available are ${values.join(', ')}.` : ''
    throw new Unusable(`There is no such value.${few}`)
  }
  return value
}

const VERBS: Partial<Record<Operator, string>> = {
  is: 'is',
  contains: 'contains',
  starts_with: 'starts with',
  at_least: 'is at least',
  at_most: 'is at most',
  more_than: 'is more than',
  less_than: 'is less than',
  before: 'is less than',
  after: 'is more than',
}

/** Any of the values. Each that is wrong is reported, and the others remain. */
export function withValues(
  field: SearchableField,
  { operator, values }: Condition,
  known: Known,
  dropValue: (value: string, error: unknown) => undefined,
): Built | undefined {
  if (values.length === 0) throw new Unusable('The value is missing.')
  const parts = [...new Set(values)].flatMap((value) => {
    try {
      if (value === '') throw new Unusable('The value is empty.')
      return [forValue(field, operator, value, known)]
    } catch (error) {
      return dropValue(value, error) ?? []
    }
  })
  if (parts.length === 0) return undefined
  const words = [...new Set(parts.map((part) => part.words))].join(' or ')
  return {
    written: joined(
      'any',
      parts.map(({ written }) => written),
    ),
    words: `${field.paths[0] === null ? 'any text' : labelOf(field)} ${VERBS[operator] ?? 'is'} ${words}`,
  }
}

function forValue(field: SearchableField, operator: Operator, value: string, known: Known): Built {
  if (field.choices) {
    const { words, written } = fromChoices(field, chosen(field, operator, value))
    return { written, words: words.slice(`${labelOf(field)} is `.length) }
  }
  if (field.known === 'attacks') return forAttack(value, known)
  if (field.known) return forKnown(field, field.known, operator, value, known)
  if (['at_least', 'at_most', 'more_than', 'less_than', 'before', 'after'].includes(operator))
    return compared(field, operator, value)
  if (field.kind === 'number')
    return { written: inPaths(field, (path) => leaf(term(path, numberIn(value)))), words: value }
  return { written: inPaths(field, (path) => forText(field, path, operator, value)), words: `“${value}”` }
}

/** The values at least, or at most, as strong as one. */
function chosen(field: SearchableField, operator: Operator, word: string): readonly string[] {
  const value = readChoice(field, word)
  const { values = [], isOrdered } = field.choices ?? {}
  const at = values.indexOf(value)
  if (!isOrdered || !COMPARED.has(operator)) {
    if (COMPARED.has(operator)) throw new Unusable('The values of this field have no order.')
    return [value]
  }
  const found =
    operator === 'at_least'
      ? values.slice(at)
      : operator === 'at_most'
        ? values.slice(0, at + 1)
        : operator === 'more_than' || operator === 'after'
          ? values.slice(at + 1)
          : values.slice(0, at)
  if (found.length === 0) throw new Unusable('There is no such value.')
  return found
}

const COMPARED = new Set<Operator>(['at_least', 'at_most', 'more_than', 'less_than', 'before', 'after'])

function numberIn(value: string): string {
  const number = readNumber(value)
  if (number === undefined) throw new Unusable('A number is expected.')
  return number
}

function compared(field: SearchableField, operator: Operator, value: string): Built {
  if (!isNumeric(field)) throw new Unusable('This field holds no numbers.')
  const number = numberIn(value)
  const bounds =
    operator === 'at_least'
      ? open(number, null)
      : operator === 'at_most'
        ? open(null, number)
        : operator === 'more_than' || operator === 'after'
          ? open(number, null, { includesFrom: false })
          : open(null, number, { includesTo: false })
  return { written: inPaths(field, (path) => leaf(range(path, bounds))), words: number }
}

function forText({ kind, name }: SearchableField, path: string | null, operator: Operator, value: string): Written {
  if (kind === 'text') {
    if (operator !== 'starts_with') return leaf(term(path, value))
    return joined('all', beginningWords(path, value).map(leaf))
  }
  // Values of observables are stored as they really are.
  const text = name === 'extracts.value' || name === 'value' ? refang(value) : value
  if (operator === 'contains') return leaf(containing(path, text))
  return leaf(operator === 'starts_with' ? beginning(path, text) : term(path, text))
}

function forAttack(value: string, { nodes }: Known): Built {
  const found = nodes ? nodesMeant(nodes, value) : []
  if (found.length === 0) throw new Unusable('No tactic or technique that is loaded has this id or name.')
  const queries: Query[] = found.flatMap(queriesFor)
  const words = [...new Set(found.map(({ external_id, name }) => `${external_id} ${name}`))].join(', ')
  return { written: joined('any', queries.map(leaf)), words }
}

const NONE_KNOWN = {
  tags: 'No entity that you see has this tag.',
  sources: 'No entity that you see is from a source with this name.',
  taxonomies: 'There is no term of this name or path.',
}

function forKnown(
  field: SearchableField,
  kind: keyof typeof NONE_KNOWN,
  operator: Operator,
  value: string,
  known: Known,
): Built {
  if (COMPARED.has(operator)) throw new Unusable('The values of this field have no order.')
  if (operator !== 'is' && kind !== 'taxonomies')
    return { written: inPaths(field, (path) => forText(field, path, operator, value)), words: `“${value}”` }
  const found = known.of(kind, value)
  if (found.length === 0) throw new Unusable(NONE_KNOWN[kind])
  const isTree = kind === 'taxonomies'
  const written = inPaths(field, (path) =>
    joined(
      'any',
      found.flatMap((each) => [leaf(term(path, each)), ...(isTree ? [leaf(beginning(path, `${each}/`))] : [])]),
    ),
  )
  return { written, words: found.join(' or ') }
}
