import { z } from 'zod'
import { changeEntities, resolveChange } from '../../../intelligence/by-query/change-entities.ts'
import { type Change, change } from '../../../intelligence/by-query/payloads.ts'
import type { StepContext, StepResult } from '../step.ts'
import { explained } from './explained.ts'
import { outOfScope, readSubject, UNSEEN } from './subject.ts'

const NO_CHANGE: Change = z.object(change).parse({})

/** The outcomes of steps that change their entity. */
export const CHANGE_OUTCOMES = {
  changed: 'The entity was changed.',
  unchanged: 'The entity was like that already.',
  out_of_scope: 'The owner of the playbook does not see the entity, or it is a unified one, which cannot be changed.',
}

/** Changes the entity of a run as a change by query does, with its rules and its history. */
export async function changeEntity(step: StepContext, wanted: Partial<Change>): Promise<StepResult> {
  const { ctx, subject } = step
  const seen = await readSubject(step)
  if (!seen) return outOfScope(UNSEEN)
  if (seen.isFixed)
    return outOfScope('The entity cannot be changed: its contributors determine it, or it has no content yet.')
  const changed = await explained(async () => {
    const resolved = await resolveChange(ctx, { ...NO_CHANGE, ...wanted })
    return changeEntities(ctx, resolved, [subject.id])
  })
  return { outcome: changed > 0 ? 'changed' : 'unchanged', output: { entities: changed } }
}
