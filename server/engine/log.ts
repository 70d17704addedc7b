import { type RawBuilder, sql } from 'kysely'
import type { Context } from './context.ts'
import type { Resource } from './definition.ts'
import { type Field, PASS_THROUGH } from './field-class.ts'
import { there } from './select.ts'
import type { Storage } from './storage.ts'

type Refs = Extract<Storage, { kind: 'refs' }>

/** At most this many links of one object are logged individually. */
const MAX_LOGGED_LINKS = 100

/** Who writes, and why. */
export type Author = Pick<Context, 'caller' | 'cause'>

/** The columns of `changes` for the author. */
export const AUTHOR = sql.raw('user_id, cause_kind, cause_id, cause_depth')
export const authorOf = ({ caller, cause }: Author): RawBuilder<unknown> => sql`nullif(${caller.id}::integer, 0),
  ${cause?.kind ?? null}::text, ${cause?.id ?? null}::text, ${cause?.depth ?? null}::smallint`

/**
 * The part of a statement that logs which objects another part of it wrote and, if these rows have a
 * `diff`, what changed in each.
 */
export const logged = (
  ctx: Author,
  resource: Pick<Resource, 'collection'>,
  kind: string,
  rows: RawBuilder<unknown>,
  hasDiff = false,
): RawBuilder<unknown> => sql`logged as (${noted(ctx, resource, kind, rows, hasDiff)})`

/** The same without a name, for statements that already have a part `logged`. */
export function noted(
  ctx: Author,
  { collection }: Pick<Resource, 'collection'>,
  kind: string,
  rows: RawBuilder<unknown>,
  hasDiff = false,
): RawBuilder<unknown> {
  return sql`
    insert into changes (${AUTHOR}, resource, kind, ids, details)
    select ${authorOf(ctx)}, ${collection}::text, ${kind}::text, array_agg(id::text),
      ${hasDiff ? DETAILS : sql`null::jsonb`}
    from ${rows} having count(*) > 0`
}

/** The same for deleted objects, whose rows also have `keys` that tell who could see them, or null. */
export function deletionLogged(
  ctx: Context,
  { collection }: Pick<Resource, 'collection'>,
  rows: RawBuilder<unknown>,
  hasDiff = false,
): RawBuilder<unknown> {
  return sql`logged as (
    insert into changes (${AUTHOR}, resource, kind, ids, details, keys)
    select ${authorOf(ctx)}, ${collection}::text, 'delete', array_agg(id::text),
      ${hasDiff ? DETAILS : sql`null::jsonb`}, case when count(keys) > 0 then jsonb_agg(keys) end
    from ${rows} having count(*) > 0)`
}

// Not jsonb_object_agg: its time grows with the square of the number of strings in a value, to seconds for lists of 10,000.
const DETAILS = sql`coalesce((json_object_agg(id::text, diff) filter (where diff is not null))::jsonb, '{}')`

/**
 * What differs between the rows of two aliases, as `{field: [before, after]}`; null when nothing does. One alias alone
 * stands for an object that is created or deleted. Of secrets, only the fact that they changed is logged.
 */
export function diff(
  { fields }: Resource,
  before: string | null,
  after: string | null,
  names = Object.keys(fields),
): RawBuilder<unknown> {
  const compared = names.flatMap((name) => {
    const props = fields[name]?.props
    return props && isRecorded(props) ? [compare(name, isOpen(props), before, after)] : []
  })
  if (compared.length === 0) return sql`null::json`
  return sql`(
    select json_object_agg(v.name, json_build_array(v.before, v.after))
    from (values ${sql.join(compared)}) as v(name, before, after, is_changed)
    where v.is_changed)`
}

const isRecorded = ({ storage, access, stamp }: Field['props']): boolean =>
  (storage.kind === 'column' || storage.kind === 'ref') &&
  access !== 'read-only' &&
  access !== 'hidden' &&
  stamp === undefined

const isOpen = ({ access }: Field['props']): boolean => access === 'read-write'

function compare(name: string, isShown: boolean, before: string | null, after: string | null): RawBuilder<unknown> {
  const column = (alias: string | null) => (alias === null ? sql`null` : sql.ref(`${alias}.${name}`))
  const value = (alias: string | null) => {
    if (alias === null) return sql`null::jsonb`
    if (isShown) return sql`to_jsonb(${column(alias)})`
    return sql`case when ${column(alias)} is not null then to_jsonb(${PASS_THROUGH}::text) end`
  }
  return sql`(${name}::text, ${value(before)}, ${value(after)}, ${column(before)} is distinct from ${column(after)})`
}

/** The part of a statement that logs which links another part added or removed, as `id` and `target`. */
export function linksLogged(
  ctx: Context,
  { collection, fields }: Resource,
  field: string,
  kind: 'link' | 'unlink',
  rows: RawBuilder<unknown>,
): RawBuilder<unknown> {
  // A hidden field is a part of another one, whose changes are logged.
  if (fields[field]?.props.access === 'hidden') return sql`logged as (select)`
  const targets = sql`to_jsonb((array_agg(target order by target))[1:${sql.lit(MAX_LOGGED_LINKS)}])`
  const pair = kind === 'link' ? sql`null, ${targets}` : sql`${targets}, null`
  return sql`logged as (
    insert into changes (${AUTHOR}, resource, kind, ids, details)
    select ${authorOf(ctx)}, ${collection}::text, ${kind}::text, array_agg(g.id::text),
      jsonb_object_agg(g.id::text, jsonb_build_object(${field}::text, g.pair))
    from (select id, jsonb_build_array(${pair}) as pair from ${rows} group by id) as g having count(*) > 0)`
}

/** The `returning` list of a statement that writes links. */
export function linkReturned({ here, attribute, ...storage }: Refs): RawBuilder<unknown> {
  const target = sql`l.${there({ here, ...storage })}`
  const own = attribute ? sql`jsonb_build_array(${target}, l.${sql.ref(attribute.name)})` : sql`to_jsonb(${target})`
  return sql`l.${sql.ref(here)} as id, ${own} as target`
}
