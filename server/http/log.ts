import { type Logger, pino } from 'pino'

/** Creates the process log: JSON lines on standard error, which leaves standard output to commands. */
export function createLog(level: string): Logger {
  return pino({ level }, pino.destination({ dest: 2, sync: true }))
}
