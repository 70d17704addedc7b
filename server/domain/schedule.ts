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
  .describe('Time zone of the cron expression.')

/** A schedule: a cron expression, or an interval in seconds. */
export const schedule = z
  .object({
    cron: cron.nullable().default(null),
    interval: z.int().min(10).max(31_536_000).nullable().default(null).describe('Seconds between runs.'),
    time_zone: timeZone.default('UTC'),
  })
  .refine((given) => (given.cron === null) !== (given.interval === null), {
    path: ['cron'],
    message: 'specify either cron or interval',
  })

export type Schedule = z.output<typeof schedule>

/**
 * Returns the first time after now. `slot` is the time it was last due: intervals keep their phase from there, and missed slots count as
 * one.
 */
export function nextTime({ cron, interval, time_zone }: Schedule, slot: Date | null, now: Date): Date {
  if (cron === null) return nextBeat((interval ?? 0) * 1000, slot ?? now, now)
  // Start from the slot: in an hour that a clock change repeats, only the slot shows whether the time has been used.
  const currentDate = new Date(Math.max((slot ?? now).getTime(), now.getTime() - LONGER_THAN_A_REPEATED_HOUR_MS))
  const times = CronExpressionParser.parse(cron, { currentDate, tz: time_zone })
  for (;;) {
    const time = times.next().toDate()
    if (time > now) return time
  }
}

/** The longest time between two runs in seconds. For a cron expression, it is estimated from its next times. */
export function longestGap({ cron, interval, time_zone }: Schedule, now: Date): number {
  if (cron === null) return interval ?? 0
  const parsed = CronExpressionParser.parse(cron, { currentDate: now, tz: time_zone })
  const times = Array.from({ length: EXAMINED_TIMES }, () => parsed.next().getTime())
  return Math.max(...times.slice(1).map((time, i) => time - (times[i] ?? time))) / 1000
}

/** Covers more than a week of daily runs that skip weekends. */
const EXAMINED_TIMES = 10

const LONGER_THAN_A_REPEATED_HOUR_MS = 3 * 3_600_000

function nextBeat(every: number, slot: Date, now: Date): Date {
  const missed = Math.max(0, Math.floor((now.getTime() - slot.getTime()) / every))
  return new Date(slot.getTime() + (missed + 1) * every)
}

function cronFault(text: string): string | undefined {
  // The parser also accepts fewer fields, seconds, and `H`, which is random on every parse.
  const isPlain = /^\s*\S+(\s+\S+){4}\s*$/.test(text) && !/\bH\b/i.test(text)
  if (!isPlain) return `'${text}' does not have five fields as in 0 3 * * *`
  try {
    CronExpressionParser.parse(text, { tz: 'UTC' }).next()
    return undefined
  } catch (error) {
    return `'${text}' is not a cron expression: ${(error as Error).message}`
  }
}
