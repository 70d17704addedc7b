import { consolidateEntities, deconsolidateEntities } from './automation/consolidation/by-query/tasks.ts'
import { consolidateExisting, dissolveUnified } from './automation/consolidation/policies/consolidate-existing.ts'
import { discoveryRule } from './automation/discovery-rules/discovery-rule.ts'
import { enricherTask, enrichObservables } from './automation/enrichers/runs/enrich-tasks.ts'
import { refreshTable } from './automation/enrichers/tables/refresh-table.ts'
import { enrichmentRule } from './automation/enrichment-rules/enrichment-rule.ts'
import { scheduledPlaybook } from './automation/playbooks/scheduled-playbook.ts'
import type { Task, TaskTypes } from './background/task.ts'
import { demoData } from './demo/demo-data.ts'
import { exportEntities } from './exchange/exporting/tasks/export-entities.ts'
import { deleteUploads } from './exchange/processing/delete-uploads.ts'
import { processFile } from './exchange/processing/process-file.ts'
import { removeUnusedBlobs } from './exchange/processing/remove-unused-blobs.ts'
import { feedHealth } from './feeds/health/feed-health.ts'
import { incomingFeed } from './feeds/incoming/processing/incoming-feed.ts'
import { purgeIncomingFeed } from './feeds/incoming/processing/purge-incoming-feed.ts'
import { testIncomingFeed } from './feeds/incoming/trials/test-incoming-feed.ts'
import { outgoingFeed } from './feeds/publishing/outgoing-feed.ts'
import { housekeeping } from './housekeeping.ts'
import { mailRequestedLinks } from './identity/sign-in/password-mails.ts'
import { deleteEntitiesByQuery } from './intelligence/by-query/tasks/delete-entities.ts'
import { fillDatasetByQuery } from './intelligence/by-query/tasks/fill-dataset.ts'
import { updateEntitiesByQuery } from './intelligence/by-query/tasks/update-entities.ts'
import { entityRuleTask } from './intelligence/entity-rules/entity-rule-task.ts'
import { undoEntityRule } from './intelligence/entity-rules/undo/undo-task.ts'
import { defineMail } from './mail/mail-task.ts'
import { retention } from './retention/retention.ts'

export const mail = defineMail(mailRequestedLinks)

const tasks: readonly Task[] = [
  housekeeping,
  feedHealth,
  retention,
  mail,
  deleteEntitiesByQuery,
  updateEntitiesByQuery,
  fillDatasetByQuery,
  entityRuleTask,
  undoEntityRule,
  exportEntities,
  discoveryRule,
  removeUnusedBlobs,
  deleteUploads,
  processFile,
  incomingFeed,
  testIncomingFeed,
  purgeIncomingFeed,
  outgoingFeed,
  enrichObservables,
  enricherTask,
  enrichmentRule,
  scheduledPlaybook,
  consolidateExisting,
  dissolveUnified,
  consolidateEntities,
  deconsolidateEntities,
  refreshTable,
  demoData,
]

/** All task types by name. */
export const taskTypes: TaskTypes = new Map(tasks.map((task) => [task.type, task]))
