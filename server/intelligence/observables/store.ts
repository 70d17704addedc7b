import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Context } from '../../engine/context.ts'
import { retry } from '../../engine/errors.ts'
import { textList } from '../../fast/binary-arrays.ts'

interface Wanted {
  readonly type: string
  readonly value: string
}

interface Found {
  readonly id: number
  readonly is_visible: boolean
}

/** Finds observables by type and value, and creates the missing ones. The result has the order of the input. */
export async function findOrMake(
  ctx: Context,
  wanted: readonly Wanted[],
  isVisible: RawBuilder<SqlBool>,
): Promise<Found[]> {
  const first = await run(ctx, wanted, isVisible)
  // Another request created some of them concurrently. They exist by now.
  const rows = first.some(({ id }) => id === null) ? merge(first, await run(ctx, wanted, isVisible)) : first
  return rows.map(({ id, ...rest }) => {
    if (id === null) throw retry('An observable was deleted during the write.')
    return { id, ...rest }
  })
}

type Row = Omit<Found, 'id'> & { id: number | null }

const merge = (first: readonly Row[], second: readonly Row[]): Row[] =>
  first.map((row, i) => (row.id === null ? (second[i] ?? row) : row))

async function run(ctx: Context, wanted: readonly Wanted[], isVisible: RawBuilder<SqlBool>): Promise<Row[]> {
  const { rows } = await sql<Row>`
    with wanted as materialized (
      select * from unnest(
        ${textList(wanted.map(({ type }) => type))}::text[],
        ${textList(wanted.map(({ value }) => value))}::text[]
      ) with ordinality as u(type, value, n)
    ), old as materialized (
      select w.*, (
        select o.id from observables as o
        where observable_key(o.value) = observable_key(w.value) and o.type = w.type
      ) as id
      from wanted as w
    ), made as (
      insert into observables (type, value)
      select type, value from old
      where id is null
      order by value collate "C", type
      on conflict do nothing
      returning id, type, value
    )
    select coalesce(old.id, made.id) as id,
      coalesce((select ${isVisible} from observables as o where o.id = old.id), false) as is_visible
    from old
    left join made on made.type = old.type and made.value = old.value
    order by old.n`.execute(ctx.db)
  return rows
}
