import { type Kysely, sql } from 'kysely'
import { badRequest } from '../../engine/errors.ts'
import type { Id } from '../../engine/reference.ts'
import type { Context } from '../../engine/resource.ts'

/** Where keywords are looked for, and what queries call it. */
export const KEYWORD_PLACES = { title: 'data.title', tags: 'meta.tags', description: 'data.description' } as const

type KeywordPlace = keyof typeof KEYWORD_PLACES

/** What a rule looks for: all that is said must hold, and of each list one. */
export interface Criteria {
  readonly id: number
  readonly keywords: readonly string[]
  readonly match_keywords_in: readonly KeywordPlace[]
  readonly entity_types: readonly string[]
  readonly search_query: string | null
  /** Ids of sources. */
  readonly sources: readonly string[]
  /** For whom it looks. */
  readonly owner: number | null
}

/** What rules look for, in the order of their ids as given. */
export async function criteriaOf({ db }: Pick<Context, 'db'>, ids: readonly Id[]): Promise<Criteria[]> {
  const { rows } = await sql<Criteria>`
    select t.id, t.keywords, t.match_keywords_in, t.entity_types, t.search_query, t.owner,
      array(select l.target from discovery_rule_sources as l where l.source = t.id) as sources
    from unnest(${ids}::integer[]) with ordinality as i(id, place) join discovery_rules as t on t.id = i.id
    order by i.place`.execute(db)
  return rows
}

/** The rules that are compared with entities as these are written. One without a schedule only runs when its task is started. */
export async function followingRules(db: Kysely<unknown>): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select id from discovery_rules where is_active and execution_schedule is not null order by id`.execute(db)
  return rows.map(({ id }) => id)
}

/** Refuses rules that would find everything there is. */
export function refuseBoundless(rows: readonly Criteria[]): void {
  const isBoundless = ({ keywords, entity_types, search_query, sources }: Criteria) =>
    keywords.length + entity_types.length + sources.length === 0 && search_query === null
  const faults = rows.flatMap((row, i) => {
    const where = rows.length > 1 ? `[${i}].` : ''
    const nowhere = row.keywords.length > 0 && row.match_keywords_in.length === 0
    return [
      ...(isBoundless(row)
        ? [`${where}keywords: is required, unless there are entity_types, sources or a search_query`]
        : []),
      ...(nowhere ? [`${where}match_keywords_in: is required where there are keywords`] : []),
    ]
  })
  if (faults.length > 0) throw badRequest(faults)
}
