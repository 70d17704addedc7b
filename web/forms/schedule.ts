/** A schedule as the API stores it; null runs only on request. */
export type Schedule = {
  readonly cron: string | null
  readonly interval: number | null
  readonly time_zone: string
} | null

/** The values of the schedule inputs: `never`, seconds or `cron`, the cron expression, and the time zone, which is kept. */
export interface ScheduleValues {
  readonly schedule: string
  readonly cron: string
  readonly timeZone: string
}

/** Run intervals, in seconds. */
export const SCHEDULES = [
  { value: 'never', label: 'Manually' },
  { value: '900', label: 'Every 15 minutes' },
  { value: '3600', label: 'Every hour' },
  { value: '21600', label: 'Every 6 hours' },
  { value: '86400', label: 'Every day' },
  { value: 'cron', label: 'Custom (cron)' },
] as const

/** The input values of a stored schedule. */
export const scheduleValues = (schedule: Schedule): ScheduleValues => ({
  schedule: schedule?.cron ? 'cron' : schedule?.interval ? String(schedule.interval) : 'never',
  cron: schedule?.cron ?? '',
  timeZone: schedule?.time_zone ?? 'UTC',
})

/** The schedule to send. */
export function scheduleOf({ schedule, cron, timeZone }: ScheduleValues): Schedule {
  if (schedule === 'never') return null
  const isCron = schedule === 'cron'
  return { cron: isCron ? cron.trim() : null, interval: isCron ? null : Number(schedule), time_zone: timeZone }
}

/** A schedule in words. */
export function scheduleInWords(schedule: Schedule): string {
  if (schedule === null) return 'Manually'
  if (schedule.cron !== null) return `Cron ${schedule.cron} (${schedule.time_zone})`
  const known = SCHEDULES.find(({ value }) => value === String(schedule.interval))
  return known?.label ?? `Every ${schedule.interval} seconds`
}
