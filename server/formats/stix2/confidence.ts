import { isRecord } from '../../domain/record.ts'

const NUMBERS: Readonly<Record<string, number>> = { none: 0, low: 15, medium: 50, high: 85 }

/** Converts a STIX confidence (0 to 100) to the platform's word. */
export function confidenceWord(confidence: number): string {
  if (confidence === 0) return 'none'
  if (confidence < 30) return 'low'
  return confidence < 70 ? 'medium' : 'high'
}

/** Converts a platform confidence, which is a word or a record, to a number; undefined if it is unknown. */
export function confidenceNumber(confidence: unknown): number | undefined {
  const word = isRecord(confidence) ? confidence.value : confidence
  return typeof word === 'string' ? NUMBERS[word.toLowerCase()] : undefined
}
