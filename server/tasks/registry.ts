import { answerRequests } from '../resources/mails/password-mails.ts'
import { deleteEntitiesByQuery } from './by-query/delete-entities.ts'
import { fillDatasetByQuery } from './by-query/fill-dataset.ts'
import { updateEntitiesByQuery } from './by-query/update-entities.ts'
import { demoData } from './demo/demo-data.ts'
import { discoveryRule } from './discovery-rule.ts'
import { exportEntities } from './exporting/export-entities.ts'
import { feedHealth } from './feed-health.ts'
import { deleteUploads } from './files/delete-uploads.ts'
import { processFile } from './files/process-file.ts'
import { removeUnusedBlobs } from './files/remove-unused-blobs.ts'
import { housekeeping } from './housekeeping.ts'
import { incomingFeed } from './incoming/incoming-feed.ts'
import { purgeIncomingFeed } from './incoming/purge-incoming-feed.ts'
import { testIncomingFeed } from './incoming/test-incoming-feed.ts'
import { defineMail } from './mail.ts'
import { outgoingFeed } from './publishing/outgoing-feed.ts'
import { retention } from './retention.ts'
import type { Task, TaskTypes } from './task.ts'

export const mail = defineMail(answerRequests)

const tasks: readonly Task[] = [
  housekeeping,
  feedHealth,
  retention,
  mail,
  deleteEntitiesByQuery,
  updateEntitiesByQuery,
  fillDatasetByQuery,
  exportEntities,
  discoveryRule,
  removeUnusedBlobs,
  deleteUploads,
  processFile,
  incomingFeed,
  testIncomingFeed,
  purgeIncomingFeed,
  outgoingFeed,
  demoData,
]

/** Every kind of background work, by its type. */
export const taskTypes: TaskTypes = new Map(tasks.map((task) => [task.type, task]))
