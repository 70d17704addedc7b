import { CronExpressionParser } from 'cron-parser'
import { z } from 'zod'
import { isTimeZone } from './locales.ts'

const cron = z
  .string()
  .max(200)
  .superRefine((text, check) => {
    const fault = cronFault(text)
    if (fault) check.addIssue({ code: 'custom', message: fault })
  })
  .describe('Minute, hour, day of month, month and day of week in the time zone, as in `0 3 * * *`.')

const timeZone = z
  .string()
  .max(100)
  .refine(isTimeZone, 'must be a time zone such as Europe/Amsterdam')
  .describe('Where the hours of `cron` are read.')

/** When something runs by itself: at the times of a cron expression, or every so many seconds. */
export const schedule = z
  .object({
    cron: cron.nullable().default(null),
    interval: z.int().min(10).max(31_536_000).nullable().default(null).describe('Seconds from one run to the next.'),
    time_zone: timeZone.default('UTC'),
  })
  .refine((given) => (given.cron === null) !== (given.interval === null), {
    path: ['cron'],
    message: 'give either cron or interval',
  })

export type Schedule = z.output<typeof schedule>

/**
 * The first time after now. `slot` is the time it was last due: intervals keep their beat from there,
 * and slots that were missed since then count as one.
 */
export function nextTime({ cron, interval, time_zone }: Schedule, slot: Date | null, now: Date): Date {
  if (cron === null) return nextBeat((interval ?? 0) * 1000, slot ?? now, now)
  // From the slot on: in the hour that a clock change repeats, only the slot tells whether it was used already.
  const currentDate = new Date(Math.max((slot ?? now).getTime(), now.getTime() - LONGER_THAN_A_REPEATED_HOUR_MS))
  const times = CronExpressionParser.parse(cron, { currentDate, tz: time_zone })
  for (;;) {
    const time = times.next().toDate()
    if (time > now) return time
  }
}

/** How long it can be from one time to the next, in seconds; of a cron expression, as far as its next times show. */
export function longestGap({ cron, interval, time_zone }: Schedule, now: Date): number {
  if (cron === null) return interval ?? 0
  const parsed = CronExpressionParser.parse(cron, { currentDate: now, tz: time_zone })
  const times = Array.from({ length: TIMES_LOOKED_AT }, () => parsed.next().getTime())
  return Math.max(...times.slice(1).map((time, i) => time - (times[i] ?? time))) / 1000
}

/** More than a week of times that come daily, but for weekends. */
const TIMES_LOOKED_AT = 10

const LONGER_THAN_A_REPEATED_HOUR_MS = 3 * 3_600_000

function nextBeat(every: number, slot: Date, now: Date): Date {
  const missed = Math.max(0, Math.floor((now.getTime() - slot.getTime()) / every))
  return new Date(slot.getTime() + (missed + 1) * every)
}

function cronFault(text: string): string | undefined {
  // The parser would take fewer fields, seconds, and `H`, which is another time whenever it is read.
  const isPlain = /^\s*\S+(\s+\S+){4}\s*$/.test(text) && !/\bH\b/i.test(text)
  if (!isPlain) return `'${text}' is not five fields as in 0 3 * * *`
  try {
    CronExpressionParser.parse(text, { tz: 'UTC' }).next()
    return undefined
  } catch (error) {
    return `'${text}' is not a cron expression: ${(error as Error).message}`
  }
}
