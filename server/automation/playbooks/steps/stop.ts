import { z } from 'zod'
import { string } from '../../../engine/field.ts'
import { defineStep, OBJECT_COLLECTIONS } from '../step.ts'

/** Ends the run. With `only_if`, a branch ends here. */
export const stop = defineStep({
  kind: 'stop',
  title: 'Stop',
  description: 'Ends the run without further steps.',
  outcomes: { stopped: 'The run ends here.' },
  ends: ['stopped'],
  collections: OBJECT_COLLECTIONS,
  parameters: z.object({ reason: string(1, 500).nullable().default(null).describe('Shown with the run.') }),
  templates: ['reason'],
  permissions: () => [],
  act: async ({ fill }, { reason }) => ({
    outcome: 'stopped',
    output: reason === null ? {} : { reason: await fill(reason) },
  }),
})
