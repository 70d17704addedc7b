import { z } from 'zod'
import { explained } from '../acting/explained.ts'
import { links } from '../acting/links.ts'
import { permissionsFor, place } from '../acting/places.ts'
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
  permissions: permissionsFor,
  act: async (step, wanted) => {
    if (!(await readSubject(step))) return outOfScope(UNSEEN)
    const { changed, reached, warnings } = await explained(() => place(step, 'remove', wanted))
    if (reached === 0) return outOfScope('The object can be removed from none of the places.', warnings)
    return {
      outcome: changed.length > 0 ? 'removed' : 'unchanged',
      output: { removed_from: changed },
      ...(warnings.length > 0 && { warnings }),
    }
  },
})
