import { sql } from 'kysely'
import type { Context } from '../../engine/context.ts'
import { integerList, uuidList } from '../../fast/binary-arrays.ts'
import { sourceOf } from '../../identity/access/visibility.ts'
import { metaAsSent } from '../../intelligence/entities/meta.ts'
import type { Subject } from './step.ts'

/** An object that a change wrote. */
export interface ChangedObject extends Pick<Subject, 'collection'> {
  readonly change: number
  readonly object: string
}

/** What a change did to an object. */
export interface ChangedFields {
  /** Such as `data.title`; null if it is unknown, because the version before is no longer kept. */
  readonly names: readonly string[] | null
  /** The key of the version before: for users who did not see it, all fields are new. */
  readonly keyBefore: number | null
}

export const keyOfChanged = ({ change, object }: ChangedObject): string => `${change} ${object}`

type Found = ChangedFields & { readonly change: number; readonly object: string }

/** Which fields changes changed: in entities, whose versions are compared, and in files, of which the log has the differences. */
export async function changedFields(
  ctx: Context,
  changed: readonly ChangedObject[],
): Promise<ReadonlyMap<string, ChangedFields>> {
  const of = (collection: Subject['collection']) => changed.filter((each) => each.collection === collection)
  const [entities, files] = [of('entities'), of('files')]
  const rows = [
    ...(entities.length === 0 ? [] : await inEntities(ctx, entities)),
    ...(files.length === 0 ? [] : await inFiles(ctx, files)),
  ]
  return new Map(rows.map((row) => [`${row.change} ${row.object}`, row]))
}

const different = (prefix: string, column: string) => sql`
  select ${prefix}::text || k.name from (
    select jsonb_object_keys(${sql.ref(`a.${column}`)}) union select jsonb_object_keys(${sql.ref(`b.${column}`)})) as k(name)
  where coalesce(${sql.ref(`a.${column}`)} -> k.name, 'null') <> coalesce(${sql.ref(`b.${column}`)} -> k.name, 'null')`

/** The version of a change is the first one that is not older than it. */
async function inEntities({ db }: Context, changed: readonly ChangedObject[]): Promise<readonly Found[]> {
  const { rows } = await sql<Found>`
    select i.change, i.object, b.vis as "keyBefore", case when b.version is not null then array(
      ${different('data.', 'data')} union all ${different('meta.', 'meta')}
      union all select 'sources' where ${sourceOf(sql`a.vis`)} <> ${sourceOf(sql`b.vis`)}) end as names
    from unnest(${changed.map(({ change }) => change)}::bigint[], ${uuidList(changed.map(({ object }) => object))}::uuid[]) as i(change, object)
    join changes as c on c.id = i.change
    cross join lateral (
      select s.version, s.vis, s.data, s.meta
      from (
        select version, vis, at, data, meta from entity_versions where entity_id = i.object
        union all
        select t.version, t.vis, t.last_updated_at, t.data, ${metaAsSent} from entities as t where t.id = i.object
      ) as s
      where s.at >= c.at
      order by s.version
      limit 1
    ) as a
    left join lateral (
      select v.version, v.vis, v.data, v.meta
      from entity_versions as v
      where v.entity_id = i.object and v.version < a.version
      order by v.version desc
      limit 1
    ) as b on true`.execute(db)
  return rows
}

async function inFiles({ db }: Context, changed: readonly ChangedObject[]): Promise<readonly Found[]> {
  const ids = integerList(changed.map(({ object }) => Number(object)))
  const { rows } = await sql<Found>`
    select i.change, i.object::text as object, null::integer as "keyBefore", array(
      select jsonb_object_keys(c.details -> i.object::text)) as names
    from unnest(${changed.map(({ change }) => change)}::bigint[], ${ids}::integer[]) as i(change, object)
    join changes as c on c.id = i.change
    where jsonb_typeof(c.details -> i.object::text) = 'object'`.execute(db)
  return rows
}

/** Whether one of the fields changed that a trigger names: `meta` stands for all of its members, and a member for its parts. */
export const hasChanged = (wanted: readonly string[], names: readonly string[]): boolean =>
  wanted.some((field) =>
    names.some((name) => name === field || name.startsWith(`${field}.`) || field.startsWith(`${name}.`)),
  )
