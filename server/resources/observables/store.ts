import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { integerList, textList } from '../../engine/binary.ts'
import { diff, logged } from '../../engine/log.ts'
import type { Context, Item } from '../../engine/resource.ts'
import { resourceOf } from '../../engine/select.ts'

interface Wanted {
  readonly type: string
  readonly value: string
  readonly meta?: Item | undefined
}

interface Found {
  readonly id: number
  readonly is_made: boolean
  readonly is_visible: boolean
}

/** The observables of these types and values, made where they are not known, in this order. */
export async function findOrMake(
  ctx: Context,
  wanted: readonly Wanted[],
  isVisible: RawBuilder<SqlBool>,
): Promise<Found[]> {
  const first = await run(ctx, wanted, isVisible)
  // Another request made some of them in the meantime: they are there now.
  const rows = first.some(({ id }) => id === null) ? merge(first, await run(ctx, wanted, isVisible)) : first
  return rows.map(({ id, ...rest }) => {
    if (id === null) throw Object.assign(new Error('An observable vanished.'), { code: '40001' })
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
        ${textList(wanted.map(({ value }) => value))}::text[],
        ${textList(wanted.map(({ meta }) => JSON.stringify({ maliciousness: 'unknown', ...meta })))}::text[]
      ) with ordinality as u(type, value, meta, n)
    ), old as materialized (
      select w.*, (
        select o.id from observables as o
        where observable_key(o.value) = observable_key(w.value) and o.type = w.type
      ) as id
      from wanted as w
    ), made as (
      insert into observables (type, value, meta, created_by, last_updated_by)
      select type, value, meta::jsonb, nullif(${ctx.caller.id}::integer, 0), nullif(${ctx.caller.id}::integer, 0)
      from old
      where id is null
      order by value collate "C", type
      on conflict do nothing
      returning id, type, value
    ), ${logged(ctx, { collection: 'observables' }, 'create', sql`made`)}
    select coalesce(old.id, made.id) as id, made.id is not null as is_made,
      coalesce((select ${isVisible} from observables as o where o.id = old.id), false) as is_visible
    from old
    left join made on made.type = old.type and made.value = old.value
    order by old.n`.execute(ctx.db)
  return rows
}

/** Sets what is said of observables that are known. */
export async function touchObservables(
  ctx: Context,
  changes: readonly { readonly id: number; readonly meta: Item }[],
): Promise<void> {
  if (changes.length === 0) return
  await sql`
    with was as materialized (
      select o.id, o.meta, i.meta::jsonb as said
      from observables as o join unnest(
        ${integerList(changes.map(({ id }) => id))}::integer[],
        ${textList(changes.map(({ meta }) => JSON.stringify(meta)))}::text[]
      ) as i(id, meta) on i.id = o.id
      order by o.id
      for update of o
    ), changed as (
      update observables as t
      set meta = t.meta || was.said, last_updated_at = now(), last_updated_by = nullif(${ctx.caller.id}::integer, 0)
      from was
      where t.id = was.id
      returning t.id, ${diff(resourceOf(ctx, 'observables'), 'was', 't', ['meta'])} as diff
    ), ${logged(ctx, { collection: 'observables' }, 'update', sql`changed`, true)}
    select from changed`.execute(ctx.db)
}
