import { guessType } from '../../../../domain/observables/guess.ts'
import { observableOf } from '../../../../domain/observables/read.ts'
import { storableText } from '../../../../domain/storable-text.ts'
import type { Finding, Subject } from '../../function.ts'
import { evaluate, type Scope } from './expressions/evaluate.ts'
import type { Node } from './expressions/node.ts'
import { listOf, numberOf, textOf, timeOf } from './expressions/values.ts'
import { type FindingRule, LEVELS } from './finding-rules.ts'
import { readAddress, readText, Unusable } from './read-text.ts'

type RuleOf<K extends FindingRule['kind']> = Extract<FindingRule, { kind: K }>
type FindingOf<K extends Finding['kind']> = Extract<Finding, { kind: K }>

const MAX_REASON = 2000
const MAX_TITLE = 1000
const MAX_DESCRIPTION = 50_000
const MAX_SHORT_DESCRIPTION = 5000
const MAX_NAME = 500
const MAX_NAMES = 100
/** The longest observable that is read. */
const MAX_VALUE = 65_536
/** What it costs to read an observable. */
const OBSERVABLE_STEPS = 50

/** What a finding is made of. */
export interface Material {
  readonly item: unknown
  readonly scope: Scope
  readonly subject: Subject
  /** Called for a time that cannot be read: the finding is made without it. */
  onUnreadTime(): void
}

/** The finding of a rule for an item of the answer; undefined if the item has nothing for it. Throws `Unusable`. */
export function makeFinding(rule: FindingRule, material: Material): Finding | undefined {
  const { item, scope } = material
  switch (rule.kind) {
    case 'verdict':
      return verdict(rule, item, scope)
    case 'link':
      return link(rule, material)
    case 'entity':
      return entity(rule, item, scope)
    case 'tag': {
      const value = readText(rule.value, item, scope, MAX_NAME)
      return value === undefined ? undefined : { kind: 'tag', value }
    }
    case 'attack':
      return attack(rule, item, scope)
    case 'reference':
      return reference(rule, item, scope)
  }
}

function verdict(rule: RuleOf<'verdict'>, item: unknown, scope: Scope): FindingOf<'verdict'> | undefined {
  const maliciousness = rule.maliciousness ?? levelOf(rule, rule.value ? evaluate(rule.value, item, scope) : null)
  if (maliciousness === undefined) return undefined
  const reason = rule.reason && readText(rule.reason, item, scope, MAX_REASON)
  return { kind: 'verdict', maliciousness, ...(reason !== undefined && { reason }) }
}

function levelOf(
  { thresholds, mapping }: RuleOf<'verdict'>,
  value: unknown,
): FindingOf<'verdict'>['maliciousness'] | undefined {
  if (value === null || value === undefined) return undefined
  if (mapping) {
    const name = textOf(value)
    if (name === undefined) throw new Unusable('is not a text')
    return Object.hasOwn(mapping, name) ? mapping[name] : undefined
  }
  const number = numberOf(value)
  if (number === undefined) throw new Unusable('is not a number')
  return LEVELS.find((level) => number >= (thresholds?.[level] ?? Number.POSITIVE_INFINITY))
}

function link(rule: RuleOf<'link'>, material: Material): FindingOf<'link'> | undefined {
  const { item, scope, subject } = material
  const value = readText(rule.value, item, scope, MAX_VALUE)
  if (value === undefined) return undefined
  const observable = observableIn(value, rule.type, scope)
  if (observable.type === subject.type && observable.value === subject.value) return undefined
  const first = momentOf(rule.first_seen, material)
  const last = momentOf(rule.last_seen, material)
  return {
    kind: 'link',
    relation: rule.relation,
    observable,
    ...(first !== undefined && { first_seen: first }),
    ...(last !== undefined && { last_seen: last }),
  }
}

/** The observable in its one spelling, of the first type that it can have. */
function observableIn(value: string, types: readonly string[] | 'detect', scope: Scope): Subject {
  let fault = 'is not an observable of a known type'
  const guessed = types === 'detect' ? guessType(value) : undefined
  for (const type of types === 'detect' ? (guessed ? [guessed] : []) : types) {
    scope.budget.spend(OBSERVABLE_STEPS + value.length)
    const read = observableOf(type, value)
    if (!('fault' in read)) return { type: read.type, value: read.value }
    fault = read.fault
  }
  throw new Unusable(fault)
}

function momentOf(node: Node | undefined, { item, scope, onUnreadTime }: Material): string | undefined {
  if (!node) return undefined
  const value = evaluate(node, item, scope)
  if (value === null || value === undefined || value === '') return undefined
  const time = timeOf(value)
  if (time === undefined) onUnreadTime()
  return time
}

function entity(rule: RuleOf<'entity'>, item: unknown, scope: Scope): FindingOf<'entity'> | undefined {
  const id = readText(rule.id, item, scope, MAX_NAME)
  const title = readText(rule.title, item, scope, MAX_TITLE)
  if (id === undefined || title === undefined) return undefined
  const description = rule.description && readText(rule.description, item, scope, MAX_DESCRIPTION)
  const names = rule.names ? namesIn(evaluate(rule.names, item, scope), title) : []
  const url = rule.url && readAddress(rule.url, item, scope)
  return {
    kind: 'entity',
    type: rule.type,
    id,
    title,
    ...(description !== undefined && { description }),
    ...(names.length > 0 && { names }),
    ...(url !== undefined && { url }),
  }
}

const namesIn = (value: unknown, title: string): string[] => {
  const names = listOf(value)
    .slice(0, MAX_NAMES)
    .flatMap((each) => (typeof each === 'string' && each.trim() !== '' ? [storableText(each.trim(), MAX_NAME)] : []))
  return [...new Set(names)].filter((name) => name !== title)
}

function attack(rule: RuleOf<'attack'>, item: unknown, scope: Scope): FindingOf<'attack'> | undefined {
  const node = readText(rule.node, item, scope, 100)?.toUpperCase()
  if (node === undefined) return undefined
  if (!/^(TA\d{2,4}|(TA\d{2,4}:)?T\d{4}(\.\d{3})?)$/.test(node))
    throw new Unusable('is not a technique such as T1566.001')
  return { kind: 'attack', node }
}

function reference(rule: RuleOf<'reference'>, item: unknown, scope: Scope): FindingOf<'reference'> | undefined {
  const url = readAddress(rule.url, item, scope)
  if (url === undefined) return undefined
  const title = rule.title && readText(rule.title, item, scope, MAX_TITLE)
  const description = rule.description && readText(rule.description, item, scope, MAX_SHORT_DESCRIPTION)
  return {
    kind: 'reference',
    url,
    ...(title !== undefined && { title }),
    ...(description !== undefined && { description }),
  }
}
