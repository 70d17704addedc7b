import type { TaskOwner } from '../../../background/owned-tasks.ts'

/** Each policy has a task that consolidates the existing entities it covers. */
export const POLICIES: TaskOwner = {
  table: 'consolidation_rules',
  column: 'task',
  type: 'consolidation',
  title: 'Consolidation',
  parameter: 'policy',
}

/** The task that takes apart what deleted policies consolidated; its parameter `policies` has their ids. */
export const DISSOLUTION = { type: 'dissolve-unified-entities', title: 'Dissolve unified entities' } as const
