import { storableText } from '../../../../domain/storable-text.ts'
import { isWebAddress } from '../../../../domain/web-address.ts'
import type { Text } from './expression-field.ts'
import { evaluate, type Scope } from './expressions/evaluate.ts'
import { textOf } from './expressions/values.ts'

/** A value of an answer that cannot be used; the message says why, as the end of a sentence. */
export class Unusable extends Error {}

/** The text for an item of the answer; undefined if nothing of what it is made of is in the answer, or it is blank. */
export function readText(text: Text, item: unknown, scope: Scope, maxLength: number): string | undefined {
  let hasValue = !text.some((part) => typeof part !== 'string')
  const parts = text.map((part) => {
    if (typeof part === 'string') return part
    const read = joined(evaluate(part, item, scope), scope)
    hasValue ||= read !== ''
    scope.budget.spendOnText(read.length)
    return read
  })
  const whole = parts.join('').trim()
  return hasValue && whole !== '' ? storableText(whole, maxLength) : undefined
}

const MAX_JOINED = 100

function joined(value: unknown, scope: Scope): string {
  if (value === null || value === undefined) return ''
  if (!Array.isArray(value)) return plain(value)
  scope.budget.spend(Math.min(value.length, MAX_JOINED))
  const shown = value.slice(0, MAX_JOINED).map(plain).join(', ')
  return value.length > MAX_JOINED ? `${shown}, …` : shown
}

function plain(value: unknown): string {
  const text = textOf(value)
  if (text === undefined) throw new Unusable('is not a text')
  return text
}

/** An address for people. */
export function readAddress(text: Text, item: unknown, scope: Scope): string | undefined {
  const address = readText(text, item, scope, 2001)
  if (address !== undefined && (address.length > 2000 || !isWebAddress(address))) {
    throw new Unusable('is not an http or https address')
  }
  return address
}
