import type { TaskOwner } from '../../background/owned-tasks.ts'

/** The tasks of enrichment rules, which look up the observables of existing data. */
export const RULES: TaskOwner = {
  table: 'enrichment_rules',
  column: 'task',
  type: 'enrichment-rule',
  title: 'Enrichment rule',
  parameter: 'rule',
}
