import { z } from 'zod'
import { string } from '../../engine/field.ts'
import { CONFIDENCE_VALUES } from '../entities/records/confidence.ts'
import { tlpInput } from '../entities/vocabulary.ts'

const MAX_LIST_LENGTH = 1000

const tags = z
  .array(string(0, 500).refine((text) => text.isWellFormed(), 'must not contain half of a surrogate pair'))
  .max(MAX_LIST_LENGTH)
  // Clients that split an empty string send one empty tag.
  .overwrite((list) => [...new Set(list.map((tag) => tag.trim()))].filter((tag) => tag !== ''))
  .default([])

const references = z
  .array(z.union([string(1), z.int()], { error: 'must be an id, a URL or a path' }))
  .max(MAX_LIST_LENGTH)
  .default([])

/** The fields of a deletion, in addition to its query. */
export const deletion = {
  ignore_exemptions: z.boolean().default(false).describe('Also deletes exempt entities. No entities are exempt yet.'),
}

/** The fields of a change, in addition to its query. Absent fields stay unchanged. */
export const change = {
  added_tags: tags,
  removed_tags: tags,
  added_taxonomies: references,
  removed_taxonomies: references,
  added_attacks: references,
  removed_attacks: references,
  confidence: z.enum(CONFIDENCE_VALUES).optional(),
  tlp_color: tlpInput.nullable().optional().describe('Null removes the colour.'),
}

export type Change = z.output<z.ZodObject<typeof change>>

/** The fields of filling a dataset: the selected entities are added to it, replace its entities, or are removed from it. */
export const filling = { action: z.enum(['add', 'replace', 'remove']).default('add') }
