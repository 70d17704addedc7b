import { housekeeping } from './housekeeping.ts'
import { startRuns, stopRuns } from './runs.ts'
import type { Task, TaskTypes } from './task.ts'

const tasks: readonly Task[] = [housekeeping]

/** Every kind of background work, by its type. */
export const taskTypes: TaskTypes = new Map(tasks.map((task) => [task.type, task]))

/** Background work as resources use it. */
export const background = { types: taskTypes, start: startRuns, stop: stopRuns }
