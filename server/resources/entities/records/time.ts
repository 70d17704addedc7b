import { z } from 'zod'
import { parseTimestamp } from '../../../engine/timestamp.ts'
import { recordOf } from './shape.ts'

// Times come by the thousand, nearly all in this form, and reading one to the end takes ten times as long.
const COMMON =
  /^[12]\d{3}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])T(?:[01]\d|2[0-3])(?::[0-5]\d){2}(?:\.\d{1,9})?(?:Z|\+00:00)$/

/** A time inside a document: checked, and kept as it was sent. */
export const time = z.string().refine((value) => COMMON.test(value) || parseTimestamp(value) !== undefined, {
  error: ({ input }) => `'${String(input).slice(0, 40)}' is not an ISO 8601 time`,
})

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
