import { defang } from './refang.ts'
import type { ObservableType } from './types.ts'

/** The number of a payment card as it may be shown: the first six and the last four digits. */
export function maskCard(value: string): string {
  // Anything shorter than a card would show itself between the two ends.
  if (value.length < 12) return '*'.repeat(value.length)
  return `${value.slice(0, 6)}${'*'.repeat(value.length - 10)}${value.slice(-4)}`
}

/** A normalised value as people may see it: cards masked, what could be clicked defanged, all else as it is. */
export function displayValue(type: ObservableType, value: string): string {
  return type === 'card' ? maskCard(value) : defang(type, value)
}
