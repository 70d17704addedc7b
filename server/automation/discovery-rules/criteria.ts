import { sql } from 'kysely'
import { itemPrefix } from '../../engine/bulk-errors.ts'
import type { Context } from '../../engine/context.ts'
import { badRequest } from '../../engine/errors.ts'
import type { Id } from '../../engine/reference.ts'

/** Where keywords are searched, with the names of these fields in queries. */
export const KEYWORD_FIELDS = { title: 'data.title', tags: 'meta.tags', description: 'data.description' } as const

type KeywordField = keyof typeof KEYWORD_FIELDS

/** What a rule looks for: an entity must match all criteria, and one entry of each list. */
export interface Criteria {
  readonly id: number
  readonly keywords: readonly string[]
  readonly match_keywords_in: readonly KeywordField[]
  readonly entity_types: readonly string[]
  readonly search_query: string | null
  /** Ids of sources. */
  readonly sources: readonly string[]
  /** The user whose sight the rule has. */
  readonly owner: number | null
  /** The digest of what it matches. */
  readonly matching: string | null
  readonly problem: string | null
}

const CRITERIA = sql`t.id, t.keywords, t.match_keywords_in, t.entity_types, t.search_query, t.owner, t.matching, t.problem,
  array(select l.target from discovery_rule_sources as l where l.source = t.id) as sources`

/** The criteria of rules, in the order of the given ids. */
export async function criteriaOf({ db }: Pick<Context, 'db'>, ids: readonly Id[]): Promise<Criteria[]> {
  const { rows } = await sql<Criteria>`
    select ${CRITERIA}
    from unnest(${ids}::integer[]) with ordinality as i(id, place) join discovery_rules as t on t.id = i.id
    order by i.place`.execute(db)
  return rows
}

/** The active rules, locked: a rule that changed now would keep what is found with its former criteria. */
export async function lockActiveRules({ db }: Pick<Context, 'db'>): Promise<Criteria[]> {
  const { rows } = await sql<Criteria>`
    select ${CRITERIA} from discovery_rules as t where t.is_active order by t.id for no key update of t`.execute(db)
  return rows
}

/** Whether a rule would find all entities. */
export const isBoundless = ({ keywords, entity_types, search_query, sources }: Criteria): boolean =>
  keywords.length + entity_types.length + sources.length === 0 && search_query === null

/** Throws a 400 for rules that would find all entities. */
export function refuseBoundless(rows: readonly Criteria[]): void {
  const faults = rows.flatMap((row, i) => {
    const where = itemPrefix(rows, i)
    const nowhere = row.keywords.length > 0 && row.match_keywords_in.length === 0
    return [
      ...(isBoundless(row)
        ? [`${where}keywords: is required, unless there are entity_types, sources or a search_query`]
        : []),
      ...(nowhere ? [`${where}match_keywords_in: is required if there are keywords`] : []),
    ]
  })
  if (faults.length > 0) throw badRequest(faults)
}
