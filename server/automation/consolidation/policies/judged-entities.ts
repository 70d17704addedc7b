import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Context, Item } from '../../../engine/context.ts'
import { inTurns } from '../../../engine/in-turns.ts'
import { resourceOf, visible } from '../../../engine/select.ts'
import { uuidList } from '../../../fast/binary-arrays.ts'
import { sourceOf } from '../../../identity/access/visibility.ts'
import { type Subject, subjectOf } from '../matching/subject.ts'

const BATCH_SIZE = 1000

/** Which entities a configuration is about. */
export interface Scope {
  readonly entity_types: readonly string[]
  /** Ids; empty for all. */
  readonly sources: readonly string[]
}

const numbersOf = (sources: readonly string[]): RawBuilder<unknown> =>
  sql`array(select s.number from sources as s where s.id = any(${sources}::uuid[]))`

const isIn = ({ entity_types: types, sources }: Scope): RawBuilder<SqlBool> =>
  sources.length === 0
    ? sql`t.type = any(${types}::text[])`
    : sql`(t.type = any(${types}::text[]) and ${sourceOf(sql`t.vis`)} = any(${numbersOf(sources)}))`

/** Whether an older policy than the one with this id, or than a new one, covers the entity `t`. */
const isOfOlderPolicy = (id: number | null): RawBuilder<SqlBool> => sql`exists (
  select from consolidation_configurations as c
  where (${id}::integer is null or c.policy_id < ${id}) and t.type = any(c.entity_types) and (
    not exists (select from consolidation_configuration_sources as l where l.source = c.id)
    or exists (
      select from consolidation_configuration_sources as l join sources as s on s.id = l.target
      where l.source = c.id and s.number = ${sourceOf(sql`t.vis`)})))`

/** The ids of the newest entities that the caller sees and that a policy covers, at most `limit`. */
export async function coveredEntities(
  ctx: Context,
  policy: number | null,
  scopes: readonly Scope[],
  limit: number,
): Promise<readonly string[]> {
  const { rows } = await sql<{ id: string }>`
    select t.id from entities as t
    where ${visible(ctx, resourceOf(ctx, 'entities'))} and (${sql.join(scopes.map(isIn), sql` or `)})
      and not t.is_unified and not t.is_unresolved and not t.is_withdrawn and not ${isOfOlderPolicy(policy)}
    order by t.created_at desc, t.id desc
    limit ${limit}`.execute(ctx.db)
  return rows.map(({ id }) => id)
}

/** What the entities are compared by, as far as there is time until the deadline. */
export async function judge(ctx: Context, ids: readonly string[], deadline: number): Promise<Subject[]> {
  const subjects: Subject[] = []
  for (let from = 0; from < ids.length && Date.now() < deadline; from += BATCH_SIZE) {
    const batch = uuidList(ids.slice(from, from + BATCH_SIZE))
    const { rows } = await sql<Comparable>`
      select t.id, t.stix_id, t.type, ${sourceOf(sql`t.vis`)} as source, t.data, t.meta ->> 'alias' as alias,
        array(select l.target from entity_observables as l where l.source = t.id and t.type = 'indicator') as observables
      from entities as t
      where t.id = any(${batch}::uuid[]) and ${visible(ctx, resourceOf(ctx, 'entities'))}`.execute(ctx.db)
    subjects.push(...(await inTurns(rows, ({ alias, ...row }) => subjectOf({ ...row, ...(alias && { alias }) }))))
  }
  return subjects
}

interface Comparable {
  readonly id: string
  readonly stix_id: string
  readonly type: string
  readonly source: number
  readonly data: Item
  readonly alias: string | null
  readonly observables: number[]
}
