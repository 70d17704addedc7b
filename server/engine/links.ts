import { sql } from 'kysely'
import type { Collection } from '../collections.ts'
import { itemPrefix } from './bulk-errors.ts'
import type { Context, Item } from './context.ts'
import type { Resource } from './definition.ts'
import { badRequest } from './errors.ts'
import { linkReturned, linksLogged } from './log.ts'
import type { Id, Link } from './reference.ts'
import { idType, resourceOf, there, visible } from './select.ts'
import type { Storage } from './storage.ts'

type Refs = Extract<Storage, { kind: 'refs' }>

/** Adds links to one object. Adding a link twice is not an error; a new attribute replaces the old one. */
export async function link(
  ctx: Context,
  resource: Resource,
  id: Id,
  field: string,
  links: readonly Link[],
): Promise<void> {
  await insertLinks(
    ctx,
    resource,
    field,
    links.map((each) => ({ owner: id, ...each })),
  )
}

/** Removes one link. */
export async function unlink(ctx: Context, resource: Resource, id: Id, field: string, target: Id): Promise<void> {
  const storage = refsOf(resource, field)
  await sql`
    with gone as (
      delete from ${sql.table(storage.through)} as l
      where l.${sql.ref(storage.here)} = ${id} and l.${there(storage)} = ${target}
      returning ${linkReturned(storage)}
    ), ${linksLogged(ctx, resource, field, 'unlink', sql`gone`)}
    select`.execute(ctx.db)
}

/** Replaces the links of every to-many field that the items set; links that the caller may not see stay. */
export async function relink(ctx: Context, resource: Resource, items: ReadonlyMap<Id, Item>): Promise<void> {
  for (const [name, field] of Object.entries(resource.fields)) {
    const { storage, access } = field.props
    if (storage.kind !== 'refs' || access === 'read-only') continue
    const setters = [...items].filter(([, item]) => item[name] !== undefined)
    if (setters.length === 0) continue
    const wanted = setters.flatMap(([owner, item]) => (item[name] as Link[]).map((each) => ({ owner, ...each })))
    await removeOthers(
      ctx,
      resource,
      name,
      setters.map(([id]) => id),
      wanted,
    )
    if (wanted.length > 0) await insertLinks(ctx, resource, name, wanted)
  }
}

type Owned = Link & { owner: Id }

async function removeOthers(
  ctx: Context,
  resource: Resource,
  field: string,
  owners: Id[],
  wanted: Owned[],
): Promise<void> {
  const storage = refsOf(resource, field)
  const target = resourceOf(ctx, storage.to)
  await sql`
    with gone as (
      delete from ${sql.table(storage.through)} as l
      using ${sql.table(target.table)} as o
      where l.${sql.ref(storage.here)} = any(${owners}::${idType(resource.collection)}[])
        and o.id = l.${there(storage)}
        and ${visible(ctx, target, 'o')}
        and (l.${sql.ref(storage.here)}, l.${there(storage)}) not in (
          select * from unnest(
            ${wanted.map((each) => each.owner)}::${idType(resource.collection)}[],
            ${wanted.map((each) => each.id)}::${idType(storage.to)}[]))
      returning ${linkReturned(storage)}
    ), ${linksLogged(ctx, resource, field, 'unlink', sql`gone`)}
    select`.execute(ctx.db)
}

async function insertLinks(ctx: Context, resource: Resource, field: string, links: Owned[]): Promise<void> {
  const storage = refsOf(resource, field)
  const { attribute } = storage
  // The last mention of a target determines its attribute; a statement must not write a row twice.
  const distinct = [...new Map(links.map((each) => [`${each.owner} ${each.id}`, each])).values()]
  const extra = attribute ? sql`, ${sql.ref(attribute.name)}` : sql``
  const values = attribute ? sql`, ${distinct.map((each) => each.attribute ?? attribute.default)}::text[]` : sql``
  const onConflict = attribute
    ? sql`(source, target) do update set ${sql.ref(attribute.name)} = excluded.${sql.ref(attribute.name)}
      where l.${sql.ref(attribute.name)} is distinct from excluded.${sql.ref(attribute.name)}`
    : sql`do nothing`
  await sql`
    with made as (
      insert into ${sql.table(storage.through)} as l (${sql.ref(storage.here)}, ${there(storage)} ${extra})
      select * from unnest(
        ${distinct.map((each) => each.owner)}::${idType(resource.collection)}[],
        ${distinct.map((each) => each.id)}::${idType(storage.to)}[]
        ${values})
      order by 1, 2
      on conflict ${onConflict}
      returning ${linkReturned(storage)}
    ), ${linksLogged(ctx, resource, field, 'link', sql`made`)}
    select`.execute(ctx.db)
}

/** Refuses references to objects that do not exist for the caller, each by the path of its field. */
export async function checkReferences(ctx: Context, resource: Resource, items: readonly Item[]): Promise<void> {
  const linked = Object.entries(resource.fields).flatMap(([name, { props }]) =>
    props.access === 'read-only' || !props.storage.kind.startsWith('ref') ? [] : [{ name, storage: props.storage }],
  )
  const mentioned: Mention[] = []
  for (let position = 0; position < items.length; position++) {
    const item = items[position] as Item
    for (const { name, storage } of linked) mention(name, storage, item[name], position, mentioned)
  }
  const missing = await missingAmong(ctx, mentioned)
  if (missing.length === 0) return
  throw badRequest(
    missing.map(({ position, name, to, id }) => `${itemPrefix(items, position)}${name}: there is no '${id}' in ${to}.`),
  )
}

interface Mention {
  readonly position: number
  readonly name: string
  readonly to: Collection
  readonly id: Id
}

/** Collects the objects that a value refers to. */
function mention(name: string, storage: Storage, value: unknown, position: number, mentioned: Mention[]): void {
  if (value === undefined || value === null) return
  if (storage.kind === 'ref') mentioned.push({ position, name, to: storage.to, id: value as Id })
  if (storage.kind === 'refs') {
    const { to } = storage
    for (const { id } of value as Link[]) {
      // The operations of the resource create objects without an id.
      if (id !== undefined) mentioned.push({ position, name, to, id })
    }
  }
}

async function missingAmong(ctx: Context, mentioned: readonly Mention[]): Promise<readonly Mention[]> {
  if (mentioned.length === 0) return []
  const groups = [...Map.groupBy(mentioned, ({ to }) => to)]
  const lookups = groups.map(([to, group]) => {
    const target = resourceOf(ctx, to)
    const ids = [...new Set(group.map(({ id }) => id))]
    return sql`
      select ${to}::text as collection, o.id::text as id from ${sql.table(target.table)} as o
      where o.id = any(${ids}::${idType(to)}[]) and ${visible(ctx, target, 'o')}`
  })
  const { rows } = await sql<{ collection: string; id: string }>`${sql.join(lookups, sql` union all `)}`.execute(ctx.db)
  const present = new Set(rows.map(({ collection, id }) => `${collection} ${id}`))
  return mentioned.filter(({ to, id }) => !present.has(`${to} ${id}`))
}

/** The storage of a field that holds links. */
export function refsOf(resource: Resource, field: string): Refs {
  const storage = resource.fields[field]?.props.storage
  if (storage?.kind !== 'refs') throw new TypeError(`${resource.collection}.${field} holds no links.`)
  return storage
}
