import { isDeepStrictEqual } from 'node:util'
import { type RawBuilder, sql } from 'kysely'
import type { Collection } from '../../collections.ts'
import { createSchema, parseItems } from '../../engine/body.ts'
import type { AnyRow, Context, Item } from '../../engine/context.ts'
import { badRequest, conflict, missing } from '../../engine/errors.ts'
import { fetchRows } from '../../engine/fetch.ts'
import type { Id, Link } from '../../engine/reference.ts'
import { guardsOf } from '../../engine/routes.ts'
import { resourceOf, visible } from '../../engine/select.ts'
import type { Objects } from './export-objects.ts'
import {
  keyOf,
  mayRead,
  type Naming,
  nameOf,
  PORTABLE,
  type Portable,
  readPermission,
  referencesIn,
  resourceFor,
  type TransferredField,
  transferredFields,
  withReferences,
} from './portable.ts'

/** The change to one object of a file. */
export interface Change {
  readonly collection: Collection
  readonly id: Id
  readonly name: Naming
  readonly action: 'create' | 'update' | 'unchanged' | 'delete'
  /** The fields that an update changes. */
  readonly fields?: readonly string[]
}

/** Creates missing objects and updates those that differ. Identical objects are not touched. */
export async function install(ctx: Context, objects: Objects): Promise<Change[]> {
  // A file requires the same permissions as writing its objects one by one.
  requirePermissions(ctx, new Set(Object.keys(objects)), ['modify'])
  refuseLacking(ctx, namedCollections(ctx, objects))
  const changes: Change[] = []
  for (const portable of PORTABLE) {
    const items = objects[portable.collection]
    if (items && items.length > 0) changes.push(...(await installSome(ctx, portable, items)))
  }
  return changes
}

/** Throws a 403 unless the caller has this permission for these collections. */
export function requirePermissions(
  ctx: Context,
  collections: ReadonlySet<string>,
  verbs: readonly ('read' | 'modify')[],
): void {
  const contained = PORTABLE.filter(({ collection }) => collections.has(collection))
  refuseLacking(
    ctx,
    verbs.flatMap((verb) => contained.map((portable) => `${verb} ${resourceFor(ctx, portable).permission}`)),
  )
}

function refuseLacking({ caller }: Context, needed: readonly string[]): void {
  const lacking = needed.filter((permission) => !caller.permissions.has(permission))
  if (lacking.length > 0) throw missing(lacking)
}

async function installSome(ctx: Context, portable: Portable, items: readonly Item[]): Promise<Change[]> {
  const resource = resourceOf(ctx, portable.collection)
  const fields = transferredFields(ctx, portable)
  const sent = await withIds(ctx, portable, fields, items)
  const parsed = parseItems(resource, createSchema(resource), sent, ['objects', portable.collection])
  refuseLacking(ctx, guardsOf(resource, parsed))
  const known = await findByName(ctx, portable, namesIn(parsed, portable.by))
  const differing = parsed.map((item) => {
    const row = known.get(keyOf(item[portable.by]))
    return { item, row, fields: row ? differences(fields, item, row) : [] }
  })
  const written = differing.filter(({ row, fields: changed }) => !row || changed.length > 0)
  const ids = await write(
    ctx,
    portable,
    written.map(({ item }) => item),
  )
  return differing.map(({ item, row, fields: changed }): Change => {
    const name = item[portable.by] as Naming
    const about = { collection: portable.collection, id: row?.id ?? ids.get(keyOf(name)) ?? 0, name }
    if (!row) return { ...about, action: 'create' }
    return changed.length > 0 ? { ...about, action: 'update', fields: changed } : { ...about, action: 'unchanged' }
  })
}

/**
 * References by name reveal which names exist, so they require permission to read the objects, or to write them by
 * name.
 */
function namedCollections(ctx: Context, objects: Objects): string[] {
  const named = PORTABLE.flatMap((portable) => {
    const items = objects[portable.collection] ?? []
    const used = transferredFields(ctx, portable).filter((field) =>
      items.some((item) => referencesIn(field, item[field.name]).length > 0),
    )
    return used.flatMap(({ to }) => to ?? [])
  })
  const mayWrite = (portable: Portable) => ctx.caller.permissions.has(`modify ${resourceFor(ctx, portable).permission}`)
  return named.flatMap((to) => (mayRead(ctx, to) || mayWrite(to) ? [] : [readPermission(ctx, to)]))
}

async function write(ctx: Context, portable: Portable, items: Item[]): Promise<ReadonlyMap<string, Id>> {
  const resource = resourceOf(ctx, portable.collection)
  if (items.length === 0) return new Map()
  if (!resource.operations.upsert) throw conflict(`${portable.collection} cannot be installed.`)
  const { rows } = await resource.operations.upsert(ctx, resource, items)
  return new Map(rows.map((row) => [keyOf(nameOf(row, portable)), row.id]))
}

/** Replaces names by ids. Unknown names are errors. */
async function withIds(
  ctx: Context,
  { collection }: Portable,
  fields: readonly TransferredField[],
  items: readonly Item[],
): Promise<Item[]> {
  const results = items.map((item) => ({ ...item }))
  const faults: string[] = []
  for (const field of fields) {
    const { name, to } = field
    if (!to) continue
    const found = await findByName(
      ctx,
      to,
      items.flatMap((item) => referencesIn(field, item[name])),
    )
    for (const [position, result] of results.entries()) {
      if (result[name] === undefined || result[name] === null) continue
      const ids = referencesIn(field, result[name]).map((called) => {
        const id = found.get(keyOf(called))?.id
        if (id === undefined)
          faults.push(`objects.${collection}[${position}].${name}: there is no ${keyOf(called)} in ${to.collection}.`)
        return id
      })
      result[name] = withReferences(field, result[name], ids)
    }
  }
  if (faults.length > 0) throw badRequest(faults)
  return results
}

const namesIn = (items: readonly Item[], by: string): unknown[] => items.map((item) => item[by])

/** The objects with these names that the caller can see, by name. */
async function findByName(ctx: Context, portable: Portable, names: readonly unknown[]): Promise<Map<string, AnyRow>> {
  if (names.length === 0) return new Map()
  const resource = resourceOf(ctx, portable.collection)
  const own = sql`to_jsonb(${sql.ref(`t.${portable.by}`)})`
  const wanted: RawBuilder<unknown> = sql`any(${[...new Set(names.map(keyOf))]}::jsonb[])`
  const { rows } = await sql<{ id: Id }>`
    select t.id from ${sql.table(resource.table)} as t
    where ${own} = ${wanted} and ${visible(ctx, resource)}`.execute(ctx.db)
  const found = await fetchRows(
    ctx,
    resource,
    rows.map(({ id }) => id),
  )
  return new Map(found.map((row) => [keyOf(nameOf(row, portable)), row]))
}

/**
 * The fields of an object in a file that differ from the stored one. Fields that the file does not mention are kept.
 */
function differences(fields: readonly TransferredField[], item: Item, row: AnyRow): string[] {
  return fields.flatMap((field) => {
    const value = item[field.name]
    if (value === undefined) return []
    if (field.kind !== 'many') return isSame(value, row[field.name]) ? [] : [field.name]
    const ids = (value as Link[]).map(({ id }) => id)
    return isSame(new Set(ids), new Set(referencesIn(field, row[field.name]))) ? [] : [field.name]
  })
}

const isSame = (a: unknown, b: unknown): boolean => isDeepStrictEqual(plain(a), plain(b))

/** The value as JSON, without undefined properties. */
const plain = (value: unknown): unknown => (value instanceof Set ? value : JSON.parse(JSON.stringify(value ?? null)))
