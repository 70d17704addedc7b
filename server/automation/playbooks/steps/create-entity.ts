import { z } from 'zod'
import { string } from '../../../engine/field.ts'
import { sightOf } from '../../../identity/access/sight.ts'
import { entityTypes } from '../../../intelligence/entities/entity-data.ts'
import { tlpInput } from '../../../intelligence/entities/vocabulary.ts'
import { explained } from '../acting/explained.ts'
import { makeRelated } from '../acting/make-related.ts'
import { outOfScope, readSubject, UNSEEN } from '../acting/subject.ts'
import { defineStep } from '../step.ts'

const parameters = z.object({
  type: z.enum(entityTypes).describe('The type of the new entity, for example incident.'),
  title: string(1, 1000).describe('Its title, with placeholders.'),
  description: string(0, 20_000).default('').describe('Its description, with placeholders.'),
  tags: z.array(string(1, 500)).max(100).default([]).describe('Its tags.'),
  tlp_color: tlpInput
    .nullable()
    .default(null)
    .describe('Its colour. It is never less restricted than the object, whose colour it has otherwise.'),
  relationship: string(1, 256)
    .regex(/^[a-z0-9-]+$/, 'must contain only a-z, 0-9 and hyphens')
    .default('related-to')
    .describe('The key of the relationship between the new entity and the object, if that is an entity.'),
  relationship_from: z
    .enum(['new', 'object'])
    .default('new')
    .describe('Whether the relationship leads from the new entity to the object, or back.'),
  once_per: z
    .enum(['object', 'run'])
    .default('object')
    .describe('Whether the playbook creates one entity for each object, or one in each run.'),
})

export type NewEntity = z.output<typeof parameters>

/** Creates an entity that is related to the object. */
export const createEntity = defineStep({
  kind: 'create_entity',
  title: 'Create an entity',
  description:
    'Creates an entity in the source of the owner of the playbook, for example an incident, and relates it to the object: by a relationship to an entity, by a link to an observable.',
  outcomes: {
    created: 'The entity was created.',
    exists: 'The playbook created it earlier; it was left as it is.',
    out_of_scope:
      'The owner of the playbook does not see the object, or belongs to no group whose source could be used.',
  },
  collections: ['entities', 'observables', 'files'],
  parameters,
  templates: ['title', 'description'],
  permissions: () => ['read entities', 'modify entities'],
  act: async (step, wanted) => {
    const seen = await readSubject(step)
    if (!seen) return outOfScope(UNSEEN)
    if (sightOf(step.ctx).home === null) return outOfScope('The owner of the playbook belongs to no group.')
    return explained(() => makeRelated(step, wanted, seen))
  },
})
