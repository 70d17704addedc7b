import type { Condition, Operator } from './answer.ts'
import { type Asked, rangeOf, readSpan, type Side, type Span } from './asked-times.ts'
import {
  type Built,
  fromChoices,
  inPaths,
  isNumeric,
  labelOf,
  readChoice,
  Unusable,
  withValues,
} from './build-values.ts'
import type { Known } from './known-values.ts'
import { open, range, readNumber } from './leaf-queries.ts'
import type { SearchableField, SearchableFields } from './searchable-fields.ts'
import { leaf, not } from './write-query.ts'

/** What a query is built with. */
export interface Ground {
  readonly fields: SearchableFields
  readonly known: Known
  readonly asked: Asked
}

/** The field of a condition, or the one that its values belong to. */
export function fieldOf({ field: name, operator, values }: Condition, fields: SearchableFields): SearchableField {
  const field = fields.get(name)
  if (!field) throw new Unusable('There is no such field.')
  const { choices, otherwise } = field
  const isOther = operator !== 'exists' && values.length > 0 && !values.some((value) => choices?.read(value))
  return otherwise && isOther && values.some((value) => otherwise.choices?.read(value)) ? otherwise : field
}

/** How many patterns a condition makes. */
export const patternsIn = ({ paths, choices, known }: SearchableField, { operator, values }: Condition): number =>
  !choices && known !== 'attacks' && known !== 'taxonomies' && (operator === 'contains' || operator === 'starts_with')
    ? paths.length * values.length
    : 0

/** The query for a condition. Values that are wrong are reported to `dropValue`; throws `Unusable` if the whole condition is. */
export function buildCondition(
  field: SearchableField,
  condition: Condition,
  ground: Ground,
  dropValue: (value: string, error: unknown) => undefined,
): Built | undefined {
  const { operator, isNot } = condition
  const built =
    operator === 'exists'
      ? exists(field)
      : isTimed(field, condition)
        ? inTime(field, condition, ground.asked)
        : operator === 'between'
          ? between(field, condition)
          : withValues(field, condition, ground.known, dropValue)
  if (!built) return undefined
  return isNot ? { written: not(built.written), words: `not ${built.words}` } : built
}

function exists(field: SearchableField): Built {
  const written = inPaths(field, (path) => {
    if (path === null) throw new Unusable('A field must be named.')
    return leaf({ kind: 'exists', field: path })
  })
  return { written, words: `${labelOf(field)} is present` }
}

const isTimed = ({ kind }: SearchableField, { time, operator }: Condition): boolean =>
  kind === 'date' || time !== null || operator === 'during'

const SIDES: Partial<Record<Operator, Side>> = {
  is: 'in',
  contains: 'in',
  starts_with: 'in',
  during: 'in',
  between: 'in',
  before: 'before',
  less_than: 'before',
  at_most: 'until',
  at_least: 'from',
  after: 'after',
  more_than: 'after',
}

const SIDE_WORDS: Record<Side, string> = {
  in: '',
  before: 'before what is ',
  after: 'after what is ',
  from: 'from the start of what is ',
  until: 'until the end of what is ',
}

function inTime(field: SearchableField, { operator, values, time }: Condition, asked: Asked): Built {
  if (field.kind !== 'date' && field.kind !== 'any') throw new Unusable('This field does not hold times.')
  const isPair = operator === 'between' || values.length === 2
  if (!time && (values.length === 0 || values.length > 2)) throw new Unusable('One time is expected.')
  const dates = {
    kind: 'dates',
    amount: null,
    unit: null,
    from: values[0] ?? null,
    to: values[isPair ? 1 : 0] ?? null,
  } as const
  const read = readSpan(time ?? dates, asked)
  if ('fault' in read) throw new Unusable(read.fault)
  const side = sideOf(operator, time?.kind)
  const bounds = rangeOf(whole(read.span, side), side)
  if (!bounds) throw new Unusable('The time has no end on this side.')
  const written = inPaths(field, (path) => leaf(range(path, bounds)))
  return { written, words: `${labelOf(field)} is ${SIDE_WORDS[side]}${read.span.words}` }
}

/** "Before 2026" may be said with either end. */
function whole(span: Span, side: Side): Span {
  if (side === 'before' && span.from === null) return { ...span, from: span.to }
  if (side === 'after' && span.to === null) return { ...span, to: span.from, includesTo: true }
  return span
}

/** What is after the last seven days is in them: they end now. */
function sideOf(operator: Operator, kind: string | undefined): Side {
  const side = SIDES[operator] ?? 'in'
  if (kind === 'last' && side === 'after') return 'from'
  return kind === 'next' && side === 'before' ? 'until' : side
}

function between(field: SearchableField, { values }: Condition): Built {
  const [low, high] = values
  if (low === undefined || high === undefined || values.length > 2) throw new Unusable('Two values are expected.')
  if (field.choices?.isOrdered) return fromChoices(field, choicesBetween(field, low, high))
  const [from, to] = [readNumber(low), readNumber(high)]
  if (from === undefined || to === undefined || !isNumeric(field)) throw new Unusable('Two numbers are expected.')
  if (Number(from) > Number(to)) throw new Unusable('The first number is greater than the second.')
  return {
    written: inPaths(field, (path) => leaf(range(path, open(from, to)))),
    words: `${labelOf(field)} is from ${from} to ${to}`,
  }
}

function choicesBetween(field: SearchableField, low: string, high: string): readonly string[] {
  const all = field.choices?.values ?? []
  const [from, to] = [low, high].map((word) => all.indexOf(readChoice(field, word)))
  const found = all.slice(from, (to ?? 0) + 1)
  if (found.length === 0) throw new Unusable('The first value comes after the second.')
  return found
}
