/** How malicious an observable can be. */
export const MALICIOUSNESS = ['unknown', 'safe', 'low', 'medium', 'high'] as const

export type Maliciousness = (typeof MALICIOUSNESS)[number]

/** The level of a name in any case, or undefined when there is none of that name. */
export const maliciousnessNamed = (name: unknown): Maliciousness | undefined =>
  typeof name === 'string' ? MALICIOUSNESS.find((known) => known === name.toLowerCase()) : undefined

/** The same in the older two words: what something is, and how sure that is. */
export interface Classification {
  readonly classification: 'good' | 'bad' | 'unknown'
  readonly confidence?: 'low' | 'medium' | 'high'
}

/** The two words for a level. */
export function classificationOf(level: Maliciousness): Classification {
  if (level === 'unknown') return { classification: 'unknown' }
  return level === 'safe' ? { classification: 'good' } : { classification: 'bad', confidence: level }
}

/** The level that two words stand for, or undefined when they say nothing. */
export function maliciousnessOf(classification: unknown, confidence: unknown): Maliciousness | undefined {
  if (classification === 'good') return 'safe'
  if (classification === 'unknown') return 'unknown'
  if (classification !== 'bad') return undefined
  return confidence === 'low' || confidence === 'high' ? confidence : 'medium'
}
