import { z } from 'zod'

const end = z.object({ url: z.url(), type: z.string(), title: z.string() })

/** The visible object that an id stands for. */
export const known = z.object({
  kind: z
    .enum(['entity', 'relationship', 'observable', 'object'])
    .nullable()
    .describe(
      '`object` is an object that was imported with the entity. Null if the id is unknown or not visible to you.',
    ),
  type: z.string().nullable().describe('The type of an entity, observable or object, or the key of a relationship.'),
  title: z.string().nullable().describe('The title of an entity, the value of an observable, the name of an object.'),
  url: z.url().nullable(),
  source: end.optional().describe('The source of a relationship.'),
  target: end.optional().describe('The target of a relationship.'),
})

export type Known = z.output<typeof known>

export const reference = known.extend({
  id: z.string().describe('The id as written in the data.'),
  field: z.string().describe('The field of the data that contains the id.'),
})

export type Reference = z.output<typeof reference>
