import { sql } from 'kysely'
import type { Context } from '../../engine/context.ts'
import { conflict } from '../../engine/errors.ts'
import { schemaOf, surelyFits, type ValueType } from './data-types.ts'

/**
 * Begins a change of definitions. The locks let only one change run at a time, wait for writes of entities that are in progress,
 * and block new ones until the commit, after which their check of the version notices the change.
 */
export async function beginReshaping({ db }: Context): Promise<void> {
  await sql`update entity_shape set version = gen_random_uuid()`.execute(db)
  await sql`lock table entities in share mode`.execute(db)
}

/** An attribute of an entity type. */
export interface AttributeUse extends ValueType {
  readonly type: string
  readonly name: string
}

/** The maximum number of distinct values that are validated outside the database. */
const MAX_DOUBTFUL_VALUES = 100_000

/** Checks for each attribute of a type whether all stored values of its entities are valid. */
export async function fitsStored({ db }: Context, uses: readonly AttributeUse[]): Promise<boolean[]> {
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
    limit ${MAX_DOUBTFUL_VALUES + 1}`.execute(db)
  if (rows.length > MAX_DOUBTFUL_VALUES) {
    throw conflict('The stored entities have too many unusual values under the name of this attribute to check them.')
  }
  const schemas = uses.map(schemaOf)
  const misfits = new Set(
    rows.flatMap(({ position, value }) => (schemas[position]?.safeParse(value).success ? [] : [position])),
  )
  return uses.map((_, position) => !misfits.has(position))
}
