import { z } from 'zod'
import { DEFENSE_TYPES } from '../frameworks/framework.ts'

const node = z.object({ id: z.string(), name: z.string() })
const dead = node.extend({ successors: z.array(z.string()).describe('The live nodes that take its place.') })
const defense = z.object({ type: z.enum(DEFENSE_TYPES), external_id: z.string(), name: z.string() })

const uses = {
  entities: z.int().describe('That you see.'),
  annotations: z.int(),
  layers: z.int().describe('Analyses whose imported layer has the node.'),
  links: z.int().describe('Relationships of own defenses.'),
  queries: z
    .array(z.object({ kind: z.string(), id: z.int(), name: z.string() }))
    .describe('Objects with queries that name the node. They find its successors as well.'),
}
const renamed = z.object({ id: z.string(), before: z.string(), after: z.string() })

export const changeReport = z.object({
  new: z.array(node),
  live_again: z.array(node),
  revoked: z.array(dead),
  deprecated: z.array(dead),
  renamed: z.array(renamed),
  moved: z
    .array(z.object({ external_id: z.string(), name: z.string(), from: z.array(z.string()), to: z.array(z.string()) }))
    .describe('Techniques that have other places.'),
  text_changed: z.array(node),
  texts_added: z.int().describe('How many nodes get a description that had none.'),
  new_defenses: z.array(defense),
  removed_defenses: z.array(defense),
  relationships: z.object({ new: z.int(), removed: z.int() }),
  warnings: z.array(z.string()).describe('What of the document could not be used, and what to check.'),
  uses: z
    .array(
      z.object({
        id: z.string(),
        successors: z.array(z.string()),
        outcome: z
          .enum(['remapped', 'review', 'kept'])
          .describe('Its one successor takes its place, a user chooses among several, or it has none and stays.'),
        ...uses,
      }),
    )
    .describe('The dead nodes that something uses.'),
  renamed_uses: z.array(renamed.extend(uses)).describe('Nodes that something uses and that get another name.'),
})
