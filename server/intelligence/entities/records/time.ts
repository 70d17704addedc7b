import { z } from 'zod'
import { isTimestamp } from '../../../domain/timestamp.ts'
import { DECLINED, type Read } from '../../../fast/compiled-reader.ts'
import { recordOf } from './shape.ts'

/** A time in a document, which is validated and kept as sent. */
export const time = z
  .string()
  .refine(isTimestamp, { error: ({ input }) => `'${String(input).slice(0, 40)}' is not an ISO 8601 time` })

/** Reads what `time` takes. */
export const readTime: Read = (value) => (typeof value === 'string' && isTimestamp(value) ? value : DECLINED)

/** How exactly a time is known. */
export const timePrecision = z.enum(['year', 'month', 'day', 'hour', 'minute', 'second'])

/** When something began, ended, was produced and received. */
export const timeSpan = recordOf(
  {},
  {
    type: z.literal('time'),
    start_time: time.nullable(),
    start_time_precision: timePrecision,
    end_time: time.nullable(),
    end_time_precision: timePrecision,
    produced_time: time.nullable(),
    produced_time_precision: timePrecision,
    received_time: time.nullable(),
    received_time_precision: timePrecision,
  },
)
