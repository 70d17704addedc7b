/** The levels of maliciousness of an observable. */
export const MALICIOUSNESS = ['unknown', 'safe', 'low', 'medium', 'high'] as const

export type Maliciousness = (typeof MALICIOUSNESS)[number]

/** Returns the level with a name in any case; undefined if there is none. */
export const maliciousnessNamed = (name: unknown): Maliciousness | undefined =>
  typeof name === 'string' ? MALICIOUSNESS.find((known) => known === name.toLowerCase()) : undefined

/** The older form of a level: a classification and a confidence. */
export interface Classification {
  readonly classification: 'good' | 'bad' | 'unknown'
  readonly confidence?: 'low' | 'medium' | 'high'
}

/** Converts a level to the older form. */
export function classificationOf(level: Maliciousness): Classification {
  if (level === 'unknown') return { classification: 'unknown' }
  return level === 'safe' ? { classification: 'good' } : { classification: 'bad', confidence: level }
}

/** Converts the older form to a level; undefined if it is empty. */
export function maliciousnessOf(classification: unknown, confidence: unknown): Maliciousness | undefined {
  if (classification === 'good') return 'safe'
  if (classification === 'unknown') return 'unknown'
  if (classification !== 'bad') return undefined
  return confidence === 'low' || confidence === 'high' ? confidence : 'medium'
}
