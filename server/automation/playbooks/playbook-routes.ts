import { z } from 'zod'
import { defineAction } from '../../engine/action.ts'
import { get, requireVisible } from '../../engine/fetch.ts'
import { present } from '../../engine/present.ts'
import { readId } from '../../engine/query.ts'
import type { Route } from '../../engine/route.ts'
import { resourceOf } from '../../engine/select.ts'
import { resumePlaybook } from './resume.ts'
import { runRoutes } from './run-routes.ts'
import { listKinds, shownKind } from './step-kinds.ts'
import { playbookTemplates, shownTemplate } from './templates/templates.ts'

/** The endpoints of playbooks that are not standard operations. */
export const playbookRoutes: readonly Route[] = [
  ...runRoutes,
  defineAction({
    name: 'list_playbook_step_kinds',
    doc: 'List the kinds of steps, with their outcomes and parameters',
    tag: 'playbooks',
    method: 'GET',
    path: '/playbooks/step-kinds',
    permission: 'read playbooks',
    result: z.array(shownKind),
    run: async () => listKinds(),
  }),
  defineAction({
    name: 'list_playbook_templates',
    doc: 'List the ready-made playbooks, and what has to be chosen before one can be saved',
    tag: 'playbooks',
    method: 'GET',
    path: '/playbooks/templates',
    permission: 'read playbooks',
    result: z.array(shownTemplate),
    run: async () => [...playbookTemplates],
  }),
  defineAction({
    name: 'resume_playbooks',
    doc: 'End the pause of a playbook that failed repeatedly, so that runs go on',
    tag: 'playbooks',
    method: 'POST',
    path: '/playbooks/:id/resume',
    permission: 'modify playbooks',
    result: z.looseObject({}),
    refusals: [404],
    run: async (ctx, _, { params }) => {
      const resource = resourceOf(ctx, 'playbooks')
      const id = readId(resource, params.id ?? '')
      await requireVisible(ctx, resource, id)
      await resumePlaybook(ctx, id)
      return present(ctx, resource, await get(ctx, resource, id))
    },
  }),
]
