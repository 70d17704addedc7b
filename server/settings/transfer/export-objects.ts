import { sql } from 'kysely'
import type { Collection } from '../../collections.ts'
import type { AnyRow, Context, Item } from '../../engine/context.ts'
import { missing } from '../../engine/errors.ts'
import { fetchRows } from '../../engine/fetch.ts'
import type { Id } from '../../engine/reference.ts'
import { visible } from '../../engine/select.ts'
import {
  byCollection,
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

/** Objects of a file, by collection. */
export type Objects = Partial<Record<Collection, Item[]>>

/** The objects to export: some, or all that the caller can see. */
export type Wanted = ReadonlyMap<Collection, readonly Id[] | 'all'>

/**
 * Exports the wanted objects and everything they refer to, with names instead of ids. Collections that the caller may
 * not read are a 403, or are left out together with all fields that refer to them.
 */
export async function exportObjects(
  ctx: Context,
  wanted: Wanted,
  unreadable: 'refuse' | 'leave out',
): Promise<Objects> {
  const fieldsOf = (portable: Portable): readonly TransferredField[] =>
    transferredFields(ctx, portable).filter(({ to }) => !to || unreadable === 'refuse' || mayRead(ctx, to))
  const names = new Names()
  const packed: [Portable, AnyRow[]][] = []
  const needed = new Map<Collection, Set<Id>>()
  // In reverse order, so that all references to a collection are known before its turn.
  for (const portable of PORTABLE.toReversed()) {
    const asked = wanted.get(portable.collection)
    const ids =
      asked === 'all' ? await allIds(ctx, portable) : [...(asked ?? []), ...(needed.get(portable.collection) ?? [])]
    if (ids.length === 0) continue
    const rows = await fetchRows(ctx, resourceFor(ctx, portable), [...new Set(ids)])
    packed.push([portable, rows])
    names.add(portable, rows)
    for (const field of fieldsOf(portable)) {
      if (!field.to) continue
      const all = needed.get(field.to.collection) ?? new Set()
      for (const row of rows) for (const id of referencesIn(field, row[field.name])) all.add(id as Id)
      needed.set(field.to.collection, all)
    }
  }
  const lacking = packed.flatMap(([portable, rows]) =>
    rows.length > 0 && !mayRead(ctx, portable) ? [readPermission(ctx, portable)] : [],
  )
  if (lacking.length > 0) throw missing(lacking.toReversed())
  await nameUnexported(ctx, names, needed)
  const objects = packed.toReversed().map(([portable, rows]) => {
    const fields = fieldsOf(portable)
    const items = rows.map((row) => ({ key: keyOf(nameOf(row, portable)), item: toItem(row, fields, names) }))
    return [portable.collection, items.sort((a, b) => (a.key < b.key ? -1 : 1)).map(({ item }) => item)]
  })
  return Object.fromEntries(objects)
}

/** The names of objects, by collection and id. */
class Names {
  readonly #names = new Map<string, Naming>()

  add(portable: Portable, rows: readonly AnyRow[]): void {
    for (const row of rows) this.#names.set(`${portable.collection} ${row.id}`, nameOf(row, portable))
  }

  of({ collection }: Portable, id: Id): Naming | undefined {
    return this.#names.get(`${collection} ${id}`)
  }
}

async function allIds(ctx: Context, portable: Portable): Promise<Id[]> {
  const resource = resourceFor(ctx, portable)
  const { rows } = await sql<{ id: Id }>`
    select t.id from ${sql.table(resource.table)} as t where ${visible(ctx, resource)}`.execute(ctx.db)
  return rows.map(({ id }) => id)
}

/** Looks up the names of referenced objects that are not exported because every installation has them. */
async function nameUnexported(ctx: Context, names: Names, needed: ReadonlyMap<Collection, Set<Id>>): Promise<void> {
  const isPacked = new Set(PORTABLE.map(({ collection }) => collection))
  for (const [collection, ids] of needed) {
    const portable = byCollection.get(collection)
    if (!portable || isPacked.has(collection) || ids.size === 0) continue
    names.add(portable, await fetchRows(ctx, resourceFor(ctx, portable), [...ids]))
  }
}

function toItem(row: AnyRow, fields: readonly TransferredField[], names: Names): Item {
  const values = fields.map((field): [string, unknown] => {
    const { name, kind, to } = field
    if (!to) return [name, row[name]]
    const named = referencesIn(field, row[name]).map((id) => names.of(to, id as Id))
    if (kind === 'parts') return [name, withReferences(field, row[name], named)]
    const known = named.filter((called) => called !== undefined)
    return [
      name,
      withReferences(
        field,
        row[name],
        known.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1)),
      ),
    ]
  })
  return Object.fromEntries(values)
}
