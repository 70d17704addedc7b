import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { type Collection, collections } from '../collections.ts'
import type { Caller, Context } from './context.ts'
import type { Resource } from './definition.ts'
import { placedMembers } from './document.ts'
import type { Filter, ListPlan } from './list-plan.ts'
import { orderOf } from './ordered.ts'
import { locate, SCORE } from './query.ts'
import type { Along, Calculation, Storage } from './storage.ts'

/** Marks a statement that the database may plan once for all its parameters. */
export const PREPARED = '/* prepared */'
/** Marks a statement whose documents are returned as text, without being parsed. */
export const UNREAD = '/* unread */'

type Refs = Extract<Storage, { kind: 'refs' }>

/** The resource behind a collection. */
export function resourceOf(ctx: Pick<Context, 'resources'>, collection: Collection): Resource {
  const resource = ctx.resources.get(collection)
  if (!resource) throw new TypeError(`No resource serves ${collection}.`)
  return resource
}

/** Whether the caller may see the row `alias`. */
export const visible = (ctx: Context, resource: Resource, alias = 't'): RawBuilder<SqlBool> =>
  resource.visibility?.condition(ctx, alias) ?? sql<SqlBool>`true`

/**
 * The users who see the row `alias`, as JSON: logged when it is deleted, because afterwards nothing else tells who
 * could see it. The condition is written for each user as the caller, without keys and permissions.
 */
export const viewers = (ctx: Context, resource: Resource, alias: string): RawBuilder<unknown> =>
  resource.visibility
    ? sql`jsonb_build_object('viewers', array(
        select viewer.id from users as viewer
        where ${resource.visibility.condition({ ...ctx, caller: EACH_USER }, alias)} order by viewer.id))`
    : sql`null::jsonb`

// A column takes the place of the caller's id, which is a value in other statements.
const EACH_USER: Caller = { id: sql.ref('viewer.id') as unknown as number, permissions: new Set() }

/** The same condition, for statements that read few rows. */
export const visibleOne = (ctx: Context, resource: Resource): RawBuilder<SqlBool> =>
  resource.visibility?.rowCondition?.(ctx, 't') ?? visible(ctx, resource)

export const and = (conditions: readonly RawBuilder<SqlBool>[]): RawBuilder<SqlBool> =>
  conditions.length === 0 ? sql`true` : sql`${sql.join(conditions, sql` and `)}`

/** Which of the matches remain, as a condition on the row `t`; none if all do. */
export function remaining(
  ctx: Context,
  { search: { reduction } = {} }: Resource,
  value: string | null,
  matching: readonly RawBuilder<SqlBool>[],
  form: 'condition' | 'rowCondition' = 'condition',
): readonly RawBuilder<SqlBool>[] {
  return reduction && value !== null ? [reduction[form](ctx, value, and(matching))] : []
}

/** The other column of a link table. */
export const there = (storage: Refs) => sql.ref(storage.here === 'source' ? 'target' : 'source')

/** The SQL type of a collection's ids. */
export const idType = (collection: Collection): RawBuilder<unknown> => sql.raw(collections[collection].id)

/** Whether the row `t` of a collection is one of these. */
export const isAmong = (collection: Collection, ids: unknown): RawBuilder<SqlBool> =>
  sql`t.id = any(${ids}::${idType(collection)}[])`

/** The select list of a resource; with names, only of those fields. */
export function columns(
  ctx: Context,
  resource: Resource,
  names: ReadonlySet<string> | null = null,
): RawBuilder<unknown> {
  const shown = Object.entries(resource.fields).filter(
    ([name, { props }]) => props.access !== 'write-only' && (!names || names.has(name) || props.access === 'hidden'),
  )
  const list = shown.flatMap(([name, { props }]) => {
    if (props.access === 'secret') return [sql`(${sql.ref(`t.${name}`)} is not null) as ${sql.ref(name)}`]
    const own = sql`${expression(ctx, name, props.storage)} as ${sql.ref(name)}`
    return props.storage.kind === 'document' ? [own, ...memberColumns(ctx, name, props.storage)] : [own]
  })
  return sql.join([sql`t.id`, ...list])
}

/** The members of a document that are not in it, each under its path. */
const memberColumns = (ctx: Context, field: string, { members }: Extract<Storage, { kind: 'document' }>) =>
  placedMembers(field, members).map(({ name, as, storage }) => sql`${expression(ctx, name, storage)} as ${sql.id(as)}`)

/** The SQL of a field's value in the row `t`; references to objects that the caller may not see are left out. */
function expression(ctx: Context, name: string, storage: Storage): RawBuilder<unknown> {
  if (storage.kind === 'column' || storage.kind === 'document') return column(ctx, name, storage)
  if (storage.kind === 'refs') return storage.shown ? storage.shown(ctx) : linked(ctx, storage)
  if (storage.kind === 'searched') throw new TypeError(`${name} has no value.`)
  const own = storage.kind === 'ref' ? sql.ref(`t.${name}`) : calculated(ctx, storage.expression)
  const target = storage.to && resourceOf(ctx, storage.to)
  if (!target?.visibility) return own
  return sql`(select o.id from ${sql.table(target.table)} as o where o.id = ${own} and ${visible(ctx, target, 'o')})`
}

/** The value of a column as the caller may see it: filtering or sorting by a hidden value would reveal it. */
function column(ctx: Context, name: string, storage: Storage): RawBuilder<unknown> {
  const own = sql.ref(`t.${(storage.kind === 'column' && storage.column) || name}`)
  const restricted = storage.kind === 'column' ? storage.restricted : undefined
  return restricted ? sql`(case when ${restricted.to(ctx)} then ${own} else ${sql.raw(restricted.otherwise)} end)` : own
}

const calculated = (ctx: Context, expression: string | Calculation): RawBuilder<unknown> =>
  typeof expression === 'string' ? sql`(${sql.raw(expression)})` : sql`(${expression(ctx)})`

function linked(ctx: Context, storage: Refs): RawBuilder<unknown> {
  const id = sql`l.${there(storage)}`
  const value = storage.attribute ? sql`json_build_array(${id}, l.${sql.ref(storage.attribute.name)})` : id
  return sql`(select coalesce(json_agg(${value} order by ${id}), '[]') ${linksOf(ctx, storage, sql`t.id`)})`
}

/** `from … where …` of the links of one object that the caller may see. */
export function linksOf(ctx: Context, storage: Refs, owner: RawBuilder<unknown>): RawBuilder<unknown> {
  const target = resourceOf(ctx, storage.to)
  const through = sql.table(storage.through)
  const here = sql`l.${sql.ref(storage.here)} = ${owner}`
  if (!target.visibility || storage.isSeenWithOwner) return sql`from ${through} as l where ${here}`
  const other = sql`join ${sql.table(target.table)} as o on o.id = l.${there(storage)}`
  return sql`from ${through} as l ${other} where ${here} and ${visible(ctx, target, 'o')}`
}

/** A filter as a condition on row `t`. */
export async function matches(
  ctx: Context,
  resource: Resource,
  { path, operator, values }: Filter,
): Promise<RawBuilder<SqlBool>> {
  const { storage, inner } = locate(resource, path)
  const given = values.filter((value) => value !== null)
  if (storage.kind === 'searched') {
    const found = await storage.matches(ctx, given)
    return operator === '!' ? sql`(${found}) is not true` : found
  }
  const isAny = anyOf(ctx, path, storage, inner, operator === '!' ? '=' : operator, given)
  const either = values.includes(null) ? sql<SqlBool>`(${isAny} or ${value(ctx, path, storage, inner)} is null)` : isAny
  return operator === '!' ? sql`(${either}) is not true` : either
}

function anyOf(
  ctx: Context,
  path: string,
  storage: Exclude<Storage, { kind: 'searched' }>,
  inner: string[],
  operator: string,
  given: readonly string[],
): RawBuilder<SqlBool> {
  if (storage.kind === 'refs') {
    const ids = sql`l.${there(storage)} = any(${given}::${idType(storage.to)}[])`
    return sql`exists (select ${linksOf(ctx, storage, sql`t.id`)} and ${ids})`
  }
  const own = value(ctx, path, storage, inner)
  const order = operator === '=' ? undefined : orderOf(storage)
  if (order) {
    const ranks = given.map((text) => order.indexOf(text) + 1)
    return sql`${rankOf(order, own)} ${sql.raw(operator)} any(${ranks}::integer[])`
  }
  if (storage.type === 'text[]') return sql`${own} && ${given}::text[]`
  if (storage.type === 'jsonb') return sql`${own} @> any(${given.map((text) => JSON.stringify(text))}::jsonb[])`
  const isOne = (each: RawBuilder<unknown>) =>
    sql<SqlBool>`${each} ${sql.raw(operator)} any(${given}::${sql.raw(storage.type)}[])`
  const compared = isOne(own)
  const all = storage.kind === 'computed' ? storage.along?.all : undefined
  // The value of an object is among its rows in `all`, which an index finds.
  if (all) return sql`(t.id in (select v.id from (${all}) as v where ${isOne(sql`v.value`)}) and ${compared})`
  if (inner.length === 0 || operator !== '=') return compared
  // A path inside a document may lead to a list, which matches if one of its items does.
  const place = sql`${column(ctx, path.split('.')[0] ?? '', storage)} #> ${inner}::text[]`
  return sql`(${compared} or ${place} @> any(${given.map((text) => JSON.stringify([text]))}::jsonb[]))`
}

function value(ctx: Context, path: string, storage: Storage, inner: string[]): RawBuilder<unknown> {
  const [name = ''] = path.split('.')
  if (inner.length > 0) return sql`(${column(ctx, name, storage)} #>> ${inner}::text[])`
  return path === 'id' ? sql`t.id` : expression(ctx, name, storage)
}

const rankOf = (order: readonly string[], own: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`array_position(${order}::text[], ${own})`

/** One key of a total order over the rows. */
export interface SortKey {
  readonly expression: RawBuilder<unknown>
  readonly type: string
  readonly descending: boolean
  readonly isNullable: boolean
  readonly along?: Along | undefined
}

/** The sort of a plan as a total order: the id breaks ties, and nulls come last in both directions. */
export function sortKeys(
  ctx: Context,
  resource: Resource,
  plan: ListPlan,
  score: RawBuilder<unknown> = sql`0`,
): SortKey[] {
  const byId = plan.sort.findIndex(({ path }) => path === 'id')
  // Ids are unique: sorts after the id have no effect.
  const asked = byId >= 0 ? plan.sort.slice(0, byId) : plan.sort
  const isByTime = plan.sort.length === 0 && collections[resource.collection].id === 'uuid'
  const keys = (isByTime ? [{ path: madeAt(resource), descending: false }] : asked).flatMap(
    ({ path, descending }): SortKey[] => {
      if (path === SCORE) return [{ expression: score, type: 'double precision', descending, isNullable: false }]
      const { storage, isNullable, inner } = locate(resource, path, true)
      const order = orderOf(storage)
      const stored = value(ctx, path, storage, inner)
      const own = order ? rankOf(order, stored) : stored
      const type = order ? 'integer' : 'type' in storage ? storage.type : 'text'
      const along = storage.kind === 'computed' ? storage.along : undefined
      const key = { expression: own, type, descending, isNullable, along }
      const nullsLast = { expression: sql`(${own} is null)`, type: 'boolean', descending: false, isNullable: false }
      return isNullable ? [nullsLast, key] : [key]
    },
  )
  const descending = plan.sort[byId]?.descending ?? keys.at(-1)?.descending ?? false
  return [...keys, { expression: sql`t.id`, type: collections[resource.collection].id, descending, isNullable: false }]
}

/** The field with the time of creation. */
const madeAt = ({ fields }: Resource): string =>
  Object.keys(fields).find((name) => fields[name]?.props.stamp === 'created-at') ?? 'created_at'

export const orderBy = (keys: readonly SortKey[]): RawBuilder<unknown> =>
  sql.join(keys.map((key) => sql`${key.expression} ${sql.raw(key.descending ? 'desc' : 'asc')}`))

/** Rows that come after the one with the given key values. */
export function isAfter(keys: readonly SortKey[], last: readonly unknown[]): RawBuilder<SqlBool> {
  const seen = (i: number) => sql`${last[i]}::${sql.raw(keys[i]?.type ?? 'text')}`
  const first = keys[0]
  const isUniform = keys.every(
    (key) => !key.isNullable && key.type !== 'boolean' && key.descending === first?.descending,
  )
  if (isUniform) {
    // An index supports row comparison.
    const own = sql.join(keys.map((key) => key.expression))
    return sql`(${own}) ${sql.raw(first?.descending ? '<' : '>')} (${sql.join(keys.map((_, i) => seen(i)))})`
  }
  const alternatives = keys.map((key, i) => {
    const ties = keys.slice(0, i).map((tie, j) => sql<SqlBool>`${tie.expression} is not distinct from ${seen(j)}`)
    const beyond = sql<SqlBool>`${key.expression} ${sql.raw(key.descending ? '<' : '>')} ${seen(i)}`
    return sql<SqlBool>`(${and([...ties, beyond])})`
  })
  return sql`(${sql.join(alternatives, sql` or `)})`
}
