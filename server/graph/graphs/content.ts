import { z } from 'zod'
import { string } from '../../engine/field.ts'
import { refuseUnstorable } from '../../engine/storable.ts'

/** Larger graphs are too big to look at. */
const MAX_NODES = 20_000
const MAX_AGGREGATES = 1000
const MAX_HIDDEN = 1000

const place = {
  x: z.number().min(-1e9).max(1e9),
  y: z.number().min(-1e9).max(1e9),
  is_pinned: z.boolean().default(false),
}

const node = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('entity'), id: z.uuid(), ...place }),
  z.object({
    kind: z.literal('observable'),
    id: z
      .int()
      .min(1)
      .max(2 ** 31 - 1),
    ...place,
  }),
])

const aggregate = z.object({
  of: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('entity'), id: z.uuid() }),
    z.object({
      kind: z.literal('observable'),
      id: z
        .int()
        .min(1)
        .max(2 ** 31 - 1),
    }),
  ]),
  group: string(1, 2000).describe('A group name from the neighbourhood, or an entity type.'),
  ...place,
})

const filters = z.object({
  hidden_types: z.array(string(1, 500)).max(MAX_HIDDEN).default([]),
  hidden_keys: z.array(string(0, 500)).max(MAX_HIDDEN).default([]),
  least_degree: z.int().min(0).max(1_000_000).default(0),
  from: z.iso.datetime({ offset: true }).nullable().default(null),
  until: z.iso.datetime({ offset: true }).nullable().default(null),
})

/** The content of a saved graph: node ids, positions and what is hidden, but no data of the nodes. */
export const graphContent = z
  .object({
    nodes: z.array(node).max(MAX_NODES).default([]),
    aggregates: z.array(aggregate).max(MAX_AGGREGATES).default([]).describe('Neighbours drawn as one node.'),
    filters: filters.prefault({}),
  })
  .check(refuseUnstorable)
