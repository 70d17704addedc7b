import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Caller, Context } from '../../engine/context.ts'
import { keyOf } from './visibility.ts'

/**
 * What a caller may see. Everything that has a source carries a key: eight times the source's number plus the rank of
 * its TLP colour. A caller holds the keys that at least one of their groups allows, and those of unified entities of which they
 * hold the keys of all contributors.
 */
export interface Sight {
  readonly keys: readonly number[]
  /** The sources that are allowed at any TLP colour. */
  readonly sources: readonly string[]
  /** The source of the caller's first group, used for objects written without a source. */
  readonly home: string | null
  /** The sources of the caller's groups, which are the only ones they may assign. A feed assigns its own. */
  readonly own: readonly string[]
  /** The numbers of the sources in `own`. */
  readonly ownNumbers: readonly number[]
}

/** A caller with known visibility. */
export interface Seeing extends Caller {
  readonly sight: Sight
}

const NONE: Sight = { keys: [], sources: [], home: null, own: [], ownNumbers: [] }

/** What this caller may see; nothing for unauthenticated callers. */
export const sightOf = ({ caller }: Pick<Context, 'caller'>): Sight => (caller as Partial<Seeing>).sight ?? NONE

/** Longer lists take PostgreSQL more time to plan than to run; testing a bit takes constant time. */
const MAX_KEYS_IN_LIST = 64

/** A condition: the caller holds the key in a column. */
export function holdsKey(ctx: Pick<Context, 'caller'>, key: RawBuilder<unknown>): RawBuilder<SqlBool> {
  const sight = sightOf(ctx)
  if (sight.keys.length <= MAX_KEYS_IN_LIST) return sql`${key} = any(${sight.keys}::integer[])`
  const mask = maskOf(sight)
  // This form keeps the planner from choosing an index on outdated statistics: nearly all keys are below the limit.
  return sql`(case when ${key} < ${mask.length * BITS} then get_bit(${mask}::bytea, ${key}) = 1 else false end)`
}

/** A condition: the caller holds one of the keys in an array column. */
export const holdsAnyKey = (ctx: Pick<Context, 'caller'>, keys: RawBuilder<unknown>): RawBuilder<SqlBool> =>
  sightOf(ctx).keys.length <= MAX_KEYS_IN_LIST
    ? sql`${keys} && ${sightOf(ctx).keys}::integer[]`
    : sql`exists (select from unnest(${keys}) as k(key) where ${holdsKey(ctx, sql`k.key`)})`

/** A condition: one of the caller's groups allows the source in a column. */
export const seesSource = (ctx: Pick<Context, 'caller'>, source: RawBuilder<unknown>): RawBuilder<SqlBool> =>
  sql`${source} = any(${sightOf(ctx).sources}::uuid[])`

/** Of a byte. */
const BITS = 8

const masks = new WeakMap<Sight, Buffer>()

function maskOf(sight: Sight): Buffer {
  const known = masks.get(sight)
  if (known) return known
  const mask = Buffer.alloc(Math.floor(Math.max(...sight.keys) / BITS) + 1)
  for (const key of sight.keys) {
    const byte = Math.floor(key / BITS)
    mask[byte] = (mask[byte] ?? 0) | (1 << (key % BITS))
  }
  masks.set(sight, mask)
  return mask
}

/** The keys that a user holds, as an array: for statements about many users. */
export const keysOfUser = (user: RawBuilder<unknown>): RawBuilder<number[]> => sql`
  array(
    with allowed as materialized (
      select distinct ${keyOf(sql`s.number`, sql`r.rank`)} as key
      from group_users as m
      join group_sources as a on a.source = m.source
      join sources as s on s.id = a.target
      cross join lateral generate_series(
        0, array_position(array['NONE', 'WHITE', 'GREEN', 'AMBER', 'RED'], a.allowed_tlp) - 1) as r(rank)
      where m.target = ${user}
    )
    select key from allowed
    union all
    select ${keyOf(sql`c.number`, sql`c.rank`)}
    from composites as c
    where ${keyOf(sql`c.source`, sql`c.rank`)} in (select key from allowed)
      and not exists (select from unnest(c.keys) as k(key) where k.key not in (select key from allowed))
    order by 1)`

/** The columns of a user `u` that determine their visibility. */
export const sightColumns: RawBuilder<unknown> = sql`
  ${keysOfUser(sql`u.id`)} as keys,
  array(
    select distinct a.target
    from group_users as m
    join group_sources as a on a.source = m.source
    where m.target = u.id
    order by 1
  ) as sources,
  (
    select g.source
    from group_users as m
    join groups as g on g.id = m.source
    where m.target = u.id
    order by g.id
    limit 1
  ) as home,
  array(
    select g.source
    from group_users as m
    join groups as g on g.id = m.source
    where m.target = u.id
    order by g.id
  ) as own,
  array(
    select s.number
    from group_users as m
    join groups as g on g.id = m.source
    join sources as s on s.id = g.source
    where m.target = u.id
    order by g.id
  ) as "ownNumbers"`
