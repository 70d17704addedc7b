import { type CompiledQuery, type RawBuilder, type SqlBool, sql } from 'kysely'
import { StoredJson } from '../fast/stored-json.ts'
import type { AnyRow, Caller, Context, Item } from './context.ts'
import type { Resource } from './definition.ts'
import { joinDocument } from './document.ts'
import { notFound } from './errors.ts'
import type { Id } from './reference.ts'
import { columns, isAmong, PREPARED, UNREAD, visible } from './select.ts'

/** Reads one object. Throws a 404 if it does not exist or the caller may not see it. */
export async function get(ctx: Context, resource: Resource, id: Id): Promise<AnyRow> {
  const lookup = statementOf(ctx, resource, 'one')
  const parameters = filledIn(lookup, ctx, id)
  const { rows } = await (ctx.lookup?.(lookup.sql, parameters) ??
    ctx.db.executeQuery<AnyRow>({ ...lookup, parameters }))
  const row = rows[0]
  if (!row) throw notFound(id)
  return withMembers(resource, row)
}

/** Throws a 404 unless the caller may see the object. */
export async function requireVisible(ctx: Context, resource: Resource, id: Id): Promise<void> {
  const { rows } = await sql`
    select from ${sql.table(resource.table)} as t
    where t.id = ${id} and ${visible(ctx, resource)}`.execute(ctx.db)
  if (rows.length === 0) throw notFound(id)
}

/** Reads the objects with these ids, in this order, and leaves out those that the caller may not see. */
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

/** The same for a list: reduced to attributes, with documents that are sent as stored left unparsed. */
export async function fetchListed(
  ctx: Context,
  resource: Resource,
  ids: readonly Id[],
  attributes: readonly string[] | null,
): Promise<AnyRow[]> {
  const readDocuments = documentReader(resource, attributes)
  if (!attributes && !readDocuments) return fetchRows(ctx, resource, ids)
  // There are too many combinations of attributes to keep a plan for each.
  const lookup = attributes
    ? write(ctx, resource, readDocuments ? 'listed' : 'many', namesIn(attributes)).compile(ctx.db)
    : statementOf(ctx, resource, 'listed')
  const read = async (some: readonly Id[]): Promise<AnyRow[]> => {
    const { rows } = await ctx.db.executeQuery<AnyRow>({ ...lookup, parameters: filledIn(lookup, ctx, some) })
    if (readDocuments) rows.forEach(readDocuments)
    return rows.map((row) => withMembers(resource, row))
  }
  if (ids.length < LARGE_PAGE || ctx.db.isTransaction) return inOrder(await read(ids), ids)
  // The database needs most of the time for the documents of a large page; two connections share that.
  const half = Math.ceil(ids.length / 2)
  const halves = await Promise.all([read(ids.slice(0, half)), read(ids.slice(half))])
  return inOrder(halves.flat(), ids)
}

/** Pages of at least this many rows are read as two halves in parallel. */
const LARGE_PAGE = 200

function inOrder(rows: readonly AnyRow[], ids: readonly Id[]): AnyRow[] {
  const byId = new Map(rows.map((row) => [row.id, row]))
  return ids.flatMap((id) => byId.get(id) ?? [])
}

/** One object, several, or several for a list, whose documents are parsed here. */
type Kind = 'one' | 'many' | 'listed'

/** Placeholders for the parameters that differ between uses of a compiled statement. */
const WANTED = Symbol('wanted')
const AT = Symbol('at')

const filledIn = ({ parameters }: CompiledQuery, { at }: Context, wanted: unknown): unknown[] =>
  parameters.map((value) => (value === WANTED ? wanted : value === AT ? at : value))

/** Compiled statements per caller, who sees the same in all requests: compiling takes longer than running. */
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
  // Expressions use the time as a parameter, so a placeholder can stand for it.
  const timed = ctx.at === undefined ? ctx : { ...ctx, at: AT as unknown as string }
  const isWanted: RawBuilder<SqlBool> = kind === 'one' ? sql`t.id = ${WANTED}` : isAmong(resource.collection, WANTED)
  return sql<AnyRow>`${sql.raw(kind === 'listed' ? UNREAD : '')}
    select ${columns(timed, resource, names)}
    from ${sql.table(resource.table)} as t
    where ${isWanted} and ${visible(ctx, resource)}`
}

const namesIn = (attributes: readonly string[]): ReadonlySet<string> =>
  new Set(attributes.map((path) => path.split('.')[0] ?? ''))

/** Parses the documents of a row, except those that are sent as stored; null if the attributes ask for a part of one of those. */
function documentReader({ fields }: Resource, attributes: readonly string[] | null): ((row: AnyRow) => void) | null {
  const documents = Object.entries(fields).filter(
    ([, { props }]) => 'type' in props.storage && props.storage.type === 'jsonb',
  )
  const asStored = documents.flatMap(([name, { props }]) => (props.isSentAsStored ? [name] : []))
  const isPartial = attributes?.some((path) => asStored.some((name) => path.startsWith(`${name}.`)))
  if (asStored.length === 0 || isPartial) return null
  return (row) => {
    for (const [name, { props }] of documents) {
      const text = row[name]
      if (typeof text === 'string') row[name] = props.isSentAsStored ? new StoredJson(text) : JSON.parse(text)
    }
  }
}
