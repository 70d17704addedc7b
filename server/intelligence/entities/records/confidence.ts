import { z } from 'zod'
import { informationSource } from './information-source.ts'
import { eitherOf } from './shape.ts'
import { time, timePrecision } from './time.ts'
import { vocabularyRecord } from './vocabulary.ts'

/** The confidence levels in plain entity data. */
export const CONFIDENCE_WORDS = ['unknown', 'none', 'low', 'medium', 'high'] as const

/** The confidence levels in typed records. */
export const CONFIDENCE_VALUES = ['None', 'Low', 'Medium', 'High', 'Unknown'] as const

/** A confidence level with its source and time. */
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

/** The confidence that a course of action applies. */
export const applicabilityConfidence = vocabularyRecord(CONFIDENCE_VALUES, {}, { description: z.string() })

/** The confidence of an entity, kept in the form that was sent. */
export const confidence = eitherOf(z.enum(CONFIDENCE_WORDS), confidenceRecord)
