import { sql } from 'kysely'
import { z } from 'zod'
import type { Context } from '../../engine/context.ts'
import { toUrl } from '../../engine/reference.ts'
import { MATRICES } from '../frameworks/framework.ts'
import { OFFICIAL } from './official.ts'
import { seenReviews } from './reviews.ts'

export const framework = z.object({
  matrix: z.enum(MATRICES),
  version: z.string(),
  notice: z.string().describe('What the publisher asks to be shown with its texts.'),
  has_texts: z.boolean().describe('Whether nodes have descriptions, which come with the official bundle.'),
  loaded_at: z.string(),
  loaded_by: z.string().nullable(),
  url: z.string().nullable().describe('The address of the official bundle.'),
  counts: z
    .record(z.string(), z.int())
    .describe('The numbers of live nodes and of defenses by type; a technique counts once.'),
  load: z.int().nullable().describe('The newest load; null for the facts that came with the product.'),
  open_reviews: z.int(),
})
type Framework = z.output<typeof framework>

type Row = Omit<Framework, 'loaded_by' | 'url' | 'open_reviews'> & { readonly loaded_by: number | null }

/** The frameworks that are stored. */
export async function listFrameworks(ctx: Context): Promise<Framework[]> {
  const { rows } = await sql<Row>`
    select f.matrix, f.version, f.notice, f.loaded_at, f.loaded_by,
      exists (select from attack_nodes as n where n.matrix = f.matrix and n.description <> '') as has_texts,
      (select l.id from framework_loads as l where l.matrix = f.matrix and l.state = 'loaded' order by l.loaded_at desc limit 1) as load,
      (
        select coalesce(jsonb_object_agg(c.type, c.count), '{}')
        from (
          select n.type, count(distinct n.external_id) as count from attack_nodes as n
          where n.matrix = f.matrix and n.state = 'live' and n.type <> 'matrix' group by 1
          union all
          select d.type, count(*) from attack_defenses as d where d.is_system and f.matrix = any(d.domains) group by 1
        ) as c
      ) as counts
    from frameworks as f
    order by array_position(${MATRICES}::text[], f.matrix)`.execute(ctx.db)
  const open = Map.groupBy(await seenReviews(ctx, { states: ['open'] }), ({ matrix }) => matrix)
  return rows.map(({ loaded_by, ...row }) => ({
    ...row,
    loaded_by: loaded_by === null ? null : toUrl(ctx.baseUrl, 'users', loaded_by),
    url: OFFICIAL[row.matrix],
    open_reviews: open.get(row.matrix)?.length ?? 0,
  }))
}
