import { sql } from 'kysely'
import { z } from 'zod'
import { type Collection, collections } from '../../collections.ts'
import { textFrom } from '../../domain/text-from.ts'
import type { Context } from '../../engine/context.ts'
import { linkTargets } from '../../engine/link.ts'
import { type Id, toId, toUrl } from '../../engine/reference.ts'
import { isAmong, resourceOf, visible } from '../../engine/select.ts'

type Json = Readonly<Record<string, unknown>>

/** Marks references in JSON schemas, as in the OpenAPI document. */
const COLLECTION = 'x-corvus-collection'

/** The JSON schema of parameters, in which references name their collection. */
export function schemaOfParameters(parameters: z.ZodObject): Json {
  const { $schema: _, ...schema } = z.toJSONSchema(parameters, {
    io: 'input',
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) => {
      const to = linkTargets.get(zodSchema)?.collection
      if (to === undefined) return
      delete jsonSchema.anyOf
      jsonSchema[COLLECTION] = to
    },
  })
  return schema as Json
}

/** What takes the place of a reference. */
type Replace = (given: unknown, to: Collection, path: readonly PropertyKey[]) => unknown

/** The value with its references replaced, as its schema tells where they are. */
export function mapReferences(schema: unknown, value: unknown, replace: Replace, path: PropertyKey[] = []): unknown {
  if (typeof schema !== 'object' || schema === null || value === null || value === undefined) return value
  const known = schema as Json
  if (typeof known[COLLECTION] === 'string') return replace(value, known[COLLECTION] as Collection, path)
  const alternatives = [known.anyOf, known.oneOf, known.allOf].flatMap((list) => (Array.isArray(list) ? list : []))
  const own = replaceInside(known, value, replace, path)
  return alternatives.reduce((made, alternative) => mapReferences(alternative, made, replace, path), own)
}

function replaceInside(schema: Json, value: unknown, replace: Replace, path: PropertyKey[]): unknown {
  if (Array.isArray(value))
    return schema.items ? value.map((item, i) => mapReferences(schema.items, item, replace, [...path, i])) : value
  if (typeof value !== 'object' || typeof schema.properties !== 'object') return value
  const properties = schema.properties as Json
  return Object.fromEntries(
    Object.entries(value as Json).map(([name, part]) => [
      name,
      mapReferences(Object.hasOwn(properties, name) ? properties[name] : undefined, part, replace, [...path, name]),
    ]),
  )
}

/** The name in a reference such as `{"name": "Blocked domains"}`, which another installation understands as well. */
export function nameIn(given: unknown): string | undefined {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return undefined
  const { name } = given as { readonly name?: unknown }
  return typeof name === 'string' && Object.keys(given).length === 1 ? name : undefined
}

/** A reference by its id, as it is stored; a name stays, and everything else too. */
export const storedReference: Replace = (given, to) => {
  const named =
    typeof given === 'object' && given !== null
      ? Object.entries(given).find(([key]) => /(^|_)id$/.test(key))?.[1]
      : given
  return named === undefined ? given : (toId(to, named) ?? given)
}

/** An id that schemas accept, for a reference whose name is resolved later. */
export const anyId = (to: Collection): Id => {
  const { id } = collections[to]
  return id === 'uuid' ? '00000000-0000-7000-8000-000000000000' : id === 'integer' ? 1 : 'T0000'
}

/** A stored reference in a response. */
export const shownReference =
  (baseUrl: string): Replace =>
  (given, to) =>
    typeof given === 'string' || typeof given === 'number' ? toUrl(baseUrl, to, given) : given

/** A reference of a playbook, and where it is. */
export interface Reference {
  readonly to: Collection
  readonly given: unknown
  readonly path: string
}

/** The column with the name of objects, where it is not `name`. */
const NAME_COLUMNS: Partial<Record<Collection, string>> = { users: 'username' }

/**
 * The ids of references, by their collection and what was given. Those that name nothing that the caller sees are faults. One statement
 * for each collection.
 */
export async function findReferences(
  ctx: Context,
  references: readonly Reference[],
): Promise<{ readonly ids: ReadonlyMap<string, Id>; readonly faults: readonly string[] }> {
  const ids = new Map<string, Id>()
  for (const [to, own] of Map.groupBy(references, (each) => each.to)) {
    for (const [key, id] of await findIn(ctx, to, own)) ids.set(key, id)
  }
  const faults = references.flatMap((each) =>
    ids.has(keyOf(each))
      ? []
      : [`${each.path}: there is no '${textFrom(nameIn(each.given) ?? each.given).slice(0, 200)}' in ${each.to}.`],
  )
  return { ids, faults }
}

/** What a reference is found by in the result of `findReferences`. */
export const keyOf = ({ to, given }: Pick<Reference, 'to' | 'given'>): string => {
  const name = nameIn(given)
  return JSON.stringify([to, name === undefined ? String(given) : { name }])
}

async function findIn(ctx: Context, to: Collection, references: readonly Reference[]): Promise<[string, Id][]> {
  const resource = resourceOf(ctx, to)
  const column = NAME_COLUMNS[to] ?? 'name'
  const hasName = to in NAME_COLUMNS || 'name' in resource.fields
  const name = hasName ? sql.ref(`t.${column}`) : sql`null::text`
  const names = references.flatMap(({ given }) => nameIn(given) ?? [])
  const ids = references.flatMap(({ given }) => (nameIn(given) === undefined ? [String(given)] : []))
  const { rows } = await sql<{ id: Id; name: string | null }>`
    select t.id, ${name} as name
    from ${sql.table(resource.table)} as t
    where (${isAmong(to, ids)} or ${name} = any(${names}::text[])) and ${visible(ctx, resource)}
    order by t.id desc`.execute(ctx.db)
  return rows.flatMap(({ id, name }): [string, Id][] => [
    [keyOf({ to, given: id }), id],
    ...(name === null ? [] : [[keyOf({ to, given: { name } }), id] as [string, Id]]),
  ])
}
