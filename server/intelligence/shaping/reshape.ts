import { sql } from 'kysely'
import { conflict } from '../../engine/errors.ts'
import type { Context } from '../../engine/resource.ts'
import { type Kind, schemaOf, surelyFits } from './data-types.ts'

/**
 * Begins a change of what entities are: one at a time, and while nobody writes entities. Whoever is writing them has
 * finished by now, and whoever comes next finds that the shape they know has changed.
 */
export async function beginReshaping({ db }: Context): Promise<void> {
  await sql`update entity_shape set version = gen_random_uuid()`.execute(db)
  await sql`lock table entities in share mode`.execute(db)
}

/** An attribute of a type of entities. */
export interface Use extends Kind {
  readonly type: string
  readonly name: string
}

/** So many different values are looked at that the database cannot judge. */
const MOST_DOUBTFUL = 100_000

/** Tells of each use of an attribute whether all that entities of the type have in its place fits it. */
export async function fitsStored({ db }: Context, uses: readonly Use[]): Promise<boolean[]> {
  if (uses.length === 0) return []
  const asked = JSON.stringify(uses.map((use, position) => ({ ...use, position })))
  const { rows } = await sql<{ position: number; value: unknown }>`
    select distinct i.position, v.value
    from jsonb_to_recordset(${asked}::jsonb)
      as i(position integer, type text, name text, data_type text, allowed_values jsonb)
    join entities as e on entity_kind(e.type, e.data) = i.type collate "C"
    cross join lateral (select e.data -> i.name as value) as v
    cross join lateral (select v.value #>> '{}' as text) as x
    where jsonb_typeof(v.value) <> 'null'
      and (${surelyFits(sql`i.data_type`)} and coalesce(i.allowed_values @> v.value, true)) is not true
    limit ${MOST_DOUBTFUL + 1}`.execute(db)
  if (rows.length > MOST_DOUBTFUL) {
    throw conflict('Entities have too many unusual values in the place of this attribute to look at each of them.')
  }
  const schemas = uses.map(schemaOf)
  const misfits = new Set(
    rows.flatMap(({ position, value }) => (schemas[position]?.safeParse(value).success ? [] : [position])),
  )
  return uses.map((_, position) => !misfits.has(position))
}
