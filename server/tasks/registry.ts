import { deleteEntitiesByQuery } from './by-query/delete-entities.ts'
import { fillDatasetByQuery } from './by-query/fill-dataset.ts'
import { updateEntitiesByQuery } from './by-query/update-entities.ts'
import { exportEntities } from './exporting/export-entities.ts'
import { deleteUploads } from './files/delete-uploads.ts'
import { processFile } from './files/process-file.ts'
import { removeUnusedBlobs } from './files/remove-unused-blobs.ts'
import { housekeeping } from './housekeeping.ts'
import { mail } from './mail.ts'
import { retention } from './retention.ts'
import { startRuns, stopRuns, waitingRun } from './runs.ts'
import type { Task, TaskTypes } from './task.ts'

const tasks: readonly Task[] = [
  housekeeping,
  retention,
  mail,
  deleteEntitiesByQuery,
  updateEntitiesByQuery,
  fillDatasetByQuery,
  exportEntities,
  removeUnusedBlobs,
  deleteUploads,
  processFile,
]

/** Every kind of background work, by its type. */
export const taskTypes: TaskTypes = new Map(tasks.map((task) => [task.type, task]))

/** Background work as resources use it. */
export const background = { types: taskTypes, start: startRuns, stop: stopRuns, waiting: waitingRun }
