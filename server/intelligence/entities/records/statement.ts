import { z } from 'zod'
import { applicabilityConfidence, CONFIDENCE_VALUES, confidence } from './confidence.ts'
import { informationSource } from './information-source.ts'
import { eitherOf, recordOf } from './shape.ts'
import { time, timePrecision } from './time.ts'
import { documented, fromVocabulary, valueRequired } from './vocabulary.ts'

const about = {
  type: z.string(),
  description: z.string(),
  source: eitherOf(z.string(), informationSource),
  confidence,
  timestamp: time,
  timestamp_precision: timePrecision,
  value_vocab: z.string(),
}

const level = recordOf({}, { ...about, value: documented(CONFIDENCE_VALUES) }).check(
  fromVocabulary(CONFIDENCE_VALUES, 'value', 'value_vocab'),
)

/** How much harm something does. */
export const impact = level

/** How much a course of action costs. */
export const cost = level

/** How well a course of action works. */
export const efficacy = level

/** What someone means to achieve. */
export const intendedEffect = valueRequired.extend(recordOf({}, about).shape)

/** What a course of action is for. */
export const objective = recordOf(
  {},
  {
    type: z.string(),
    description: z.string(),
    short_description: z.string(),
    applicability_confidence: applicabilityConfidence,
  },
)
