import { z } from 'zod'
import { string } from '../../../engine/field.ts'
import { storedQuery } from '../../../intelligence/queries/stored-query.ts'
import { matchesQuery } from '../matches.ts'
import { defineStep, OBJECT_COLLECTIONS, type StepContext } from '../step.ts'

const earlier = z.object({
  step: string(1, 40).describe('The id of an earlier step.'),
  outcome: z.array(string(1, 100)).min(1).max(50),
})

const parameters = z
  .object({
    query: storedQuery.nullable().default(null).describe('A Lucene query that the object must match.'),
    outcomes: z.array(earlier).max(10).default([]).describe('Outcomes of earlier steps, all of which are needed.'),
  })
  .refine(({ query, outcomes }) => query !== null || outcomes.length > 0, {
    path: ['query'],
    message: 'is required, unless there are outcomes',
  })

/** Goes on with the run only if the object matches a query, or earlier steps had certain outcomes. */
export const condition = defineStep({
  kind: 'condition',
  title: 'Condition',
  description: 'Ends the run unless the object matches a query and earlier steps had the given outcomes.',
  outcomes: { met: 'The run goes on.', not_met: 'The run ends here.' },
  ends: ['not_met'],
  collections: OBJECT_COLLECTIONS,
  parameters,
  templates: [],
  permissions: () => [],
  act: async (step, { query, outcomes }) => {
    const isMet =
      outcomes.every((each) => hasOutcome(step, each)) &&
      (query === null || (await matchesQuery(step.ctx, step.subject, query)))
    return { outcome: isMet ? 'met' : 'not_met', output: {} }
  },
})

const hasOutcome = ({ results }: StepContext, { step, outcome }: z.output<typeof earlier>): boolean =>
  outcome.includes(results.get(step)?.outcome ?? '')
