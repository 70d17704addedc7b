import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Fault } from './fault.ts'

/** Returns the faults that can no longer be planted in a project because its code or tests have changed. */
export function staleFaults(folder: string, faults: readonly Fault[]): string[] {
  return faults.flatMap(({ breaks, file, from, tests }) => {
    const text = existsSync(join(folder, file)) ? readFileSync(join(folder, file), 'utf8') : undefined
    const missing = tests.filter((test) => !existsSync(join(folder, test)))
    const reasons = [
      ...(text === undefined ? [`${file} does not exist`] : []),
      ...(text !== undefined && text.split(from).length !== 2
        ? [`${file} does not contain this exactly once: ${from}`]
        : []),
      ...missing.map((test) => `the test ${test} does not exist`),
    ]
    return reasons.map((reason) => `"${breaks}": ${reason}`)
  })
}
