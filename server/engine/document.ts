import { type RawBuilder, sql } from 'kysely'
import type { z } from 'zod'
import type { Item } from './context.ts'
import { Field } from './field-class.ts'
import type { Member, Members, Storage } from './storage.ts'

/**
 * A document is a `jsonb` column. Some of its members are stored elsewhere: in a column, in a link table, or as an expression.
 * All other properties are stored in the document itself.
 */

/** A document with members that are stored in columns, links or expressions. */
export const document = <I extends z.ZodType>(schema: I, members: Members) =>
  new Field<I, 'read-write', false, Extract<Storage, { kind: 'document' }>>({
    storage: { kind: 'document', type: 'jsonb', members },
    input: schema,
    output: schema,
    access: 'read-write',
    isRequired: false,
    isNullable: false,
  })

/** A member that is stored in a column. */
export interface MemberColumn {
  readonly name: string
  readonly column: string
  readonly type: string
}

/** The members that are stored in columns. */
export const columnsOf = (members: Members): MemberColumn[] =>
  Object.entries(members).flatMap(
    ([
      name,
      {
        props: { storage },
      },
    ]) => (storage.kind === 'column' && storage.column ? [{ name, column: storage.column, type: storage.type }] : []),
  )

/** The members that are stored outside of the document, with the name of the value in a row. */
export const placedMembers = (field: string, members: Members): { name: string; as: string; storage: Storage }[] =>
  Object.entries(members).flatMap(
    ([
      name,
      {
        props: { storage, access },
      },
    ]) => (isPlaced(storage) && access !== 'write-only' ? [{ name, as: `${field}.${name}`, storage }] : []),
  )

const isPlaced = (storage: Storage): boolean => storage.kind !== 'column' || storage.column !== undefined

/** The storage that filters use; undefined if that is the document itself. */
export const filterOf = ({ props: { filter, storage, access } }: Member): Storage | undefined =>
  access === 'write-only' ? undefined : (filter ?? (isPlaced(storage) ? storage : undefined))

/** Combines the document of a row with those of its members that were selected separately. */
export function joinDocument(field: string, members: Members, row: Item): Item {
  const document = { ...(row[field] as Item) }
  for (const { name, as } of placedMembers(field, members)) if (Object.hasOwn(row, as)) document[name] = row[as]
  return document
}

/** The select list of a document of the row `t` and its stored members, without those that are computed for the caller. */
export function storedColumns(field: string, members: Members): RawBuilder<unknown> {
  const own = storedMembers(field, members).map(({ as, storage }) => sql`${storedValue(storage)} as ${sql.id(as)}`)
  return sql.join([sql`t.${sql.ref(field)}`, ...own])
}

const storedMembers = (field: string, members: Members) =>
  placedMembers(field, members).filter(({ storage }) => storage.kind === 'column' || storage.kind === 'refs')

/** The properties that are stored in the document itself. */
export const withoutPlaced = (members: Members, document: Item): Item =>
  Object.fromEntries(
    Object.entries(document).filter(([name]) => {
      const props = Object.hasOwn(members, name) ? members[name]?.props : undefined
      return !props || (!isPlaced(props.storage) && props.access !== 'write-only')
    }),
  )

/** A new document with its derived members, where the client sent nothing or null. */
export function withDerivedMembers<D extends object>(members: Members, document: D, owner: unknown): D {
  const given = { ...document } as Item
  for (const [name, { props }] of Object.entries(members)) {
    if (props.derive && (given[name] ?? null) === null)
      given[name] = props.derive(owner, given[name] as null | undefined)
  }
  return given as D
}

/** A document with a value for each column: null, or the default where the column is not nullable. */
export function withAllColumns<D extends object>(members: Members, document: D, owner: unknown): D {
  const given = { ...document } as Item
  for (const { name } of columnsOf(members)) {
    const props = members[name]?.props
    given[name] ??= props?.isNullable ? null : (props?.fallback ?? props?.derive?.(owner, undefined))
  }
  return given as D
}

/** The stored document of the row `t` as JSON, including its members in columns and links. */
export function documentAsJson(field: string, members: Members): RawBuilder<unknown> {
  const parts = storedMembers(field, members).map(({ name, storage }) => {
    const own = storedValue(storage)
    const isTime = storage.kind === 'column' && storage.type === 'timestamptz'
    return sql`${sql.lit(name)}, ${isTime ? wireTime(own) : own}`
  })
  return sql`t.${sql.ref(field)} || jsonb_build_object(${sql.join(parts)})`
}

function storedValue(storage: Storage): RawBuilder<unknown> {
  if (storage.kind === 'column') return sql`t.${sql.ref(storage.column ?? '')}`
  if (storage.kind !== 'refs') throw new TypeError(`A ${storage.kind} has no stored value.`)
  const other = sql.ref(storage.here === 'source' ? 'target' : 'source')
  return sql`array(select l.${other} from ${sql.table(storage.through)} as l
    where l.${sql.ref(storage.here)} = t.id order by 1)`
}

/** A timestamp in the form of responses. */
export const wireTime = (moment: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`to_char(${moment} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"+00:00"')`
