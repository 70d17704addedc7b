import { sql } from 'kysely'
import { z } from 'zod'
import { defineAction } from '../../engine/action.ts'
import { readPage } from '../../engine/query.ts'
import type { Route } from '../../engine/route.ts'

const mapping = z.object({
  custom_attribute_name: z.string(),
  custom_entity_types: z.array(z.object({ name: z.string(), type: z.string() })),
})

/** Lists which entity types have which attributes. */
export const mappingRoutes: readonly Route[] = [
  defineAction({
    name: 'list_custom_attribute_mappings',
    doc: 'List all custom attributes with the entity types that have them',
    tag: 'custom_attributes',
    method: 'GET',
    path: '/custom-attributes/mappings',
    permission: 'read configurations',
    result: z.array(mapping),
    refusals: [400],
    run: async ({ db }, _, { query }) => {
      const { limit, offset } = readPage(query)
      const { rows: data } = await sql<z.output<typeof mapping>>`
        select a.name as custom_attribute_name, array(
          select jsonb_build_object('name', d.name, 'type', d.type)
          from entity_definitions as d
          where d.attributes @> jsonb_build_array(jsonb_build_object('custom_attribute_id', a.id))
          order by d.type) as custom_entity_types
        from custom_attributes as a
        order by a.name
        limit ${limit} offset ${offset}`.execute(db)
      const { rows } = await sql<{ total: number }>`select count(*) as total from custom_attributes`.execute(db)
      return { count: data.length, data, limit, offset, total_count: rows[0]?.total ?? 0, cursor: null }
    },
    answer: (body) => ({ status: 200, body }),
  }),
]
