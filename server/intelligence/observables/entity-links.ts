import { sql } from 'kysely'
import type { Context } from '../../engine/context.ts'
import { resourceOf, visible } from '../../engine/select.ts'
import { integerList, uuidList } from '../../fast/binary-arrays.ts'
import { refuseNewLinks, refuseUnified } from '../entities/refuse-unified.ts'
import { afterChange } from '../entity-rules/act-on-stored.ts'
import { loggedByKey } from './logged.ts'

/** A link between an observable and an entity. */
export interface EntityLink {
  readonly id: number
  readonly entity: string
}

/** Links observables with entities. Links that exist already are not an error. */
export async function linkEntities(ctx: Context, links: readonly EntityLink[]): Promise<void> {
  if (links.length === 0) return
  await refuseNewLinks(
    ctx,
    'entity_observables',
    links.map(({ id, entity }) => ({ entity, target: id })),
  )
  await sql`
    with made as (
      insert into entity_observables (source, target, created_by)
      select distinct i.entity, i.id, nullif(${ctx.caller.id}::integer, 0)
      from ${rowsOf(links)}
      order by 1, 2
      on conflict do nothing
      returning target as id, source as entity
    ), logged as (${loggedByKey(ctx, 'create', withVis('made'))})
    select`.execute(ctx.db)
  await afterLinks(ctx, links)
}

/** Lets the entity rules act that read the observables of entities. */
const afterLinks = (ctx: Context, links: readonly EntityLink[]): Promise<void> =>
  afterChange(ctx, [...new Set(links.map(({ entity }) => entity))], 'extracts')

/** Removes links between observables and entities. */
export async function unlinkEntities(ctx: Context, links: readonly EntityLink[]): Promise<void> {
  await refuseUnified(
    ctx,
    links.map(({ entity }) => entity),
  )
  await sql`
    with gone as (
      delete from entity_observables as l
      using ${rowsOf(links)}
      where l.target = i.id and l.source = i.entity
      returning l.target as id, l.source as entity
    ), logged as (${loggedByKey(ctx, 'update', withVis('gone'))})
    select`.execute(ctx.db)
  await afterLinks(ctx, links)
}

/** Replaces the visible entities of observables. Links with entities that the caller cannot see, and with unified ones, remain. */
export async function relinkEntities(
  ctx: Context,
  setters: readonly { readonly id: number; readonly entities: readonly { readonly id: unknown }[] }[],
): Promise<void> {
  if (setters.length === 0) return
  const wanted = setters.flatMap(({ id, entities }) => entities.map((entity) => ({ id, entity: String(entity.id) })))
  const { rows } = await sql<{ entities: string[] }>`
    with gone as (
      delete from entity_observables as l
      using entities as e
      where l.target = any(${integerList(setters.map(({ id }) => id))}::integer[]) and e.id = l.source and not e.is_unified
        and ${visible(ctx, resourceOf(ctx, 'entities'), 'e')}
        and (l.target, l.source) not in (select i.id, i.entity from ${rowsOf(wanted)})
      returning l.target as id, e.vis, e.id as entity
    ), logged as (${loggedByKey(ctx, 'update', sql`gone`)})
    select array(select distinct entity from gone) as entities`.execute(ctx.db)
  await linkEntities(ctx, wanted)
  await afterChange(ctx, rows[0]?.entities ?? [], 'extracts')
}

const rowsOf = (links: readonly EntityLink[]) => sql`unnest(
  ${integerList(links.map(({ id }) => id))}::integer[],
  ${uuidList(links.map(({ entity }) => entity))}::uuid[]) as i(id, entity)`

const withVis = (rows: string) =>
  sql`(select m.id, e.vis from ${sql.table(rows)} as m join entities as e on e.id = m.entity)`
