import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { z } from 'zod'
import type { Context } from '../../engine/context.ts'
import { badRequest } from '../../engine/errors.ts'
import { link } from '../../engine/link.ts'
import { and, resourceOf, visible } from '../../engine/select.ts'
import { uuidList } from '../../fast/binary-arrays.ts'
import { type Selection, selectedEntities } from '../../intelligence/by-query/selection.ts'
import { inDatasets } from '../../intelligence/datasets/dataset-condition.ts'
import { type Configuration, hasWantedKey, mayGoOut, mayGoOutByAny } from './configuration.ts'
import { consolidated, seesUnified } from './consolidation.ts'

const MAX_ENTITIES = 10_000
const MAX_DATASETS = 100

/** Entities that are listed in a request: individually, or by their datasets. */
export const named = {
  entities: z
    .array(link('entities').transform(({ id }) => String(id)))
    .max(MAX_ENTITIES)
    .default([])
    .describe('Entities by id or URL.'),
  datasets: z
    .array(link('datasets').transform(({ id }) => Number(id)))
    .max(MAX_DATASETS)
    .default([])
    .describe('The entities of these datasets, in addition to `entities`.'),
}

type Named = z.output<z.ZodObject<typeof named>>

/** What to export: entities found by queries, listed ones, or listed ones that the queries find. */
export interface Wanted extends Partial<Selection>, Partial<Named> {
  readonly content_configuration: Configuration
}

/** The entities to export, among those that the caller sees, as a condition on the row `t` of entities. */
export async function wantedEntities(ctx: Context, wanted: Wanted): Promise<RawBuilder<SqlBool>> {
  const { entities_query = null, relational_query = null, time_zone = null, at } = wanted
  const hasQuery = entities_query !== null || relational_query !== null
  const isFound = hasQuery ? [await selectedEntities(ctx, { entities_query, relational_query, time_zone, at })] : []
  return withRelated(ctx, wanted.content_configuration, and([...isFound, ...(await isNamed(ctx, wanted))]))
}

/**
 * Restricts a condition on the row `t` to entities that may be exported, adds related entities if configured, and has unified entities
 * represented as configured.
 */
export async function withRelated(
  ctx: Context,
  configuration: Configuration,
  isSelected: RawBuilder<SqlBool>,
): Promise<RawBuilder<SqlBool>> {
  const mayLeave = mayGo(ctx, configuration)
  const related = configuration.related_entities ? relatedTo(ctx, configuration) : undefined
  if (await seesUnified(ctx))
    return consolidated(ctx, { mode: configuration.consolidation, isSelected, mayLeave, related })
  if (!related) return and([mayLeave, isSelected])
  return and([
    mayLeave,
    sql`t.id in (
      with first as materialized (select t.id from entities as t where ${and([mayLeave, isSelected])})
      select first.id from first
      union
      ${related(sql`first`)})`,
  ])
}

/** Whether the caller sees the entity `t` and the configuration allows it. */
export const mayGo = (ctx: Context, configuration: Configuration): RawBuilder<SqlBool> =>
  and([visible(ctx, resourceOf(ctx, 'entities')), mayGoOut(configuration, sql`t.vis`)])

/** The entities at the other ends of relationships that are exported. */
function relatedTo(ctx: Context, configuration: Configuration) {
  const isFollowed = and([
    visible(ctx, resourceOf(ctx, 'relationships'), 'r'),
    mayGoOutByAny(ctx, configuration, sql`r.vis`),
    hasWantedKey(configuration, sql`r.key`),
  ])
  return (first: RawBuilder<unknown>): RawBuilder<unknown> => sql`
    select r.target from relationships as r join ${first} as f on f.id = r.source where ${isFollowed}
    union
    select r.source from relationships as r join ${first} as f on f.id = r.target where ${isFollowed}`
}

async function isNamed(ctx: Context, { entities = [], datasets = [] }: Wanted): Promise<RawBuilder<SqlBool>[]> {
  const ways = [
    ...(entities.length === 0 ? [] : [sql<SqlBool>`t.id = any(${uuidList(entities)}::uuid[])`]),
    ...(datasets.length === 0 ? [] : [await inDatasets(ctx, datasets)]),
  ]
  return ways.length === 0 ? [] : [sql`(${sql.join(ways, sql` or `)})`]
}

/** Throws a 400 for listed objects that do not exist or that the caller cannot see. */
export async function requireNamed(ctx: Context, { entities, datasets }: Named): Promise<void> {
  const missing = async (collection: 'entities' | 'datasets', ids: readonly (string | number)[]) => {
    if (ids.length === 0) return []
    const { rows } = await sql<{ id: string | number }>`
      select t.id from ${sql.table(collection)} as t
      where t.id = any(${ids}::${sql.raw(collection === 'entities' ? 'uuid[]' : 'integer[]')})
        and ${visible(ctx, resourceOf(ctx, collection))}`.execute(ctx.db)
    const known = new Set(rows.map(({ id }) => id))
    return ids.flatMap((id, i) => (known.has(id) ? [] : [`${collection}[${i}]: there is no '${id}' in ${collection}`]))
  }
  const faults = [...(await missing('entities', entities)), ...(await missing('datasets', datasets))]
  if (faults.length > 0) throw badRequest(faults)
}
