import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { z } from 'zod'
import { badRequest } from '../../engine/errors.ts'
import { time } from '../../engine/field.ts'
import type { Context } from '../../engine/resource.ts'
import { and, resourceOf, visible } from '../../engine/select.ts'
import { offsetOf } from '../../search/query/moments.ts'
import { queryConditions } from '../datasets/dataset-condition.ts'
import { storedQuery, storedRelations } from '../queries/stored-query.ts'

const shape = {
  // A query that says nothing chooses nothing: it must not become one that chooses everything.
  entities_query: storedQuery.nullable().default(null).describe('Finds the entities, like `query` of their list.'),
  relational_query: storedRelations.nullable().default(null).describe('Finds those that relations lead to.'),
  time_zone: z
    .string()
    .regex(/^[+-](0\d|1[0-4]):[0-5]\d$/, 'must have the form +hh:mm or -hh:mm')
    .nullable()
    .default(null)
    .describe('How far your days are ahead of those of UTC, for the dates in the query.'),
}

/** Which entities an operation is about. */
export type Selection = z.output<z.ZodObject<typeof shape>> & { readonly at?: string | undefined }

/** The body of an operation on what a query finds. */
export const bodyOf = <S extends z.ZodRawShape>(more: S) =>
  z.object({ ...shape, ...more, dry_run: z.boolean().default(false).describe('Only counts what would be found.') })

/** The same as the parameters of a run. */
export const parametersOf = <S extends z.ZodRawShape>(more: S) =>
  z.object({ ...shape, ...more, at: time.optional().describe('The moment that date maths count from.') })

/** What is chosen among all that the caller may see, as a condition on the row `t` of entities; no query at all is a 400. */
export async function chosen(
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

/** How many entities are chosen. */
export async function countChosen(ctx: Context, isChosen: RawBuilder<SqlBool>): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from entities as t where ${isChosen}`.execute(ctx.db)
  return rows[0]?.count ?? 0
}
