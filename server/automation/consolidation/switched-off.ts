import { sql } from 'kysely'
import type { Context } from '../../engine/context.ts'
import { isAssigned, MAX_KEY_MEMBERS } from './matching/keys.ts'

/**
 * Switches keys off that more entities share than a key of a thing would, and on again. Given are the keys whose members changed, and by
 * how many. Returns those that were switched. The members of a key that is off are not counted again, because there may be very many.
 */
export async function switchKeys(
  { db }: Pick<Context, 'db'>,
  changed: ReadonlyMap<string, number>,
): Promise<readonly string[]> {
  const keys = [...changed.keys()].filter((key) => !isAssigned(key))
  if (keys.length === 0) return []
  const limit = sql.lit(MAX_KEY_MEMBERS)
  const { rows } = await sql<{ key: string }>`
    with counted as materialized (
      select c.key, s.key is not null as was_off, s.members as before, case when s.key is not null then s.members + c.change
        else (select count(*) from match_keys as k where k.key = c.key)::integer end as members
      from unnest(${keys}::text[], ${keys.map((key) => changed.get(key) ?? 0)}::integer[]) as i(key, change)
      cross join lateral (select i.key collate "C" as key, i.change) as c
      left join switched_off_keys as s on s.key = c.key
    ), on_again as (
      delete from switched_off_keys where key in (select key from counted where was_off and members <= ${limit})
    ), kept as (
      insert into switched_off_keys as s (key, members)
      select key, members from counted where members > ${limit} and members is distinct from before
      on conflict (key) do update set members = excluded.members
    )
    select key from counted where was_off <> (members > ${limit})`.execute(db)
  return rows.map(({ key }) => key)
}
