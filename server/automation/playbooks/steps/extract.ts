import { sql } from 'kysely'
import { z } from 'zod'
import { OBSERVABLE_TYPES } from '../../../domain/observables/types.ts'
import { resourceOf } from '../../../engine/select.ts'
import type { ObservableLink } from '../../../intelligence/entities/observables-in.ts'
import { changeEntity } from '../acting/change-entity.ts'
import { explained } from '../acting/explained.ts'
import { findInTexts } from '../acting/find-in-texts.ts'
import { outOfScope, readSubject, UNSEEN } from '../acting/subject.ts'
import { defineStep, type StepContext } from '../step.ts'

const parameters = z
  .object({
    observables: z.boolean().default(true).describe('Whether observables in the texts are linked to the entity.'),
    attacks: z.boolean().default(true).describe('Whether attack nodes that the texts name are added to the entity.'),
    types: z
      .array(z.enum(OBSERVABLE_TYPES))
      .max(200)
      .default([])
      .describe('Only observables of these types; empty for all.'),
  })
  .refine(({ observables, attacks }) => observables || attacks, 'needs observables or attacks')

/** Finds observables and attack nodes in the texts of the entity, as the import of files does. */
export const extract = defineStep({
  kind: 'extract',
  title: 'Extract from the text',
  description:
    'Finds observables and attack nodes in the title and the description of the entity, as the import of a text file does, and adds them to the entity. Observables on exclusion lists are left out.',
  outcomes: {
    found: 'The texts contain observables or attack nodes; the entity has them now.',
    not_found: 'The texts contain none.',
    out_of_scope: 'The owner of the playbook does not see the entity, or it cannot be changed.',
  },
  collections: ['entities'],
  parameters,
  templates: [],
  permissions: () => ['read entities', 'modify entities', 'read extracts'],
  act: async (step, { observables, attacks, types }) => {
    const seen = await readSubject(step)
    if (!seen) return outOfScope(UNSEEN)
    if (seen.isFixed) return outOfScope('The entity cannot be changed.')
    const found = await findInTexts(step)
    const isWanted = ({ type }: { readonly type: string }) => types.length === 0 || types.some((each) => each === type)
    const linked = observables ? found.observables.filter(isWanted) : []
    const nodes = attacks ? found.attacks : []
    const added = linked.length > 0 ? await explained(() => link(step, linked)) : 0
    if (nodes.length > 0) await changeEntity(step, { added_attacks: [...nodes] })
    return {
      outcome: linked.length + nodes.length > 0 ? 'found' : 'not_found',
      output: { observables: linked.length, new_observables: added, excluded: found.excluded, attacks: nodes },
      ...(found.warnings.length > 0 && { warnings: found.warnings }),
    }
  },
})

/** Links observables to the entity, and returns how many it did not have. */
async function link({ ctx, subject }: StepContext, found: readonly ObservableLink[]): Promise<number> {
  const resource = resourceOf(ctx, 'entities')
  const count = async () => {
    const { rows } = await sql<{ count: number }>`
      select count(*)::integer as count from entity_observables where source = ${subject.id}::uuid`.execute(ctx.db)
    return rows[0]?.count ?? 0
  }
  const before = await count()
  await resource.operations.link?.(ctx, resource, subject.id, 'observables', found as never)
  return (await count()) - before
}
