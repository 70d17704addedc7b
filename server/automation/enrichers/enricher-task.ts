import type { TaskOwner } from '../../background/owned-tasks.ts'

/** The tasks of enrichers, which look observables up again. */
export const ENRICHERS: TaskOwner = {
  table: 'enrichers',
  column: 'task',
  type: 'enricher',
  title: 'Enricher',
  parameter: 'enricher',
}
