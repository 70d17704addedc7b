import { z } from 'zod'

const end = z.object({ url: z.url(), type: z.string(), title: z.string() })

/** What an id stands for, as far as the caller sees it. */
export const known = z.object({
  kind: z
    .enum(['entity', 'relationship', 'observable', 'object'])
    .nullable()
    .describe('object: kept with the entity as it came. Null where it is not visible to you or unknown.'),
  type: z.string().nullable().describe('Of an entity, observable or object; the key of a relationship.'),
  title: z.string().nullable().describe('The title of an entity, the value of an observable, the name of an object.'),
  url: z.url().nullable(),
  source: end.optional().describe('The ends of a relationship.'),
  target: end.optional(),
})

export type Known = z.output<typeof known>

export const reference = known.extend({
  id: z.string().describe('As it stands in the data.'),
  field: z.string().describe('The field of the data that it stands in.'),
})

export type Reference = z.output<typeof reference>
