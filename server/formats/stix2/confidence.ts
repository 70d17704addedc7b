import { isRecord } from '../../domain/record.ts'

const NUMBERS: Readonly<Record<string, number>> = { none: 0, low: 15, medium: 50, high: 85 }

/** The platform's word for a confidence of STIX. */
export function confidenceWord(confidence: number): string {
  if (confidence === 0) return 'none'
  if (confidence < 30) return 'low'
  return confidence < 70 ? 'medium' : 'high'
}

/** The number for a confidence of the platform, which is a word or a record; undefined where it is not known. */
export function confidenceNumber(confidence: unknown): number | undefined {
  const word = isRecord(confidence) ? confidence.value : confidence
  return typeof word === 'string' ? NUMBERS[word.toLowerCase()] : undefined
}
