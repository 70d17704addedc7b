import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Context } from '../../engine/context.ts'
import { resourceOf, visible } from '../../engine/select.ts'
import { integerList, uuidList } from '../../fast/binary-arrays.ts'
import { holdsKey, keysOfUser } from '../../identity/access/sight.ts'
import { rankOf, sourceOf } from '../../identity/access/visibility.ts'
import { rankOfColour } from '../enrichers/requests/candidates.ts'
import { addedLinks } from '../written-links.ts'
import type { Scope } from './criteria.ts'

type Sql = RawBuilder<unknown>

/** The type of what a source itself says of an observable, without an entity. */
const NO_ENTITY = sql`''::text`

/** The criteria of rules as rows, given rows `r` of `rule`, `owner` and `criteria`. A criterion whose source was deleted matches nothing. */
const termsOf = (rules: Sql): Sql => sql`
  select r.rule, r.owner, c.entity_type, s.number as source, case when not coalesce(c.without_tlp, false) and c.tlp is not null then ${rankOfColour(sql`c.tlp`)} end as rank
  from (${rules}) as r
  cross join lateral jsonb_to_recordset(case when r.criteria = '[]' then '[{}]' else r.criteria end)
    as c(entity_type text, source uuid, tlp text, without_tlp boolean)
  left join sources as s on s.id = c.source
  where c.source is null or s.id is not null`

/** Whether the criterion `t` matches an entity type and a key. */
const isMeant = (type: Sql, vis: Sql): RawBuilder<SqlBool> => sql`(
  (t.entity_type is null or t.entity_type = ${type})
  and (t.source is null or t.source = ${sourceOf(vis)})
  and (t.rank is null or t.rank = ${rankOf(vis)}))`

/** An observable that a change added to an entity, or that a source said something of. */
export interface ChangedObservable {
  readonly change: number
  readonly observable: number
}

/** Observables that a rule wants looked up: with one of its enrichers, or, for a rule that stops at a verdict, with them in turn. */
export interface Matched {
  readonly rule: number
  readonly owner: number
  /** Null for a rule that asks them in turn. */
  readonly enricher: number | null
  readonly observables: readonly number[]
}

/**
 * Compares written entities and observables with all active rules of these owners, in one statement: each rule with what its owner sees. The
 * observables of a written entity match through that entity, others through the entities that they were added to and the sources that said
 * something of them.
 */
export async function matchWritten(
  { db }: Pick<Context, 'db'>,
  owners: readonly number[],
  written: { readonly entities: readonly string[]; readonly observables: readonly ChangedObservable[] },
): Promise<readonly Matched[]> {
  const { rows } = await sql<Matched>`
    with changed as materialized (
      select * from unnest(
        ${written.observables.map(({ change }) => change)}::bigint[],
        ${integerList(written.observables.map(({ observable }) => observable))}::integer[]) as i(change, observable)
    ), owners as materialized (
      select u.id, ${keysOfUser(sql`u.id`)} as keys from users as u where u.id = any(${owners}::integer[])
    ), terms as materialized (${termsOf(sql`
      select r.id as rule, r.owner, r.criteria from enrichment_rules as r where r.is_active and r.owner in (select id from owners)`)}
    ), pairs as materialized (
      select l.target as observable, e.type, e.vis
      from entities as e join entity_observables as l on l.source = e.id
      where e.id = any(${uuidList(written.entities)}::uuid[]) and ${hasOwnContent}
      union
      select l.observable, e.type, e.vis
      from (${addedLinks(sql`select change, observable from changed`)}) as l join entities as e on e.id = l.entity
      where ${hasOwnContent}
      union
      select r.observable, ${NO_ENTITY}, r.vis
      from changed as i
      join changes as c on c.id = i.change
      join observable_records as r on r.observable = i.observable and r.last_updated_at = c.at
    ), kinds as materialized (
      select distinct type, vis from pairs
    ), meant as materialized (
      select distinct t.rule, k.type, k.vis
      from kinds as k
      join terms as t on ${isMeant(sql`k.type`, sql`k.vis`)}
      join owners as o on o.id = t.owner and k.vis = any(o.keys)
    ), found as materialized (
      select distinct m.rule, p.observable from meant as m join pairs as p on p.type = m.type and p.vis = m.vis
    )
    select f.rule, r.owner, case when r.stop_at is null then e.id end as enricher, array_agg(distinct f.observable) as observables
    from found as f
    join enrichment_rules as r on r.id = f.rule
    join observables as o on o.id = f.observable
    join enrichment_rule_enrichers as l on l.source = f.rule
    join enrichers as e on e.id = l.target and e.is_active and o.type = any(e.supported_observable_types)
    group by 1, 2, 3
    order by 1, 3`.execute(db)
  return rows
}

/** Placeholders have no content, and unified entities that of their contributors. */
const hasOwnContent = sql<SqlBool>`(not e.is_unresolved and not e.is_unified)`

const TIMES = { ingestion: 'created_at', start: 'threat_start', observed: 'observed' } as const

/** The ids of all observables, or of those of some types, that a rule finds for the caller in its period, sorted. */
export async function findInScope(
  ctx: Context,
  { criteria, time_field, time_period }: Scope,
  types?: readonly string[],
): Promise<readonly number[]> {
  const isIn = (column: Sql) =>
    time_period === null ? sql`true` : sql`${column} >= now() - make_interval(days => ${time_period}::integer)`
  const time = TIMES[time_field ?? 'ingestion']
  // What a source says of an observable has only the time at which it was stored.
  const isRecordIn = time === 'created_at' ? isIn(sql`r.created_at`) : sql`${time_period === null}::boolean`
  const given = sql`select 0 as rule, 0 as owner, ${JSON.stringify(criteria)}::jsonb as criteria`
  const { rows } = await sql<{ ids: readonly number[] | null }>`
    with terms as materialized (${termsOf(given)})
    select array_agg(found.id order by found.id) as ids
    from (
      select l.target as id
      from entities as e join entity_observables as l on l.source = e.id
      where ${hasOwnContent} and ${isIn(sql.ref(`e.${time}`))} and ${visible(ctx, resourceOf(ctx, 'entities'), 'e')}
        and exists (select from terms as t where ${isMeant(sql`e.type`, sql`e.vis`)})
      union
      select r.observable
      from observable_records as r
      where ${isRecordIn} and ${holdsKey(ctx, sql`r.vis`)}
        and exists (select from terms as t where ${isMeant(NO_ENTITY, sql`r.vis`)})
    ) as found
    join observables as o on o.id = found.id
    where ${types ? sql`o.type = any(${types}::text[])` : sql`true`}`.execute(ctx.db)
  return rows[0]?.ids ?? []
}
