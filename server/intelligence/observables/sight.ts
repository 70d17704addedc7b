import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { wireTime } from '../../engine/document.ts'
import type { Context } from '../../engine/resource.ts'
import type { Along, Searched } from '../../engine/storage.ts'
import { holdsKey, sightOf } from '../../identity/access/sight.ts'
import { rankOf, sourceOf } from '../../identity/access/visibility.ts'
import { MALICIOUSNESS, type Maliciousness } from '../entities/observables-in.ts'

type Sql = RawBuilder<unknown>

/** Whether what has this key may be told of, beyond that the caller holds it. */
type Ceiling = (vis: Sql) => RawBuilder<SqlBool>

const NONE: Ceiling = () => sql`true`

const recordsOf = (ctx: Context, id: Sql, mayTell = NONE): Sql => sql`
  from observable_records as seen_record
  where seen_record.observable = ${id} and ${holdsKey(ctx, sql`seen_record.vis`)} and ${mayTell(sql`seen_record.vis`)}`

const linksOf = (ctx: Context, id: Sql, mayTell = NONE): Sql => sql`
  from entity_observables as seen_link join entities as seen_entity on seen_entity.id = seen_link.source
  where seen_link.target = ${id} and ${holdsKey(ctx, sql`seen_entity.vis`)} and ${mayTell(sql`seen_entity.vis`)}`

const seenLinks = (ctx: Context): Sql => sql`
  from entity_observables as seen_link join entities as seen_entity on seen_entity.id = seen_link.source
  where ${holdsKey(ctx, sql`seen_entity.vis`)}`

/** An observable is seen through a record of one of its sources, or through an entity. */
export const isVisible = (ctx: Context, t: string): RawBuilder<SqlBool> => sql`(
  exists (select ${linksOf(ctx, sql.ref(`${t}.id`))})
  or exists (select ${recordsOf(ctx, sql.ref(`${t}.id`))}))`

/** The same, looked up one by one: a subquery with a limit is not turned into a list of all that are visible. */
export const isVisibleOne = (ctx: Context, t: string): RawBuilder<SqlBool> => sql`coalesce(
  (select true ${linksOf(ctx, sql.ref(`${t}.id`))} limit 1),
  (select true ${recordsOf(ctx, sql.ref(`${t}.id`))} limit 1),
  false)`

/** The sources of its records and of its entities, as far as the caller may see them. */
export const itsSources = (ctx: Context): Sql => sql`
  select s.id from sources as s where s.number in (
    select ${sourceOf(sql`seen_record.vis`)} ${recordsOf(ctx, sql`t.id`)}
    union all
    select ${sourceOf(sql`seen_entity.vis`)} ${linksOf(ctx, sql`t.id`)})`

/** Every way in which the caller sees an observable: since when and by whom, and what is said of it there. */
const waysTo = (ctx: Context, id: Sql, mayTell = NONE): Sql => sql`
  select seen_record.vis, seen_record.maliciousness, seen_record.created_at, seen_record.created_by, seen_record.last_updated_at, seen_record.last_updated_by, ${isOwn(ctx, sql`seen_record.vis`)} as is_own
  ${recordsOf(ctx, id, mayTell)}
  union all
  select seen_entity.vis, nullif(seen_link.maliciousness, 'unknown'), seen_link.created_at, seen_link.created_by, coalesce(seen_link.rated_at, seen_link.created_at),
    case when seen_link.rated_at is null then seen_link.created_by else seen_link.rated_by end, false
  ${linksOf(ctx, id, mayTell)}`

/** Whether a key is of one of the caller's own sources. */
export const isOwn = (ctx: Context, vis: Sql): RawBuilder<SqlBool> =>
  sql`${sourceOf(vis)} = any(${sightOf(ctx).ownNumbers}::integer[])`

const severityOf = (level: Sql): Sql =>
  sql`array_position(${sql.lit(`{${MALICIOUSNESS.join(',')}}`)}::text[], ${level})`

/** The latest verdict of the caller's own sources comes first, then the strongest of all others. */
const FOREMOST = sql`
  is_own desc, case when is_own then last_updated_at end desc nulls last, ${severityOf(sql`maliciousness`)} desc`

/** How malicious the observable of an alias is, by what the caller sees. */
export const maliciousness = (ctx: Context, alias: string, mayTell = NONE): RawBuilder<string> => sql`coalesce((
  select way.maliciousness from (${waysTo(ctx, sql.ref(`${alias}.id`), mayTell)}) as way
  where way.maliciousness is not null
  order by ${FOREMOST}
  limit 1), 'unknown')`

/** From unknown to high, for sorting. */
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
        order by way.id, ${FOREMOST}
      ) as verdict on verdict.id = o.id
      where ${isVisible(ctx, 'o')}`,
    takes: 'max',
  },
}

export const CLASSES = ['good', 'bad', 'unknown'] as const

/** The levels that a class stands for. */
export const levelsOf = (name: (typeof CLASSES)[number]): Maliciousness[] =>
  MALICIOUSNESS.filter((level) => (level === 'safe' ? 'good' : level === 'unknown' ? 'unknown' : 'bad') === name)

/** The same in fewer words. */
export const classification = (ctx: Context, alias: string): Sql =>
  sql`case ${maliciousness(ctx, alias)} when 'safe' then 'good' when 'unknown' then 'unknown' else 'bad' end`

/** Whether the observable of an alias is of one of these; most have no verdict at all, which an index knows. */
export function isMalicious(ctx: Context, alias: string, levels: readonly Maliciousness[]): RawBuilder<SqlBool> {
  const id = sql.ref(`${alias}.id`)
  const isOne = sql<SqlBool>`${maliciousness(ctx, alias)} = any(${levels}::text[])`
  if (levels.includes('unknown')) return sql`(not ${isRated(id, sql`is not null`)} or ${isOne})`
  return sql`(${isRated(id, sql`= any(${levels}::text[])`)} and ${isOne})`
}

const isRated = (id: Sql, verdict: Sql): Sql => sql`(
  exists (select from observable_records as r where r.observable = ${id} and r.maliciousness ${verdict})
  or exists (select from entity_observables as l where l.target = ${id} and l.maliciousness ${verdict}))`

/** Where `cameAt` takes its moments from. */
export const alongCameAt: Along = {
  all: sql`
    select observable as id, created_at as value from observable_records
    union all select target, created_at from entity_observables`,
  seen: (ctx) => sql`
    select observable as id, created_at as value from observable_records where ${holdsKey(ctx, sql`vis`)}
    union all select seen_link.target, seen_link.created_at ${seenLinks(ctx)}`,
  takes: 'min',
}

/** Where `changedAt` takes its moments from. Few of them are not when it came: those have indexes of their own. */
export const alongChangedAt: Along = {
  all: sql`
    ${alongCameAt.all}
    union all select observable, last_updated_at from observable_records where last_updated_at <> created_at
    union all select target, rated_at from entity_observables where rated_at is not null`,
  seen: (ctx) => sql`
    select observable as id, last_updated_at as value from observable_records where ${holdsKey(ctx, sql`vis`)}
    union all select seen_link.target, coalesce(seen_link.rated_at, seen_link.created_at) ${seenLinks(ctx)}`,
  takes: 'max',
}

/** When the observable of an alias came into the caller's sight. */
export const cameAt = (ctx: Context, alias = 't'): Sql =>
  sql`(select min(way.created_at) from (${waysTo(ctx, sql.ref(`${alias}.id`))}) as way)`

/** When what the caller sees of the observable of an alias last changed. */
export const changedAt = (ctx: Context, alias = 't'): Sql =>
  sql`(select max(way.last_updated_at) from (${waysTo(ctx, sql.ref(`${alias}.id`))}) as way)`

/** Who brought the observable `t` into the caller's sight. */
export const cameBy = (ctx: Context): Sql => sql`(
  select way.created_by from (${waysTo(ctx, sql`t.id`)}) as way order by way.created_at, way.created_by limit 1)`

/** Who last changed what the caller sees of the observable `t`. */
export const changedBy = (ctx: Context): Sql => sql`(
  select way.last_updated_by from (${waysTo(ctx, sql`t.id`)}) as way
  order by way.last_updated_at desc, way.last_updated_by limit 1)`

/** What of an observable depends on the caller. */
export interface Seen {
  readonly created_at: string
  readonly created_by: number | null
  readonly last_updated_at: string
  readonly last_updated_by: number | null
  readonly maliciousness: Maliciousness
}

/** All that depends on the caller, as one document: each part of it alone would look at every way again. */
export const asSeen = (ctx: Context, alias = 't', mayTell = NONE): Sql => sql`(
  select json_build_object(
    'created_at', ${wireTime(sql`min(way.created_at)`)},
    'created_by', (array_agg(way.created_by order by way.created_at, way.created_by))[1],
    'last_updated_at', ${wireTime(sql`max(way.last_updated_at)`)},
    'last_updated_by', (array_agg(way.last_updated_by order by way.last_updated_at desc, way.last_updated_by))[1],
    'maliciousness', coalesce(
      (array_agg(way.maliciousness order by ${FOREMOST}) filter (where way.maliciousness is not null))[1], 'unknown'))
  from (${waysTo(ctx, sql.ref(`${alias}.id`), mayTell)}) as way)`

/** The lowest colour at which the caller sees the observable of an alias, as a rank. */
export const lowestRank = (ctx: Context, alias: string): Sql =>
  sql`(select min(${rankOf(sql`way.vis`)}) from (${waysTo(ctx, sql.ref(`${alias}.id`))}) as way)`

/** Whether the caller saw an observable before a moment. */
export const cameBefore = (ctx: Context, id: Sql, moment: Sql): RawBuilder<SqlBool> =>
  sql`exists (select from (${waysTo(ctx, id)}) as way where way.created_at < ${moment})`

/** The ids of observables that came into the caller's sight lately: some of them, with no regard to what others have. */
export const newestObservables = (ctx: Context, most: number): Sql => sql`
  (
    select seen_record.observable from observable_records as seen_record
    where ${holdsKey(ctx, sql`seen_record.vis`)}
    order by seen_record.created_at desc, seen_record.observable
    limit ${most}
  ) union (
    select seen_link.target
    from entities as seen_entity join entity_observables as seen_link on seen_link.source = seen_entity.id
    where ${holdsKey(ctx, sql`seen_entity.vis`)}
    order by seen_entity.created_at desc, seen_entity.id, seen_link.target
    limit ${most}
  )`
