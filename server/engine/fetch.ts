import { type CompiledQuery, type RawBuilder, type SqlBool, sql } from 'kysely'
import { joinDocument } from './document.ts'
import { notFound } from './errors.ts'
import { StoredJson } from './print.ts'
import type { Id } from './reference.ts'
import type { AnyRow, Caller, Context, Item, Resource } from './resource.ts'
import { columns, isAmong, PREPARED, UNREAD, visible } from './select.ts'

/** One object, or a 404 when there is none that the caller may see. */
export async function get(ctx: Context, resource: Resource, id: Id): Promise<AnyRow> {
  const lookup = statementOf(ctx, resource, 'one')
  const parameters = filledIn(lookup, ctx, id)
  const { rows } = await (ctx.lookup?.(lookup.sql, parameters) ??
    ctx.db.executeQuery<AnyRow>({ ...lookup, parameters }))
  const row = rows[0]
  if (!row) throw notFound(id)
  return withMembers(resource, row)
}

/** A 404 unless the caller may see the object. */
export async function requireVisible(ctx: Context, resource: Resource, id: Id): Promise<void> {
  const { rows } = await sql`
    select from ${sql.table(resource.table)} as t
    where t.id = ${id} and ${visible(ctx, resource)}`.execute(ctx.db)
  if (rows.length === 0) throw notFound(id)
}

/** The objects with these ids, in this order; those that do not exist, or not for the caller, are left out. */
export async function fetchRows(ctx: Context, resource: Resource, ids: readonly Id[]): Promise<AnyRow[]> {
  const lookup = statementOf(ctx, resource, 'many')
  const { rows } = await ctx.db.executeQuery<AnyRow>({ ...lookup, parameters: filledIn(lookup, ctx, ids) })
  return inOrder(rows, ids).map((row) => withMembers(resource, row))
}

/** A row whose documents include the members that were selected separately. */
export function withMembers<R extends Item>({ fields }: Resource, row: R): R {
  const documents = Object.entries(fields).flatMap(
    ([
      name,
      {
        props: { storage },
      },
    ]) =>
      storage.kind === 'document' && row[name] !== undefined ? [[name, joinDocument(name, storage.members, row)]] : [],
  )
  return documents.length === 0 ? row : { ...row, ...Object.fromEntries(documents) }
}

/** The same for a list: cut down to attributes, and with the documents as they are stored that nobody looks into. */
export async function fetchListed(
  ctx: Context,
  resource: Resource,
  ids: readonly Id[],
  attributes: readonly string[] | null,
): Promise<AnyRow[]> {
  const readDocuments = documentReader(resource, attributes)
  if (!attributes && !readDocuments) return fetchRows(ctx, resource, ids)
  // There are too many ways to choose attributes for the database to remember a plan for each.
  const lookup = attributes
    ? write(ctx, resource, readDocuments ? 'listed' : 'many', namesIn(attributes)).compile(ctx.db)
    : statementOf(ctx, resource, 'listed')
  const read = async (some: readonly Id[]): Promise<AnyRow[]> => {
    const { rows } = await ctx.db.executeQuery<AnyRow>({ ...lookup, parameters: filledIn(lookup, ctx, some) })
    if (readDocuments) rows.forEach(readDocuments)
    return rows.map((row) => withMembers(resource, row))
  }
  if (ids.length < LARGE || ctx.db.isTransaction) return inOrder(await read(ids), ids)
  // Most of a large page is the time of the database for its documents, which two connections share.
  const half = Math.ceil(ids.length / 2)
  const halves = await Promise.all([read(ids.slice(0, half)), read(ids.slice(half))])
  return inOrder(halves.flat(), ids)
}

/** From so many on, a page is read in halves at the same time. */
const LARGE = 200

function inOrder(rows: readonly AnyRow[], ids: readonly Id[]): AnyRow[] {
  const byId = new Map(rows.map((row) => [row.id, row]))
  return ids.flatMap((id) => byId.get(id) ?? [])
}

/** What is looked up: an object, some, or some whose documents are read here. */
type Kind = 'one' | 'many' | 'listed'

/** Stand for what differs between the calls of a statement that is written once. */
const WANTED = Symbol('wanted')
const AT = Symbol('at')

const filledIn = ({ parameters }: CompiledQuery, { at }: Context, wanted: unknown): unknown[] =>
  parameters.map((value) => (value === WANTED ? wanted : value === AT ? at : value))

/** What a caller may see is the same in all their requests; writing the statement down takes longer than running it. */
const statements = new WeakMap<Caller, Map<Resource, Map<string, CompiledQuery>>>()

function statementOf(ctx: Context, resource: Resource, kind: Kind): CompiledQuery {
  const own = statements.get(ctx.caller) ?? new Map<Resource, Map<string, CompiledQuery>>()
  const ofResource = own.get(resource) ?? new Map<string, CompiledQuery>()
  const key = `${kind} ${ctx.at === undefined}`
  const made = ofResource.get(key) ?? sql`${sql.raw(PREPARED)} ${write(ctx, resource, kind)}`.compile(ctx.db)
  statements.set(ctx.caller, own.set(resource, ofResource.set(key, made)))
  return made
}

function write(ctx: Context, resource: Resource, kind: Kind, names: ReadonlySet<string> | null = null) {
  // Whatever calculates with the moment hands it on as it is.
  const timed = ctx.at === undefined ? ctx : { ...ctx, at: AT as unknown as string }
  const isWanted: RawBuilder<SqlBool> = kind === 'one' ? sql`t.id = ${WANTED}` : isAmong(resource.collection, WANTED)
  return sql<AnyRow>`${sql.raw(kind === 'listed' ? UNREAD : '')}
    select ${columns(timed, resource, names)}
    from ${sql.table(resource.table)} as t
    where ${isWanted} and ${visible(ctx, resource)}`
}

const namesIn = (attributes: readonly string[]): ReadonlySet<string> =>
  new Set(attributes.map((path) => path.split('.')[0] ?? ''))

/** Reads the documents of an unread row but those that are answered as they are stored; null where a part of such is asked for. */
function documentReader({ fields }: Resource, attributes: readonly string[] | null): ((row: AnyRow) => void) | null {
  const documents = Object.entries(fields).filter(
    ([, { props }]) => 'type' in props.storage && props.storage.type === 'jsonb',
  )
  const handedOn = documents.flatMap(([name, { props }]) => (props.isHandedOn ? [name] : []))
  const isPartial = attributes?.some((path) => handedOn.some((name) => path.startsWith(`${name}.`)))
  if (handedOn.length === 0 || isPartial) return null
  return (row) => {
    for (const [name, { props }] of documents) {
      const text = row[name]
      if (typeof text === 'string') row[name] = props.isHandedOn ? new StoredJson(text) : JSON.parse(text)
    }
  }
}
