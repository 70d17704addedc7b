import { inspect } from 'node:util'
import { z } from 'zod'
import { isRecord } from '../../domain/record.ts'
import { cleaned } from '../prompting/untrusted.ts'
import { type AskedTime, TIME_KINDS, TIME_UNITS } from './asked-times.ts'

export const OPERATORS = [
  'is',
  'contains',
  'starts_with',
  'at_least',
  'at_most',
  'more_than',
  'less_than',
  'between',
  'during',
  'before',
  'after',
  'exists',
] as const
export type Operator = (typeof OPERATORS)[number]

/** A condition on a field, as the model says it. */
export interface Condition {
  readonly field: string
  readonly operator: Operator
  readonly values: readonly string[]
  readonly time: AskedTime | null
  readonly isNot: boolean
  /** The condition in a line, for messages. */
  readonly said: string
}

export interface ConditionGroup {
  readonly match: 'all' | 'any'
  readonly isNot: boolean
  readonly members: readonly (Condition | ConditionGroup)[]
}

/** A part of a question that is not in the query. */
export interface Dropped {
  readonly clause: string
  readonly reason: string
}

/** An answer of the model as far as it has the right form. */
export interface Answer {
  readonly group: ConditionGroup
  /** What is wrong with it. */
  readonly faults: readonly Dropped[]
  /** What the model could not express. */
  readonly notExpressed: readonly Dropped[]
  /** The number of its conditions, right and wrong. */
  readonly count: number
}

const MAX_DEPTH = 3
const MAX_CONDITIONS = 100
const MAX_VALUES = 50
const MAX_VALUE_LENGTH = 500
const MAX_NOTES = 20

/**
 * The form of the answer, with the fields that may be named. It is read leniently, so that one wrong condition does not cost the others: what
 * is wrong is reported by name.
 */
export const answerSchema = (fields: readonly string[]): z.ZodType<Record<string, unknown>> =>
  z.custom<Record<string, unknown>>(isRecord, 'must be an object').meta({
    ...group(MAX_DEPTH, {
      not_expressed: {
        type: 'array',
        items: { type: 'string' },
        description: 'Parts of the question, in its words, that no condition can express.',
      },
    }),
    $defs: { condition: conditionSchema(fields), time: TIME },
  })

const group = (depth: number, more: object): object => ({
  type: 'object',
  properties: {
    match: { type: 'string', enum: ['all', 'any'], description: 'Whether all or any of the members must apply.' },
    conditions: { type: 'array', items: { $ref: '#/$defs/condition' } },
    ...(depth > 1 && { groups: { type: 'array', items: group(depth - 1, { not: { type: 'boolean' } }) } }),
    ...more,
  },
})

const conditionSchema = (fields: readonly string[]): object => ({
  type: 'object',
  properties: {
    field: { type: 'string', enum: fields },
    operator: { type: 'string', enum: OPERATORS },
    values: { type: 'array', items: { type: 'string' }, description: 'Any of these; empty for times and for exists.' },
    time: { anyOf: [{ $ref: '#/$defs/time' }, { type: 'null' }] },
    not: { type: 'boolean' },
  },
})

const nullable = (type: string, more: object = {}): object => ({ anyOf: [{ type, ...more }, { type: 'null' }] })

const TIME = {
  type: 'object',
  properties: {
    kind: { type: 'string', enum: TIME_KINDS },
    amount: nullable('integer'),
    unit: nullable('string', { enum: TIME_UNITS }),
    from: nullable('string'),
    to: nullable('string'),
  },
}

/** Reads an answer, and says what is wrong with each part that has not the right form. */
export function readAnswer(answer: Record<string, unknown>): Answer {
  const dropped: Dropped[] = []
  let left = MAX_CONDITIONS

  const readMembers = (sent: unknown, name: string, read: (item: unknown) => ConditionGroup['members']) => {
    if (sent === undefined || sent === null) return []
    if (Array.isArray(sent)) return sent.flatMap(read)
    dropped.push({ clause: shown(sent), reason: `'${name}' is not a list.` })
    return []
  }

  const readGroup = (sent: Record<string, unknown>, depth: number): ConditionGroup => ({
    match: sent.match === 'any' ? 'any' : 'all',
    isNot: sent.not === true,
    members: [
      ...readMembers(sent.conditions, 'conditions', (item) => {
        left -= 1
        if (left < 0) return []
        const read = readCondition(item, dropped)
        return read ? [read] : []
      }),
      ...readMembers(sent.groups, 'groups', (item) => {
        if (isRecord(item) && depth < MAX_DEPTH) return [readGroup(item, depth + 1)]
        const reason = isRecord(item) ? `Groups can be nested ${MAX_DEPTH} deep at most.` : 'It is not a group.'
        dropped.push({ clause: shown(item), reason })
        return []
      }),
    ],
  })

  const root = readGroup(answer, 1)
  if (left < 0) dropped.push({ clause: `${-left} conditions`, reason: `There can be ${MAX_CONDITIONS} at most.` })
  const notes = Array.isArray(answer.not_expressed) ? answer.not_expressed : []
  const said = notes
    .filter((note) => typeof note === 'string')
    .map(line)
    .filter((note) => note !== '')
  return {
    group: root,
    faults: dropped,
    notExpressed: said.slice(0, MAX_NOTES).map((clause) => ({ clause, reason: NOT_EXPRESSED })),
    count: MAX_CONDITIONS - left,
  }
}

const NOT_EXPRESSED = 'The model found no condition for this.'

function readCondition(sent: unknown, dropped: Dropped[]): Condition | undefined {
  const drop = (reason: string): undefined => {
    dropped.push({ clause: isRecord(sent) ? said(sent) : shown(sent), reason })
  }
  if (!isRecord(sent)) return drop('It is not a condition.')
  const { field, operator } = sent
  if (typeof field !== 'string') return drop('The field is missing.')
  const known = OPERATORS.find((each) => each === operator)
  if (!known) return drop(`'${shown(operator)}' is not an operator.`)
  const time = readTime(sent.time)
  if (time === undefined) return drop('The time has not the right form.')
  const given = sent.values === undefined || sent.values === null ? [] : [sent.values].flat(1)
  const values = given.slice(0, MAX_VALUES).flatMap((value) => {
    const text = ['string', 'number', 'boolean'].includes(typeof value) ? String(value) : undefined
    if (text !== undefined && text.length <= MAX_VALUE_LENGTH && !text.includes('\0')) return [line(text)]
    const reason = text === undefined ? 'It is not a text.' : 'It is too long or contains the NUL character.'
    dropped.push({ clause: `${line(field)} ${known} ${shown(value)}`, reason })
    return []
  })
  if (given.length > MAX_VALUES) {
    const clause = `${given.length - MAX_VALUES} values of ${line(field)}`
    dropped.push({ clause, reason: `A condition can have ${MAX_VALUES} values at most.` })
  }
  // Of values that are all unusable, nothing remains to be asked for.
  if (given.length > 0 && values.length === 0) return undefined
  return { field, operator: known, values, time, isNot: sent.not === true, said: said(sent) }
}

function readTime(sent: unknown): AskedTime | null | undefined {
  if (sent === undefined || sent === null) return null
  if (!isRecord(sent)) return undefined
  const kind = TIME_KINDS.find((each) => each === sent.kind)
  if (!kind) return undefined
  const text = (value: unknown) => (typeof value === 'string' && value !== '' ? value : null)
  const amount = typeof sent.amount === 'number' ? sent.amount : null
  return { kind, amount, unit: text(sent.unit), from: text(sent.from), to: text(sent.to) }
}

/** A text on one line, without what its readers would not see. */
const line = (text: string): string =>
  cleaned(text.toWellFormed().slice(0, MAX_VALUE_LENGTH)).replaceAll(/\s+/g, ' ').trim()

const MAX_SHOWN = 120

/** Anything as a short text. */
function shown(value: unknown): string {
  const text = typeof value === 'string' ? value : inspect(value, { depth: 1, maxArrayLength: 3, maxStringLength: 60 })
  return line(text).slice(0, MAX_SHOWN)
}

function said({ field, operator, values, time, not }: Record<string, unknown>): string {
  const of = isRecord(time) ? Object.values(time).filter((part) => part !== null) : []
  const parts = [...(values === undefined || values === null ? [] : [values].flat(1)), ...of].slice(0, 5).map(shown)
  return [not === true ? 'not' : '', shown(field), shown(operator), parts.join(', ')]
    .filter(Boolean)
    .join(' ')
    .slice(0, 300)
}
