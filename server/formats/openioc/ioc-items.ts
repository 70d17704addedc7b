import { guessType } from '../../domain/observables/guess.ts'
import { normaliseObservable } from '../../domain/observables/normalise.ts'
import type { ObservableType } from '../../domain/observables/types.ts'
import type { FoundObservable } from '../finding.ts'
import { attributeOf, childOf, childrenOf, textOf, type XmlElement } from '../xml/xml-element.ts'
import { typeOfTerm } from './ioc-terms.ts'

/** The observables of an IOC's items, and why others were skipped. */
export interface IocItems {
  readonly observables: readonly FoundObservable[]
  readonly losses: readonly string[]
}

/** Reads the items of an IOC at any depth. Their logical combination is kept only in the XML. */
export function itemsIn(ioc: XmlElement): IocItems {
  const found = new Map<string, FoundObservable>()
  const losses: string[] = []
  for (const item of allItems(ioc)) {
    const read = observableOf(item)
    if (typeof read === 'string') losses.push(read)
    else found.set(`${read.type} ${read.value}`, read)
  }
  return { observables: [...found.values()], losses: summary(losses) }
}

function* allItems(element: XmlElement): Generator<XmlElement> {
  for (const child of childrenOf(element)) {
    if (child.name === 'IndicatorItem') yield child
    else yield* allItems(child)
  }
}

/** Returns the observable of an item, or the reason why there is none. */
function observableOf(item: XmlElement): FoundObservable | string {
  const search = attributeOf(childOf(item, 'Context'), 'search')
  const condition = attributeOf(item, 'condition').toLowerCase()
  const value = textOf(childOf(item, 'Content'))
  const shown = `${search.slice(0, 80)} ${condition.slice(0, 20)} '${value.slice(0, 80)}'`
  if (attributeOf(item, 'negate') === 'true' || condition.endsWith('not'))
    return `${shown} is negated and is not imported as an observable`
  const type = typeOfTerm(search)
  if (type === undefined) return `${shown} has no observable type`
  if (condition !== 'is' && !(condition === 'contains' && isWhole(type, value)))
    return `${shown} is not a complete value and is not imported as an observable`
  for (const one of [type, alternative(type, value)]) {
    const normalised = one && normaliseObservable(one, value)
    if (normalised && 'value' in normalised) return { type: one, value: normalised.value }
  }
  return `${shown} is not a valid ${type} and is not imported as an observable`
}

/** Whether the operand of a `contains` condition is a complete value. */
function isWhole(type: ObservableType, value: string): boolean {
  if (type === 'file') return /^[^*?]+\.[A-Za-z\d]{1,5}$/.test(value)
  if (type === 'winregistry') return value.includes('\\')
  if (type === 'uri') return guessType(value) === 'uri'
  if (type === 'process-name') return /\.[A-Za-z]{3}$/.test(value)
  return /^(?:certificate-|domain$|email$|hash-|host$|ipv|mac-|snort$|yara$)/.test(type)
}

function alternative(type: ObservableType, value: string): ObservableType | undefined {
  if (!/^(?:ipv4|domain|host|uri|hash-.*)$/.test(type)) return undefined
  const guess = guessType(value)
  return guess !== undefined && /^(?:ipv|inetnum$|domain$|uri$|hash-)/.test(guess) ? guess : undefined
}

const LOSS_LIMIT = 20

const summary = (losses: readonly string[]): string[] =>
  losses.length <= LOSS_LIMIT
    ? [...losses]
    : [...losses.slice(0, LOSS_LIMIT), `${losses.length - LOSS_LIMIT} more items are not imported as observables`]
