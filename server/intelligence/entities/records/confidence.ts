import { z } from 'zod'
import { informationSource } from './information-source.ts'
import { eitherOf } from './shape.ts'
import { time, timePrecision } from './time.ts'
import { vocabularyRecord } from './vocabulary.ts'

/** How sure one is, as plain entity data says it. */
export const CONFIDENCE_WORDS = ['unknown', 'none', 'low', 'medium', 'high'] as const

/** How sure one is, as typed records say it. */
export const CONFIDENCE_VALUES = ['None', 'Low', 'Medium', 'High', 'Unknown'] as const

/** How sure one is, with where and when that was said. */
export const confidenceRecord = vocabularyRecord(
  CONFIDENCE_VALUES,
  { type: z.literal('confidence') },
  {
    description: z.string(),
    source: eitherOf(z.string(), informationSource),
    timestamp: time,
    timestamp_precision: timePrecision,
  },
)

/** How sure one is that a course of action applies. */
export const applicabilityConfidence = vocabularyRecord(CONFIDENCE_VALUES, {}, { description: z.string() })

/** The confidence of an entity in either form; it is kept in the form it came in. */
export const confidence = eitherOf(z.enum(CONFIDENCE_WORDS), confidenceRecord)
