import { sql } from 'kysely'
import type { Context, Item } from '../../engine/context.ts'
import type { Resource } from '../../engine/definition.ts'
import { badRequest } from '../../engine/errors.ts'
import { linksLogged, noted } from '../../engine/log.ts'
import type { Id, Link } from '../../engine/reference.ts'
import type { DefenseType } from '../frameworks/framework.ts'

/** A list of a defense, as rows of a resource of relationships that users can also change one by one. */
interface Relation {
  readonly field: string
  /** The table of the relationships, which is also their collection. */
  readonly table: 'defense_inner_relationships' | 'defense_relationships'
  /** The columns of the defense itself and of the others. */
  readonly here: string
  readonly there: string
  readonly idType: 'integer' | 'text'
  /** The column of the defense that decides the type of a relationship: the first if it is of `decisive`, otherwise the second. */
  readonly typedBy: string
  readonly decisive: DefenseType
  readonly types: readonly [string, string]
}

const INNER = {
  table: 'defense_inner_relationships',
  idType: 'integer',
  typedBy: 'to_defense',
  decisive: 'data-component',
  types: ['log-source-references', 'analytic-references'],
} as const

export const RELATIONS: readonly Relation[] = [
  { field: 'related_defenses', here: 'from_defense', there: 'to_defense', ...INNER },
  { field: 'source_defenses', here: 'to_defense', there: 'from_defense', ...INNER },
  {
    field: 'related_techniques',
    table: 'defense_relationships',
    here: 'defense',
    there: 'technique',
    idType: 'text',
    typedBy: 'defense',
    decisive: 'mitigation',
    types: ['mitigates', 'detects'],
  },
]

/** The type of the relationships that a list makes, by the type of the defense that decides it. */
export const typeOfRelation = ({ types, decisive }: Relation, type: DefenseType): string =>
  types[type === decisive ? 0 : 1]

/** The fields of an item that are stored as relationships, and the others. */
export function splitRelations(item: Item): { readonly own: Item; readonly lists: Item } {
  const isRelation = ([name]: [string, unknown]) => RELATIONS.some(({ field }) => field === name)
  const entries = Object.entries(item)
  return {
    own: Object.fromEntries(entries.filter((entry) => !isRelation(entry))),
    lists: Object.fromEntries(entries.filter(isRelation)),
  }
}

interface Pair {
  readonly owner: Id
  readonly other: Id
}

/** Replaces the own relationships of defenses by those in the lists that their items set. Those of frameworks stay. */
export async function relate(ctx: Context, resource: Resource, items: ReadonlyMap<Id, Item>): Promise<void> {
  for (const relation of RELATIONS) {
    const setters = [...items].filter(([, item]) => item[relation.field] !== undefined)
    if (setters.length === 0) continue
    const wanted = setters.flatMap(([owner, item]) =>
      ((item[relation.field] ?? []) as Link[]).map(({ id }): Pair => ({ owner, other: id })),
    )
    if (wanted.some(({ owner, other }) => owner === other))
      throw badRequest(`${relation.field}: a defense cannot refer to itself`)
    await removeOthers(
      ctx,
      resource,
      relation,
      setters.map(([id]) => id),
      wanted,
    )
    if (wanted.length > 0) await insertMissing(ctx, resource, relation, wanted)
  }
}

const unnested = ({ here, there, idType }: Relation, pairs: readonly Pair[]) => sql`unnest(
  ${pairs.map(({ owner }) => owner)}::integer[], ${pairs.map(({ other }) => other)}::${sql.raw(idType)}[]
) as w(${sql.ref(here)}, ${sql.ref(there)})`

const returned = ({ here, there }: Relation) =>
  sql`t.id, t.${sql.ref(here)} as owner, to_jsonb(t.${sql.ref(there)}) as target`

async function removeOthers(
  ctx: Context,
  resource: Resource,
  relation: Relation,
  owners: readonly Id[],
  wanted: readonly Pair[],
): Promise<void> {
  const { field, table, here, there } = relation
  await sql`
    with gone as (
      delete from ${sql.table(table)} as t
      where not t.is_system and t.${sql.ref(here)} = any(${owners}::integer[])
        and (t.${sql.ref(here)}, t.${sql.ref(there)}) not in (select * from ${unnested(relation, wanted)})
      returning ${returned(relation)}
    ), links as (
      select distinct owner as id, target from gone
    ), rows_logged as (${noted(ctx, { collection: table }, 'delete', sql`gone`)}),
    ${linksLogged(ctx, resource, field, 'unlink', sql`links`)}
    select`.execute(ctx.db)
}

async function insertMissing(
  ctx: Context,
  resource: Resource,
  relation: Relation,
  wanted: readonly Pair[],
): Promise<void> {
  const { field, table, here, there, typedBy, decisive, types } = relation
  const stamp = sql`nullif(${ctx.caller.id}::integer, 0)`
  await sql`
    with made as (
      insert into ${sql.table(table)} as t (${sql.ref(here)}, ${sql.ref(there)}, type, created_by, last_updated_by)
      select distinct w.${sql.ref(here)}, w.${sql.ref(there)},
        case when d.type = ${decisive} then ${types[0]} else ${types[1]} end, ${stamp}, ${stamp}
      from ${unnested(relation, wanted)}
      join attack_defenses as d on d.id = w.${sql.ref(typedBy)}
      where not exists (
        select from ${sql.table(table)} as k
        where k.${sql.ref(here)} = w.${sql.ref(here)} and k.${sql.ref(there)} = w.${sql.ref(there)})
      order by 1, 2
      on conflict do nothing
      returning ${returned(relation)}
    ), links as (
      select owner as id, target from made
    ), rows_logged as (${noted(ctx, { collection: table }, 'create', sql`made`)}),
    ${linksLogged(ctx, resource, field, 'link', sql`links`)}
    select`.execute(ctx.db)
}
