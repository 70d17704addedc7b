import { z } from 'zod'
import { string } from '../../engine/field.ts'
import { CONFIDENCE_VALUES } from '../entities/records/confidence.ts'
import { tlpInput } from '../entities/vocabulary.ts'

const LONGEST = 1000

const tags = z
  .array(string(0, 500).refine((text) => text.isWellFormed(), 'must not contain half of a surrogate pair'))
  .max(LONGEST)
  // Clients that split an empty text send one empty tag.
  .overwrite((list) => [...new Set(list.map((tag) => tag.trim()))].filter((tag) => tag !== ''))
  .default([])

const references = z
  .array(z.union([string(1), z.int()], { error: 'must be an id, a URL or a path' }))
  .max(LONGEST)
  .default([])

/** What a deletion says beside its query. */
export const deletion = {
  ignore_exemptions: z.boolean().default(false).describe('Deletes also what is exempt; nothing is, so far.'),
}

/** What a change says beside its query; what it does not say stays as it is. */
export const change = {
  added_tags: tags,
  removed_tags: tags,
  added_taxonomies: references,
  removed_taxonomies: references,
  added_attacks: references,
  removed_attacks: references,
  confidence: z.enum(CONFIDENCE_VALUES).optional(),
  tlp_color: tlpInput.nullable().optional().describe('Null takes the colour away.'),
}

export type Change = z.output<z.ZodObject<typeof change>>

/** What is done with the entities that are found: they join the dataset, become all of it, or leave it. */
export const filling = { action: z.enum(['add', 'replace', 'remove']).default('add') }
