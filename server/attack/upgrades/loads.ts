import { sql } from 'kysely'
import { z } from 'zod'
import type { Context } from '../../engine/context.ts'
import { notFound } from '../../engine/errors.ts'
import { toUrl } from '../../engine/reference.ts'
import { MATRICES } from '../frameworks/framework.ts'
import { isOlder } from './is-older.ts'
import { seenReviews } from './reviews.ts'
import { isSeen } from './uses.ts'

export const LOAD_STATES = ['preview', 'loaded', 'undone'] as const

export const load = z.object({
  id: z.int(),
  matrix: z.enum(MATRICES),
  state: z.enum(LOAD_STATES),
  version: z.string(),
  previous_version: z.string(),
  is_downgrade: z.boolean(),
  origin: z.string().describe('The name of the file, or the address.'),
  size: z.int().describe('Of the document, in bytes.'),
  remapped: z
    .object({ entities: z.int(), annotations: z.int(), layers: z.int(), links: z.int() })
    .nullable()
    .describe('How many objects have other nodes for it; entities that you see. Null for a preview.'),
  open_reviews: z.int(),
  can_undo: z.boolean().describe('Whether it is the newest of its matrix that is loaded.'),
  created_at: z.string(),
  created_by: z.string().nullable(),
  loaded_at: z.string().nullable(),
  loaded_by: z.string().nullable(),
  undone_at: z.string().nullable(),
  undone_by: z.string().nullable(),
})
export type Load = z.output<typeof load>

/** Which loads to list. */
export interface Wanted {
  readonly id?: number
  readonly matrices?: readonly string[]
  readonly states?: readonly string[]
}

const MAX_LISTED = 100

type Row = Omit<Load, 'is_downgrade' | 'open_reviews' | 'created_by' | 'loaded_by' | 'undone_by'> & {
  readonly created_by: number | null
  readonly loaded_by: number | null
  readonly undone_by: number | null
}

/** Loads without their reports, the newest first. */
export async function listLoads(ctx: Context, { id, matrices, states }: Wanted): Promise<Load[]> {
  const { rows } = await sql<Row>`
    select l.id, l.matrix, l.state, l.version, l.previous_version, l.origin, l.size, l.created_at, l.created_by, l.loaded_at, l.loaded_by,
      l.undone_at, l.undone_by,
      l.state = 'loaded' and not exists (
        select from framework_loads as o where o.matrix = l.matrix and o.state = 'loaded' and o.loaded_at > l.loaded_at) as can_undo,
      case when l.state <> 'preview' then jsonb_build_object(
        'entities', (
          select count(distinct t.id) from framework_remappings as r join entities as t on t.id = r.entity
          where r.load = l.id and ${isSeen(ctx, 'entities')}),
        'annotations', ${inAnalyses('annotations')},
        'layers', ${inAnalyses('layers')},
        'links', (select count(distinct r.link) from framework_remappings as r where r.load = l.id)) end as remapped
    from framework_loads as l
    where (${id ?? null}::integer is null or l.id = ${id ?? null})
      and (${matrices ?? null}::text[] is null or l.matrix = any(${matrices ?? null}::text[]))
      and (${states ?? null}::text[] is null or l.state = any(${states ?? null}::text[]))
    order by l.id desc
    limit ${MAX_LISTED}`.execute(ctx.db)
  const open = Map.groupBy(await seenReviews(ctx, { states: ['open'] }), (review) => review.load)
  const user = (id: number | null) => (id === null ? null : toUrl(ctx.baseUrl, 'users', id))
  return rows.map(({ created_by, loaded_by, undone_by, ...row }) => ({
    ...row,
    is_downgrade: isOlder(row.version, row.previous_version),
    open_reviews: open.get(row.id)?.length ?? 0,
    created_by: user(created_by),
    loaded_by: user(loaded_by),
    undone_by: user(undone_by),
  }))
}

/** How many annotations or layers a load and the choices that belong to it changed. */
const inAnalyses = (name: 'annotations' | 'layers') => sql`(
  select coalesce(sum(jsonb_array_length(done.analyses -> ${sql.lit(name)})), 0)::integer
  from (
    select l.analyses
    union all
    select v.analyses from framework_reviews as v where v.load = l.id and v.state in ('chosen', 'undone')
  ) as done)`

/** One load without its report. */
export async function getLoad(ctx: Context, id: number): Promise<Load> {
  const [found] = await listLoads(ctx, { id })
  if (!found) throw notFound(id)
  return found
}
