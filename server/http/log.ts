import { type Logger, pino } from 'pino'

/** Makes the process's log: JSON lines on standard error, so that standard output stays for people and pipes. */
export function createLog(level: string): Logger {
  return pino({ level }, pino.destination({ dest: 2, sync: true }))
}
