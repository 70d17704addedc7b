import { z } from 'zod'
import { explained } from '../acting/explained.ts'
import { links } from '../acting/links.ts'
import { placeInReports } from '../acting/place-in-reports.ts'
import { permissionsFor, place, together } from '../acting/places.ts'
import { outOfScope, readSubject, UNSEEN } from '../acting/subject.ts'
import { defineStep } from '../step.ts'

const parameters = z
  .object({
    datasets: links('datasets').describe('Static datasets that the entity becomes part of.'),
    workspaces: links('workspaces').describe('Workspaces that the entity or the file becomes part of.'),
    reports: links('entities').describe('Reports that are about the entity or the observable from then on.'),
  })
  .refine((sent) => Object.values(sent).some((list) => list.length > 0), 'needs a dataset, a workspace or a report')

/** Adds the object to datasets, workspaces and reports. */
export const addTo = defineStep({
  kind: 'add_to',
  title: 'Add to dataset, workspace or report',
  description:
    'Adds an entity to datasets, workspaces and reports, an observable to reports, and a file to workspaces.',
  outcomes: {
    added: 'The object was new to at least one of them.',
    unchanged: 'The object was in all of them already.',
    out_of_scope: 'The owner of the playbook does not see the object, or may fill none of the places.',
  },
  collections: ['entities', 'observables', 'files'],
  parameters,
  templates: [],
  permissions: (wanted) => [
    ...permissionsFor(wanted),
    ...(wanted.reports.length > 0 ? ['read entities', 'modify entities'] : []),
  ],
  act: async (step, wanted) => {
    if (!(await readSubject(step))) return outOfScope(UNSEEN)
    const { changed, reached, warnings } = await explained(async () =>
      together([await place(step, 'add', wanted), await placeInReports(step.ctx, step.subject, wanted.reports)]),
    )
    if (reached === 0) return outOfScope('None of the places can take the object.', warnings)
    return {
      outcome: changed.length > 0 ? 'added' : 'unchanged',
      output: { added_to: changed },
      ...(warnings.length > 0 && { warnings }),
    }
  },
})
