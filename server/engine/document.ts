import { type RawBuilder, sql } from 'kysely'
import type { z } from 'zod'
import { Field } from './field.ts'
import type { Item } from './resource.ts'
import type { Storage } from './storage.ts'

/**
 * A document is a `jsonb` column whose members may have places of their own: a column, a link table, or an expression. What
 * is not a member, or has no other place, is in the document itself.
 */

/** The members of a document, by the names that they have in it. */
export type Members = Readonly<Record<string, Field>>

/** A document some of whose members have columns, links or expressions of their own. */
export const document = <I extends z.ZodType>(schema: I, members: Members) =>
  new Field<I, 'read-write', false, Extract<Storage, { kind: 'document' }>>({
    storage: { kind: 'document', type: 'jsonb', members },
    input: schema,
    output: schema,
    access: 'read-write',
    isRequired: false,
    isNullable: false,
  })

/** A member with a column of its own. */
export interface MemberColumn {
  readonly name: string
  readonly column: string
  readonly type: string
}

/** The members that have columns of their own. */
export const columnsOf = (members: Members): MemberColumn[] =>
  Object.entries(members).flatMap(
    ([
      name,
      {
        props: { storage },
      },
    ]) => (storage.kind === 'column' && storage.column ? [{ name, column: storage.column, type: storage.type }] : []),
  )

/** What is read from somewhere else than the document, with the name that the value has in a row. */
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

/** What filters go by; undefined where that is the document itself. */
export const filterOf = ({ props: { filter, storage, access } }: Field): Storage | undefined =>
  access === 'write-only' ? undefined : (filter ?? (isPlaced(storage) ? storage : undefined))

/** Combines the document of a row with its members that were selected separately. */
export function joinDocument(field: string, members: Members, row: Item): Item {
  const document = { ...(row[field] as Item) }
  for (const { name, as } of placedMembers(field, members)) document[name] = row[as]
  return document
}

/** The stored members of a document of the row `t`, and what is in it: not what is calculated for who asks. */
export function storedColumns(field: string, members: Members): RawBuilder<unknown> {
  const own = storedMembers(field, members).map(({ as, storage }) => sql`${storedValue(storage)} as ${sql.id(as)}`)
  return sql.join([sql`t.${sql.ref(field)}`, ...own])
}

/** Puts together what `storedColumns` selected. */
export function storedDocument(field: string, members: Members, row: Item): Item {
  const document = { ...(row[field] as Item) }
  for (const { name, as } of storedMembers(field, members)) document[name] = row[as]
  return document
}

const storedMembers = (field: string, members: Members) =>
  placedMembers(field, members).filter(({ storage }) => storage.kind === 'column' || storage.kind === 'refs')

/** What stays in the document itself when it is stored. */
export const withoutPlaced = (members: Members, document: Item): Item =>
  Object.fromEntries(
    Object.entries(document).filter(([name]) => {
      const props = Object.hasOwn(members, name) ? members[name]?.props : undefined
      return !props || (!isPlaced(props.storage) && props.access !== 'write-only')
    }),
  )

/** A new document with what it does not say itself. */
export function withDefaults<D extends object>(members: Members, document: D, owner: unknown): D {
  const given = { ...document } as Item
  for (const [name, { props }] of Object.entries(members)) {
    if (props.derive && (given[name] ?? null) === null)
      given[name] = props.derive(owner, given[name] as null | undefined)
  }
  return given as D
}

/** A document whose columns all have a value: what is absent is null, or the default where there is no null. */
export function filled<D extends object>(members: Members, document: D, owner: unknown): D {
  const given = { ...document } as Item
  for (const { name } of columnsOf(members)) {
    const props = members[name]?.props
    given[name] ??= props?.isNullable ? null : (props?.fallback ?? props?.derive?.(owner, undefined))
  }
  return given as D
}

/** The stored document of the row `t` as JSON, with its members that are columns or links. */
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
