import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { z } from 'zod'
import type { Context } from '../../engine/context.ts'
import { badRequest } from '../../engine/errors.ts'
import { time } from '../../engine/field.ts'
import { and, resourceOf, visible } from '../../engine/select.ts'
import { offsetOf } from '../../search/query/moments.ts'
import { queryConditions } from '../datasets/dataset-condition.ts'
import { storedQuery, storedRelations } from '../queries/stored-query.ts'

const shape = {
  // A blank query counts as absent: it must not select everything.
  entities_query: storedQuery
    .nullable()
    .default(null)
    .describe('Selects entities in the search language, like `query` of their list.'),
  relational_query: storedRelations.nullable().default(null).describe('Selects entities by their relations.'),
  time_zone: z
    .string()
    .regex(/^[+-](0\d|1[0-4]):[0-5]\d$/, 'must have the form +hh:mm or -hh:mm')
    .nullable()
    .default(null)
    .describe('Offset of your time zone from UTC, for dates in the query.'),
}

/** The queries that select the entities of an operation. */
export type Selection = z.output<z.ZodObject<typeof shape>> & { readonly at?: string | undefined }

/** The body of an operation on the entities that a query finds. */
export const bodyOf = <S extends z.ZodRawShape>(more: S) =>
  z.object({ ...shape, ...more, dry_run: z.boolean().default(false).describe('Only counts the entities.') })

/** The same fields as parameters of a run. */
export const parametersOf = <S extends z.ZodRawShape>(more: S) =>
  z.object({ ...shape, ...more, at: time.optional().describe('The time that `now` stands for.') })

/** The selected and visible entities as a condition on the row `t`. Responds 400 if there is no query. */
export async function selectedEntities(
  ctx: Context,
  { entities_query, relational_query, time_zone, at }: Selection,
): Promise<RawBuilder<SqlBool>> {
  if (entities_query === null && relational_query === null) {
    throw badRequest('entities_query: is required, unless there is a relational_query')
  }
  const asking = { ...ctx, ...(at !== undefined && { at }), utcOffset: time_zone === null ? 0 : offsetOf(time_zone) }
  return and([
    visible(asking, resourceOf(ctx, 'entities')),
    ...(await queryConditions(asking, entities_query, relational_query)),
  ])
}

/** The unified ones of the selected entities, and the others: what unified entities contain can only be changed in their contributors. */
export const withoutUnified = (isSelected: RawBuilder<SqlBool>) => ({
  changeable: and([isSelected, sql<SqlBool>`not t.is_unified`]),
  unified: and([isSelected, sql<SqlBool>`t.is_unified`]),
})

/** Counts the selected entities. */
export async function countSelected(ctx: Context, isSelected: RawBuilder<SqlBool>): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from entities as t where ${isSelected}`.execute(ctx.db)
  return rows[0]?.count ?? 0
}
