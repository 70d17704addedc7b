import { isDeepStrictEqual } from 'node:util'
import { sql } from 'kysely'
import type { Context } from '../../../engine/context.ts'
import { integerList, textList, uuidList } from '../../../fast/binary-arrays.ts'
import type { Composed } from './compose-unified.ts'
import type { StoredUnified } from './read-contributors.ts'
import type { UnifiedWrite } from './store-unified.ts'

type Linked = Pick<Composed, 'observables' | 'attachments'>

/** Whether a unified entity has the links that it is to have. */
export const haveSameLinks = (a: Linked, b: Linked): boolean =>
  isDeepStrictEqual(a.observables, b.observables) && isDeepStrictEqual(a.attachments, b.attachments)

/**
 * Adds and removes links of unified entities where they differ. Links with observables are only copies: they carry no verdict, and what is
 * shown of an observable does not depend on them.
 */
export async function storeLinks(ctx: Context, writes: readonly UnifiedWrite[]): Promise<void> {
  await storeObservables(
    ctx,
    differences(writes, ({ observables }) => observables, linkKey),
  )
  await storeTargets(
    ctx,
    'entity_taxonomies',
    'integer',
    differences(writes, ({ taxonomies }) => taxonomies, String),
  )
  await storeTargets(
    ctx,
    'entity_attachments',
    'uuid',
    differences(writes, ({ attachments }) => attachments, String),
  )
}

interface Difference<T> {
  readonly added: readonly { readonly entity: string; readonly target: T }[]
  readonly gone: readonly { readonly entity: string; readonly target: T }[]
}

type Links = Linked & Pick<Composed, 'taxonomies'>

function differences<T>(
  writes: readonly UnifiedWrite[],
  read: (links: Links) => readonly T[],
  keyOf: (target: T) => string,
): Difference<T> {
  const without = (list: readonly T[], others: readonly T[], { entity }: UnifiedWrite) => {
    const keys = new Set(others.map(keyOf))
    return list.filter((target) => !keys.has(keyOf(target))).map((target) => ({ entity: entity.id, target }))
  }
  const pairs = writes.map((write) => ({ write, now: read(write.composed), before: read(linksOf(write.before)) }))
  return {
    added: pairs.flatMap(({ write, now, before }) => without(now, before, write)),
    gone: pairs.flatMap(({ write, now, before }) => without(before, now, write)),
  }
}

const linksOf = (before: StoredUnified | undefined): Links =>
  before
    ? { observables: before.observables, attachments: before.attachments, taxonomies: before.meta.taxonomies }
    : { observables: [], attachments: [], taxonomies: [] }

const linkKey = ({ id, linkType }: Links['observables'][number]): string => `${id} ${linkType}`

/** A link whose type changes is both gone and added. */
async function storeObservables(
  ctx: Context,
  { added, gone }: Difference<Links['observables'][number]>,
): Promise<void> {
  const kept = new Set(added.map(({ entity, target }) => `${entity} ${target.id}`))
  const removed = gone.filter(({ entity, target }) => !kept.has(`${entity} ${target.id}`))
  if (added.length + removed.length === 0) return
  await sql`
    with removed as (
      delete from entity_observables as l
      using unnest(
        ${uuidList(removed.map(({ entity }) => entity))}::uuid[],
        ${integerList(removed.map(({ target }) => target.id))}::integer[]) as g(source, target)
      where l.source = g.source and l.target = g.target
    )
    insert into entity_observables (source, target, link_type)
    select i.source, i.target, i.link_type
    from unnest(
      ${uuidList(added.map(({ entity }) => entity))}::uuid[],
      ${integerList(added.map(({ target }) => target.id))}::integer[],
      ${textList(added.map(({ target }) => target.linkType))}::text[]) as i(source, target, link_type)
    join observables as o on o.id = i.target
    order by 1, 2
    on conflict (source, target) do update set link_type = excluded.link_type`.execute(ctx.db)
}

async function storeTargets(
  ctx: Context,
  table: 'entity_taxonomies' | 'entity_attachments',
  type: 'integer' | 'uuid',
  { added, gone }: Difference<number | string>,
): Promise<void> {
  if (added.length + gone.length === 0) return
  const list = (links: Difference<number | string>['added']) =>
    type === 'integer'
      ? integerList(links.map(({ target }) => Number(target)))
      : uuidList(links.map(({ target }) => String(target)))
  const rows = (links: Difference<number | string>['added']) =>
    sql`unnest(${uuidList(links.map(({ entity }) => entity))}::uuid[], ${list(links)}::${sql.raw(`${type}[]`)})`
  await sql`
    with removed as (
      delete from ${sql.table(table)} as l using ${rows(gone)} as g(source, target)
      where l.source = g.source and l.target = g.target
    )
    insert into ${sql.table(table)} (source, target)
    select i.source, i.target
    from ${rows(added)} as i(source, target)
    join ${sql.table(table === 'entity_taxonomies' ? 'taxonomies' : 'attachments')} as o on o.id = i.target
    order by 1, 2
    on conflict do nothing`.execute(ctx.db)
}
