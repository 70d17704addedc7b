import { sql } from 'kysely'
import type { Context } from '../../engine/context.ts'
import { isAssigned, MAX_KEY_MEMBERS } from './matching/keys.ts'

/** What became of some keys. */
export interface CountedKeys {
  /** Those that are switched on and that more than one entity has. */
  readonly shared: ReadonlySet<string>
  /** Those that were switched off or on again. */
  readonly switched: readonly string[]
}

/**
 * Counts the members of keys; switches those off that more entities share than a key of a thing would, and on again. Given are the keys, and
 * by how much the number of their members changed. The members of a key that is off are not counted again, because there may be very many.
 */
export async function countKeys(
  { db }: Pick<Context, 'db'>,
  changes: ReadonlyMap<string, number>,
): Promise<CountedKeys> {
  const keys = [...changes.keys()].filter((key) => !isAssigned(key))
  if (keys.length === 0) return { shared: new Set(), switched: [] }
  const limit = sql.lit(MAX_KEY_MEMBERS)
  const { rows } = await sql<{ key: string; is_off: boolean; is_switched: boolean }>`
    with counted as materialized (
      select c.key, s.key is not null as was_off, s.members as before, case when s.key is not null then s.members + c.change
        else (select count(*) from match_keys as k where k.key = c.key)::integer end as members
      from unnest(${keys}::text[], ${keys.map((key) => changes.get(key) ?? 0)}::integer[]) as i(key, change)
      cross join lateral (select i.key collate "C" as key, i.change) as c
      left join switched_off_keys as s on s.key = c.key
    ), on_again as (
      delete from switched_off_keys where key in (select key from counted where was_off and members <= ${limit})
    ), kept as (
      insert into switched_off_keys as s (key, members)
      select key, members from counted where members > ${limit} and members is distinct from before
      on conflict (key) do update set members = excluded.members
    )
    select key, members > ${limit} as is_off, was_off <> (members > ${limit}) as is_switched
    from counted where was_off or members > 1`.execute(db)
  return {
    shared: new Set(rows.filter(({ is_off }) => !is_off).map(({ key }) => key)),
    switched: rows.filter(({ is_switched }) => is_switched).map(({ key }) => key),
  }
}
