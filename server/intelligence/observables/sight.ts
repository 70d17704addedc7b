import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Context } from '../../engine/context.ts'
import { wireTime } from '../../engine/document.ts'
import type { Along, Searched } from '../../engine/storage.ts'
import { holdsKey, sightOf } from '../../identity/access/sight.ts'
import { rankOf, sourceOf } from '../../identity/access/visibility.ts'
import { MALICIOUSNESS, type Maliciousness } from '../entities/observables-in.ts'

type Sql = RawBuilder<unknown>

/** A condition on keys, in addition to that the caller holds them. */
type KeyFilter = (vis: Sql) => RawBuilder<SqlBool>

const ANY_KEY: KeyFilter = () => sql`true`

const recordsOf = (ctx: Context, id: Sql, isAllowed = ANY_KEY): Sql => sql`
  from observable_records as seen_record
  where seen_record.observable = ${id} and ${holdsKey(ctx, sql`seen_record.vis`)} and ${isAllowed(sql`seen_record.vis`)}`

/** A unified entity only repeats the links of its contributors, which all of its readers see. */
const isOriginal = sql<SqlBool>`not seen_entity.is_unified`

const linksOf = (ctx: Context, id: Sql, isAllowed = ANY_KEY): Sql => sql`
  from entity_observables as seen_link join entities as seen_entity on seen_entity.id = seen_link.source
  where seen_link.target = ${id} and ${isOriginal} and ${holdsKey(ctx, sql`seen_entity.vis`)} and ${isAllowed(sql`seen_entity.vis`)}`

const seenLinks = (ctx: Context): Sql => sql`
  from entity_observables as seen_link join entities as seen_entity on seen_entity.id = seen_link.source
  where ${isOriginal} and ${holdsKey(ctx, sql`seen_entity.vis`)}`

/** Whether the caller can see an observable, through a record of a source or through an entity. */
export const isVisible = (ctx: Context, t: string): RawBuilder<SqlBool> => sql`(
  exists (select ${linksOf(ctx, sql.ref(`${t}.id`))})
  or exists (select ${recordsOf(ctx, sql.ref(`${t}.id`))}))`

/** The same for few observables: the limit keeps the planner from building a list of all visible observables first. */
export const isVisibleOne = (ctx: Context, t: string): RawBuilder<SqlBool> => sql`coalesce(
  (select true ${linksOf(ctx, sql.ref(`${t}.id`))} limit 1),
  (select true ${recordsOf(ctx, sql.ref(`${t}.id`))} limit 1),
  false)`

/** The visible sources of the observable `t`, through its records and entities. */
export const visibleSources = (ctx: Context): Sql => sql`
  select s.id from sources as s where s.number in (
    select ${sourceOf(sql`seen_record.vis`)} ${recordsOf(ctx, sql`t.id`)}
    union all
    select ${sourceOf(sql`seen_entity.vis`)} ${linksOf(ctx, sql`t.id`)})`

/** All records and links through which the caller sees an observable, with their times, users and verdicts. */
export const waysTo = (ctx: Context, id: Sql, isAllowed = ANY_KEY): Sql => sql`
  select seen_record.vis, seen_record.maliciousness, seen_record.created_at, seen_record.created_by, seen_record.last_updated_at, seen_record.last_updated_by, ${isOwn(ctx, sql`seen_record.vis`)} as is_own
  ${recordsOf(ctx, id, isAllowed)}
  union all
  select seen_entity.vis, nullif(seen_link.maliciousness, 'unknown'), seen_link.created_at, seen_link.created_by, coalesce(seen_link.rated_at, seen_link.created_at),
    case when seen_link.rated_at is null then seen_link.created_by else seen_link.rated_by end, false
  ${linksOf(ctx, id, isAllowed)}`

/** Whether a key belongs to one of the caller's own sources. */
export const isOwn = (ctx: Context, vis: Sql): RawBuilder<SqlBool> =>
  sql`${sourceOf(vis)} = any(${sightOf(ctx).ownNumbers}::integer[])`

/** The strength of a verdict as a number. */
export const severityOf = (level: Sql): Sql =>
  sql`array_position(${sql.lit(`{${MALICIOUSNESS.join(',')}}`)}::text[], ${level})`

/** Sorts the latest verdict of the caller's own sources first, then the strongest of all others. */
const BY_PRECEDENCE = sql`
  is_own desc, case when is_own then last_updated_at end desc nulls last, ${severityOf(sql`maliciousness`)} desc`

/** The maliciousness that the caller sees of the observable `alias`. */
export const maliciousness = (ctx: Context, alias: string, isAllowed = ANY_KEY): RawBuilder<string> => sql`coalesce((
  select way.maliciousness from (${waysTo(ctx, sql.ref(`${alias}.id`), isAllowed)}) as way
  where way.maliciousness is not null
  order by ${BY_PRECEDENCE}
  limit 1), 'unknown')`

/** Sorts observables by maliciousness, from unknown to high. */
export const byMaliciousness: Searched['sorted'] = {
  kind: 'computed',
  type: 'integer',
  expression: (ctx) => severityOf(maliciousness(ctx, 't')),
  along: {
    seen: (ctx) => sql`
      select o.id, ${severityOf(sql`coalesce(verdict.maliciousness, 'unknown')`)} as value
      from observables as o
      left join (
        select distinct on (way.id) way.id, way.maliciousness
        from (
          select observable as id, maliciousness, last_updated_at, ${isOwn(ctx, sql`vis`)} as is_own
          from observable_records
          where maliciousness is not null and ${holdsKey(ctx, sql`vis`)}
          union all
          select seen_link.target, seen_link.maliciousness, null, false ${seenLinks(ctx)}
            and seen_link.maliciousness <> 'unknown'
        ) as way
        order by way.id, ${BY_PRECEDENCE}
      ) as verdict on verdict.id = o.id
      where ${isVisible(ctx, 'o')}`,
    takes: 'max',
  },
}

export const CLASSES = ['good', 'bad', 'unknown'] as const

/** The maliciousness levels of a class. */
export const levelsOf = (name: (typeof CLASSES)[number]): Maliciousness[] =>
  MALICIOUSNESS.filter((level) => (level === 'safe' ? 'good' : level === 'unknown' ? 'unknown' : 'bad') === name)

/** The maliciousness of the observable `alias` as one of the three classes. */
export const classification = (ctx: Context, alias: string): Sql =>
  sql`case ${maliciousness(ctx, alias)} when 'safe' then 'good' when 'unknown' then 'unknown' else 'bad' end`

/** Whether the observable `alias` has one of these levels. Most have no verdict, which an index tells quickly. */
export function isMalicious(ctx: Context, alias: string, levels: readonly Maliciousness[]): RawBuilder<SqlBool> {
  const id = sql.ref(`${alias}.id`)
  const isOne = sql<SqlBool>`${maliciousness(ctx, alias)} = any(${levels}::text[])`
  if (levels.includes('unknown')) return sql`(not ${isRated(id, sql`is not null`)} or ${isOne})`
  return sql`(${isRated(id, sql`= any(${levels}::text[])`)} and ${isOne})`
}

const isRated = (id: Sql, verdict: Sql): Sql => sql`(
  exists (select from observable_records as r where r.observable = ${id} and r.maliciousness ${verdict})
  or exists (select from entity_observables as l where l.target = ${id} and l.maliciousness ${verdict}))`

/** The source of sorted `created_at` values. */
export const alongCreatedAt: Along = {
  all: sql`
    select observable as id, created_at as value from observable_records
    union all select target, created_at from entity_observables`,
  seen: (ctx) => sql`
    select observable as id, created_at as value from observable_records where ${holdsKey(ctx, sql`vis`)}
    union all select seen_link.target, seen_link.created_at ${seenLinks(ctx)}`,
  takes: 'min',
}

/** The source of sorted `last_updated_at` values. Partial indexes cover the few that differ from the time of creation. */
export const alongLastUpdatedAt: Along = {
  all: sql`
    ${alongCreatedAt.all}
    union all select observable, last_updated_at from observable_records where last_updated_at <> created_at
    union all select target, rated_at from entity_observables where rated_at is not null`,
  seen: (ctx) => sql`
    select observable as id, last_updated_at as value from observable_records where ${holdsKey(ctx, sql`vis`)}
    union all select seen_link.target, coalesce(seen_link.rated_at, seen_link.created_at) ${seenLinks(ctx)}`,
  takes: 'max',
}

/** When the observable `alias` became visible to the caller. */
export const createdAt = (ctx: Context, alias = 't'): Sql =>
  sql`(select min(way.created_at) from (${waysTo(ctx, sql.ref(`${alias}.id`))}) as way)`

/** When the part of the observable `alias` that the caller can see last changed. */
export const lastUpdatedAt = (ctx: Context, alias = 't'): Sql =>
  sql`(select max(way.last_updated_at) from (${waysTo(ctx, sql.ref(`${alias}.id`))}) as way)`

/** The user who made the observable `t` visible to the caller. */
export const createdBy = (ctx: Context): Sql => sql`(
  select way.created_by from (${waysTo(ctx, sql`t.id`)}) as way order by way.created_at, way.created_by limit 1)`

/** The user who last changed the part of the observable `t` that the caller can see. */
export const lastUpdatedBy = (ctx: Context): Sql => sql`(
  select way.last_updated_by from (${waysTo(ctx, sql`t.id`)}) as way
  order by way.last_updated_at desc, way.last_updated_by limit 1)`

/** The fields of an observable that depend on the caller. */
export interface Seen {
  readonly created_at: string
  readonly created_by: number | null
  readonly last_updated_at: string
  readonly last_updated_by: number | null
  readonly maliciousness: Maliciousness
}

/** All fields that depend on the caller as one document, so that the records and links are read only once. */
export const asSeen = (ctx: Context, alias = 't', isAllowed = ANY_KEY): Sql => sql`(
  select json_build_object(
    'created_at', ${wireTime(sql`min(way.created_at)`)},
    'created_by', (array_agg(way.created_by order by way.created_at, way.created_by))[1],
    'last_updated_at', ${wireTime(sql`max(way.last_updated_at)`)},
    'last_updated_by', (array_agg(way.last_updated_by order by way.last_updated_at desc, way.last_updated_by))[1],
    'maliciousness', coalesce(
      (array_agg(way.maliciousness order by ${BY_PRECEDENCE}) filter (where way.maliciousness is not null))[1], 'unknown'))
  from (${waysTo(ctx, sql.ref(`${alias}.id`), isAllowed)}) as way)`

/** The rank of the lowest colour at which the caller sees the observable `alias`. */
export const lowestRank = (ctx: Context, alias: string): Sql =>
  sql`(select min(${rankOf(sql`way.vis`)}) from (${waysTo(ctx, sql.ref(`${alias}.id`))}) as way)`

/** Whether an observable was visible to the caller before a given time. */
export const wasVisibleBefore = (ctx: Context, id: Sql, moment: Sql): RawBuilder<SqlBool> =>
  sql`exists (select from (${waysTo(ctx, id)}) as way where way.created_at < ${moment})`

/** The ids of some observables that became visible to the caller recently. */
export const newestObservables = (ctx: Context, most: number): Sql => sql`
  (
    select seen_record.observable from observable_records as seen_record
    where ${holdsKey(ctx, sql`seen_record.vis`)}
    order by seen_record.created_at desc, seen_record.observable
    limit ${most}
  ) union (
    select seen_link.target
    from entities as seen_entity join entity_observables as seen_link on seen_link.source = seen_entity.id
    where ${isOriginal} and ${holdsKey(ctx, sql`seen_entity.vis`)}
    order by seen_entity.created_at desc, seen_entity.id, seen_link.target
    limit ${most}
  )`
