import { sql } from 'kysely'
import type { Context } from '../../engine/context.ts'
import { parseId, toUrl } from '../../engine/reference.ts'
import { resourceOf, visible } from '../../engine/select.ts'
import { observablesOf } from '../../formats/stix2/cyber-observables.ts'
import { partsOf } from '../../formats/stix2/ids.ts'
import { predefinedMarking } from '../../formats/stix2/markings.ts'
import { READ_OBSERVABLES } from '../relational/body-references.ts'
import type { Known } from './reference.ts'

type Found = readonly (readonly [id: string, known: Known])[]

/** Resolves the ids in the data of an `entity` to the visible objects they stand for. */
export async function resolveIds(
  ctx: Context,
  entity: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Known>> {
  const found = await Promise.all([keptObjects(ctx, entity, ids), relationships(ctx, ids), entities(ctx, ids)])
  // Later entries win: a stored entity has more than the copy that another entity keeps of it.
  return new Map([...markings(ids), ...found.flat()])
}

const titleOf = (alias: string) =>
  sql`coalesce(nullif(${sql.ref(`${alias}.meta`)} ->> 'alias', ''), ${sql.ref(`${alias}.data`)} ->> 'title', '')`

async function entities(ctx: Context, ids: readonly string[]): Promise<Found> {
  const { rows } = await sql<{ stix_id: string; id: string; type: string; title: string }>`
    select t.stix_id, t.id, t.type, ${titleOf('t')} as title
    from entities as t
    where t.stix_id = any(${ids}::text[]) and not t.is_unresolved
      and ${visible(ctx, resourceOf(ctx, 'entities'))}`.execute(ctx.db)
  return rows.map(({ stix_id, id, type, title }) => [
    stix_id,
    { kind: 'entity', type, title, url: toUrl(ctx.baseUrl, 'entities', id) },
  ])
}

interface RelationshipRow {
  readonly id: string
  readonly key: string
  readonly source: { readonly id: string; readonly type: string; readonly title: string }
  readonly target: { readonly id: string; readonly type: string; readonly title: string }
}

/** Finds relationships, whose ids are the UUIDs in their STIX ids. */
async function relationships(ctx: Context, ids: readonly string[]): Promise<Found> {
  const uuids = new Map(
    ids.flatMap((id) => {
      const parts = partsOf(id)
      const uuid = parts?.type === 'relationship' ? parseId('uuid', parts.uuid) : undefined
      return uuid === undefined ? [] : [[String(uuid), id] as const]
    }),
  )
  if (uuids.size === 0) return []
  const { rows } = await sql<RelationshipRow>`
    select t.id, t.key,
      json_build_object('id', s.id, 'type', s.type, 'title', ${titleOf('s')}) as source,
      json_build_object('id', o.id, 'type', o.type, 'title', ${titleOf('o')}) as target
    from relationships as t
    join entities as s on s.id = t.source
    join entities as o on o.id = t.target
    where t.id = any(${[...uuids.keys()]}::uuid[]) and ${visible(ctx, resourceOf(ctx, 'relationships'))}`.execute(
    ctx.db,
  )
  const end = ({ id, ...rest }: RelationshipRow['source']) => ({ ...rest, url: toUrl(ctx.baseUrl, 'entities', id) })
  return rows.map(({ id, key, source, target }) => [
    uuids.get(id) ?? '',
    {
      kind: 'relationship',
      type: key,
      title: null,
      url: toUrl(ctx.baseUrl, 'relationships', id),
      source: end(source),
      target: end(target),
    },
  ])
}

/** Finds objects that were imported with the entity: cyber observables by their values, others by their names. */
async function keptObjects(ctx: Context, entity: string, ids: readonly string[]): Promise<Found> {
  const { rows } = await sql<{ id: string; object: Readonly<Record<string, unknown>> & { readonly type: string } }>`
    select stix_id as id, object from stix_objects
    where entity_id = ${entity}::uuid and stix_id = any(${ids}::text[])`.execute(ctx.db)
  const named = rows.map(({ id, object }) => ({ id, object, observable: observablesOf(object).observables[0] }))
  const observables = ctx.caller.permissions.has(READ_OBSERVABLES)
    ? await observableIds(
        ctx,
        named.flatMap(({ observable }) => observable ?? []),
      )
    : new Map<string, number>()
  return named.flatMap(({ id, object, observable }): Found => {
    if (!observable) return [[id, { kind: 'object', type: object.type, title: nameOf(object), url: null }]]
    const { type, value } = observable
    const number = observables.get(`${type} ${value}`)
    if (number === undefined) return []
    return [[id, { kind: 'observable', type, title: value, url: toUrl(ctx.baseUrl, 'observables', number) }]]
  })
}

const nameOf = ({ name }: Readonly<Record<string, unknown>>): string | null =>
  typeof name === 'string' && name !== '' ? name : null

async function observableIds(
  ctx: Context,
  wanted: readonly { readonly type: string; readonly value: string }[],
): Promise<ReadonlyMap<string, number>> {
  const { rows } = await sql<{ id: number; type: string; value: string }>`
    select t.id, t.type, t.value
    from unnest(${wanted.map(({ type }) => type)}::text[], ${wanted.map(({ value }) => value)}::text[]) as w(type, value)
    join observables as t on observable_key(t.value) = observable_key(w.value) and t.type = w.type and t.value = w.value
    where ${visible(ctx, resourceOf(ctx, 'observables'))}`.execute(ctx.db)
  return new Map(rows.map(({ id, type, value }) => [`${type} ${value}`, id]))
}

/** Finds the markings that STIX predefines, which documents refer to without containing them. */
const markings = (ids: readonly string[]): Found =>
  ids.flatMap((id): Found => {
    const marking = predefinedMarking(id)
    return marking ? [[id, { kind: 'object', type: marking.type, title: String(marking.name), url: null }]] : []
  })
