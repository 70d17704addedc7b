import { z } from 'zod'
import { explained } from '../acting/explained.ts'
import { links } from '../acting/links.ts'
import { NOWHERE, placeInDatasets, placeInWorkspaces, together } from '../acting/places.ts'
import { outOfScope, readSubject, UNSEEN } from '../acting/subject.ts'
import { defineStep } from '../step.ts'

const parameters = z
  .object({
    datasets: links('datasets').describe(
      'Static datasets that the entity is removed from, and with them from their feeds.',
    ),
    workspaces: links('workspaces').describe('Workspaces that the entity or the file is removed from.'),
  })
  .refine((sent) => Object.values(sent).some((list) => list.length > 0), 'needs a dataset or a workspace')

/** Removes the object from datasets and workspaces. */
export const removeFrom = defineStep({
  kind: 'remove_from',
  title: 'Remove from dataset or workspace',
  description: 'Removes an entity from datasets and workspaces, and a file from workspaces.',
  outcomes: {
    removed: 'The object was in at least one of them.',
    unchanged: 'The object was in none of them.',
    out_of_scope: 'The owner of the playbook does not see the object, or may change none of the places.',
  },
  collections: ['entities', 'files'],
  parameters,
  templates: [],
  permissions: ({ datasets, workspaces }) => [
    ...(datasets.length > 0 ? ['read intel-sets', 'modify intel-sets'] : []),
    ...(workspaces.length > 0 ? ['read workspaces', 'modify workspaces'] : []),
  ],
  act: async (step, { datasets, workspaces }) => {
    const { ctx, subject } = step
    if (!(await readSubject(step))) return outOfScope(UNSEEN)
    const isEntity = subject.collection === 'entities'
    const mayMove = subject.collection !== 'files' || ctx.caller.permissions.has('modify files')
    const { changed, reached, warnings } = await explained(async () =>
      together([
        isEntity ? await placeInDatasets(ctx, 'remove', subject.id, datasets) : NOWHERE,
        mayMove ? await placeInWorkspaces(ctx, 'remove', subject, workspaces) : NOWHERE,
      ]),
    )
    if (reached === 0) return outOfScope('The object can be removed from none of the places.', warnings)
    return {
      outcome: changed.length > 0 ? 'removed' : 'unchanged',
      output: { removed_from: changed },
      ...(warnings.length > 0 && { warnings }),
    }
  },
})
