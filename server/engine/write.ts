import { type RawBuilder, sql } from 'kysely'
import { collections } from '../collections.ts'
import { refuseMovedSecrets } from './bound-secrets.ts'
import { duplicateFaults } from './bulk-errors.ts'
import type { AnyRow, Context, Item } from './context.ts'
import type { Resource } from './definition.ts'
import { badRequest, conflict, notFound, retry } from './errors.ts'
import { fetchRows, get } from './fetch.ts'
import type { Field, Stamp } from './field-class.ts'
import { makeId } from './ids.ts'
import { checkReferences, relink } from './links.ts'
import { deletionLogged, diff, logged } from './log.ts'
import { mergeDocuments } from './merge.ts'
import type { Id } from './reference.ts'
import { idType, viewers, visible } from './select.ts'

/** Creates one object. Throws a 409 if it exists. */
export async function create(ctx: Context, resource: Resource, item: Item): Promise<AnyRow> {
  await checkReferences(ctx, resource, [item])
  const [made] = await insertRows(ctx, resource, [item], sql``)
  if (!made) throw new TypeError(`${resource.collection}: the insert returned no row.`)
  await relink(ctx, resource, new Map([[made.id, item]]))
  return get(ctx, resource, made.id)
}

/** Creates or updates objects by their key, all at once; absent fields of existing objects keep their values. */
export async function upsert(ctx: Context, resource: Resource, sent: Item[]) {
  const items = resource.key.includes('id') ? sent.map((item) => ({ ...item, id: item.id ?? makeId() })) : sent
  refuseDuplicates(resource, items)
  await checkReferences(ctx, resource, items)
  const made = await insertRows(ctx, resource, items, sql`on conflict (${keyColumns(resource)}) do nothing`)
  const ids = new Map(made.map((row) => [keyOf(resource, row), row.id]))
  const known = items.filter((item) => !ids.has(keyOf(resource, item)))
  for (const row of await lockByKey(ctx, resource, known)) ids.set(keyOf(resource, row), row.id)
  const itemById = new Map(items.map((item) => [idOf(ids, resource, item), item]))
  const changed = known.map((item) => ({ ...item, id: idOf(ids, resource, item) }))
  await refuseMovedSecrets(ctx, resource, changed)
  await updateRows(ctx, resource, changed)
  await relink(ctx, resource, itemById)
  return { rows: await fetchRows(ctx, resource, [...itemById.keys()]), created: made.length }
}

/** Updates one object: fields replace, nested objects merge by key, null clears. */
export async function update(ctx: Context, resource: Resource, id: Id, patch: Item): Promise<AnyRow> {
  const current = await lockRow(ctx, resource, id)
  return replace(ctx, resource, id, mergeDocuments(resource, current, patch))
}

/** The same for a locked object whose documents the caller of this function has merged. */
export async function replace(ctx: Context, resource: Resource, id: Id, merged: Item): Promise<AnyRow> {
  await checkReferences(ctx, resource, [merged])
  await refuseMovedSecrets(ctx, resource, [{ ...merged, id }])
  await updateRows(ctx, resource, [{ ...merged, id }])
  await relink(ctx, resource, new Map([[id, merged]]))
  return get(ctx, resource, id)
}

/** Deletes all of these objects, or none if the caller may not see one of them. */
export async function remove(ctx: Context, resource: Resource, ids: readonly Id[]): Promise<void> {
  const { rows } = await sql<{ id: Id }>`
    with locked as materialized (
      select t.id from ${sql.table(resource.table)} as t
      where t.id = any(${ids}::${idType(resource.collection)}[]) and ${visible(ctx, resource)}
      order by ${sql.join(lockOrder(resource))}
      for update of t
    ), gone as (
      delete from ${sql.table(resource.table)} as t
      where t.id in (select id from locked)
      returning t.id, ${diff(resource, 't', null)} as diff, ${resource.visibility?.keys?.('t') ?? viewers(ctx, resource, 't')} as keys
    ), ${deletionLogged(ctx, resource, sql`gone`, true)}
    select id from gone`.execute(ctx.db)
  const gone = new Set(rows.map((row) => row.id))
  const absent = ids.find((id) => !gone.has(id))
  if (absent !== undefined) throw notFound(absent)
}

/** The order in which upserts lock rows, so that two requests for the same rows cannot deadlock. */
function lockOrder(resource: Resource): RawBuilder<unknown>[] {
  const columns = new Set(stored(resource).map(([name]) => name))
  return [...resource.key.filter((name) => columns.has(name)), 'id'].map((name) => sql.ref(`t.${name}`))
}

/** Logs a change of an object that shows in none of its columns. */
export const touch = (ctx: Context, resource: Resource, id: Id): Promise<void> => updateRows(ctx, resource, [{ id }])

/** Column and type of every stored field that callers may set. */
function stored(resource: Resource): [name: string, type: string][] {
  const id = collections[resource.collection].id
  const own = Object.entries(resource.fields).flatMap(([name, { props }]): [string, string][] =>
    (props.storage.kind === 'column' || props.storage.kind === 'ref') && props.access !== 'read-only'
      ? [[name, props.storage.type]]
      : [],
  )
  return id === 'uuid' ? [['id', id], ...own] : own
}

async function insertRows(ctx: Context, resource: Resource, items: Item[], onConflict: RawBuilder<unknown>) {
  const names = stored(resource)
  const stamps = stampsOf(ctx, resource, ['created-at', 'created-by', 'updated-at', 'updated-by'])
  const list = names.map(([name]) => sql.ref(name))
  const rows = items.map((item) => sealed(ctx, resource, { id: makeId(), ...defaults(resource), ...given(item) }))
  const answered = [...new Set(['id', ...resource.key])]
  const { rows: made } = await sql<AnyRow>`
    with made as (
      insert into ${sql.table(resource.table)} as t (${sql.join([...list, ...stamps.map(([name]) => sql.ref(name))])})
      select ${sql.join([...list, ...stamps.map(([, value]) => value)])}
      from ${records(names, rows)}
      order by ${keyColumns(resource)}
      ${onConflict}
      returning ${sql.join(answered.map((name) => sql.ref(`t.${name}`)))}, ${diff(resource, null, 't')} as diff
    ), ${logged(ctx, resource, 'create', sql`made`, true)}
    select ${sql.join(answered.map((name) => sql.ref(name)))} from made`.execute(ctx.db)
  return made
}

/** Sets in every row only the fields that its item has, in one statement. */
async function updateRows(ctx: Context, resource: Resource, items: (Item & { id: Id })[]): Promise<void> {
  if (items.length === 0) return
  const names = stored(resource).filter(([name]) => name !== 'id' && items.some((item) => item[name] !== undefined))
  const stamps = stampsOf(ctx, resource, ['updated-at', 'updated-by'])
  const rows = items.map((item) => ({ ...sealed(ctx, resource, item), given: Object.keys(given(item)) }))
  const assignments = [
    ...names.map(
      ([name]) =>
        sql`${sql.ref(name)} = case when i.given ? ${sql.lit(name)} then i.${sql.ref(name)} else t.${sql.ref(name)} end`,
    ),
    ...stamps.map(([name, value]) => sql`${sql.ref(name)} = ${value}`),
  ]
  const id: [string, string] = ['id', collections[resource.collection].id]
  const set = names.map(([name]) => name)
  // The rows are locked: this statement still sees their old values.
  const compared = set.length > 0 ? diff(resource, 'was', 't', set) : undefined
  if (assignments.length === 0) assignments.push(sql`id = t.id`)
  await sql`
    with changed as (
      update ${sql.table(resource.table)} as t
      set ${sql.join(assignments)}
      from ${records([id, ...names, ['given', 'jsonb']], rows)}
      ${compared ? sql`join ${sql.table(resource.table)} as was on was.id = i.id` : sql``}
      where t.id = i.id
      returning t.id, ${compared ?? sql`null::json`} as diff
    ), ${logged(ctx, resource, 'update', sql`changed`, true)}
    select from changed`.execute(ctx.db)
}

/** One parameter for the whole batch: as fast as COPY, and the statement does not depend on its size. */
const records = (names: [string, string][], rows: Item[]): RawBuilder<unknown> =>
  sql`jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
    as i(${sql.join(names.map(([name, type]) => sql`${sql.ref(name)} ${sql.raw(type)}`))})`

function stampsOf(ctx: Context, resource: Resource, stamps: Stamp[]): [string, RawBuilder<unknown>][] {
  return Object.entries(resource.fields).flatMap(([name, { props }]): [string, RawBuilder<unknown>][] => {
    if (!props.stamp || !stamps.includes(props.stamp)) return []
    return [[name, props.stamp.endsWith('-at') ? sql`now()` : sql`nullif(${ctx.caller.id}::integer, 0)`]]
  })
}

const given = (item: Item): Item => Object.fromEntries(Object.entries(item).filter(([, value]) => value !== undefined))

const defaults = ({ fields }: Resource): Item =>
  Object.fromEntries(Object.entries(fields).map(([name, { props }]) => [name, props.fallback]))

/** Encrypts the secrets of an item. */
function sealed(ctx: Context, resource: Resource, item: Item): Item {
  const secrets = Object.entries(resource.fields).filter(
    ([name, { props }]) => props.access === 'secret' && name in item,
  )
  const result = { ...item }
  for (const [name] of secrets) {
    if (typeof item[name] === 'string') result[name] = ctx.vault.seal(item[name])
  }
  return result
}

const keyColumns = ({ key }: Resource): RawBuilder<unknown> => sql.join(key.map((name) => sql.ref(name)))

const keyOf = ({ key }: Resource, item: Item): string => JSON.stringify(key.map((name) => item[name] ?? null))

function idOf(ids: ReadonlyMap<string, Id>, resource: Resource, item: Item): Id {
  const id = ids.get(keyOf(resource, item))
  // Another request deleted the row between two of our statements: run the whole request again.
  if (id === undefined) throw retry('A row vanished during the upsert.')
  return id
}

function refuseDuplicates(resource: Resource, items: Item[]): void {
  const faults = duplicateFaults(items, (item) => keyOf(resource, item), resource.key.join(' and '))
  if (faults.length > 0) throw badRequest(faults)
}

/** The existing rows with these keys, locked in the order of the keys so that two requests cannot deadlock. */
async function lockByKey(ctx: Context, resource: Resource, items: Item[]): Promise<AnyRow[]> {
  if (items.length === 0) return []
  const types = new Map(stored(resource))
  const names = resource.key.map((name): [string, string] => [name, types.get(name) ?? 'text'])
  const isSame = names.map(([name]) => sql`t.${sql.ref(name)} is not distinct from i.${sql.ref(name)}`)
  const own = names.map(([name]) => sql`t.${sql.ref(name)}`)
  const keys = items.map((item) => Object.fromEntries(resource.key.map((name) => [name, item[name]])))
  const { rows } = await sql<AnyRow & { is_visible: boolean }>`
    select t.id, ${sql.join(own)}, ${visible(ctx, resource)} as is_visible
    from ${sql.table(resource.table)} as t join ${records(names, keys)} on ${sql.join(isSame, sql` and `)}
    order by ${sql.join(own)}
    for update of t`.execute(ctx.db)
  if (rows.some((row) => !row.is_visible)) throw conflict('The element already exists.')
  return rows
}

async function lockRow(ctx: Context, resource: Resource, id: Id): Promise<AnyRow> {
  const documents = Object.entries(resource.fields).filter(
    ([, { props }]: [string, Field]) => props.storage.kind === 'column' && props.storage.type === 'jsonb',
  )
  const { rows } = await sql<AnyRow>`
    select ${sql.join([sql`t.id`, ...documents.map(([name]) => sql`t.${sql.ref(name)}`)])}
    from ${sql.table(resource.table)} as t
    where t.id = ${id} and ${visible(ctx, resource)}
    for update of t`.execute(ctx.db)
  if (!rows[0]) throw notFound(id)
  return rows[0]
}
