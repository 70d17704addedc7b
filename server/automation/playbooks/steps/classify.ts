import { z } from 'zod'
import type { Link } from '../../../engine/reference.ts'
import { CHANGE_OUTCOMES, changeEntity } from '../acting/change-entity.ts'
import { links } from '../acting/links.ts'
import { defineStep } from '../step.ts'

const parameters = z
  .object({
    added_taxonomies: links('taxonomies').describe('Taxonomies to add.'),
    removed_taxonomies: links('taxonomies').describe('Taxonomies to remove.'),
    added_attacks: links('attacks').describe('Attack nodes to add.'),
    removed_attacks: links('attacks').describe('Attack nodes to remove.'),
  })
  .refine((sent) => Object.values(sent).some((list) => list.length > 0), 'needs something to add or to remove')

const ids = (list: readonly Link[]) => list.map(({ id }) => id)

/** Adds taxonomies and attack nodes to the entity, or removes them. */
export const classify = defineStep({
  kind: 'classify',
  title: 'Classify',
  description: 'Adds taxonomies and attack nodes to the entity, or removes them.',
  outcomes: CHANGE_OUTCOMES,
  collections: ['entities'],
  parameters,
  templates: [],
  permissions: () => ['read entities', 'modify entities'],
  act: (step, { added_taxonomies, removed_taxonomies, added_attacks, removed_attacks }) =>
    changeEntity(step, {
      added_taxonomies: ids(added_taxonomies),
      removed_taxonomies: ids(removed_taxonomies),
      added_attacks: ids(added_attacks),
      removed_attacks: ids(removed_attacks),
    }),
})
