import type { TaskOwner } from '../../background/owned-tasks.ts'

/** The tasks of playbooks with a schedule, which start runs on what matches then. */
export const PLAYBOOKS: TaskOwner = {
  table: 'playbooks',
  column: 'task',
  type: 'playbook',
  title: 'Playbook',
  parameter: 'playbook',
}
