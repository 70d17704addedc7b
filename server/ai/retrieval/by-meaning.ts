import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Context } from '../../engine/context.ts'
import { ApiError } from '../../engine/errors.ts'
import type { Ready } from '../asking/ready.ts'
import { vectorsOf } from '../asking/vectors.ts'
import { CallError } from '../calling/call-error.ts'
import { codeOf, similarity } from './codes.ts'
import { currentSpace, type Space } from './spaces.ts'

/** Finds passages of a similar meaning, best first. Undefined if that is not possible now, so that words have to do. */
export async function passagesByMeaning(
  ctx: Context,
  embedder: Ready,
  query: string,
  isSeen: (key: RawBuilder<unknown>) => RawBuilder<SqlBool>,
  limit: number,
  signal: AbortSignal,
): Promise<number[] | undefined> {
  const space = await currentSpace(ctx.db, embedder)
  if (!space || query.trim() === '') return undefined
  const vector = await vectorOf(ctx, { ...embedder, model: space.model }, query, signal)
  if (vector?.length !== space.width) return undefined
  return nearest(ctx, space, vector, isSeen, limit)
}

/** A user waits for the answer, which can also be given by words. */
const TIMEOUT_MS = 10_000

/** The vector of a query; undefined if the provider does not give one, or the caller's budget is used up. */
async function vectorOf(ctx: Context, ready: Ready, query: string, signal: AbortSignal) {
  try {
    return (await vectorsOf(ctx, ready, [query], { signal, timeoutMs: TIMEOUT_MS }))[0]
  } catch (error) {
    if (signal.aborted) throw signal.reason
    if (error instanceof CallError || (error instanceof ApiError && error.status === 429)) return undefined
    throw error
  }
}

/** The nearest passages that the caller sees: those whose codes differ in the fewest bits, then by their vectors. */
export async function nearest(
  { db }: Pick<Context, 'db'>,
  { id }: Pick<Space, 'id'>,
  vector: readonly number[],
  isSeen: (key: RawBuilder<unknown>) => RawBuilder<SqlBool>,
  limit: number,
): Promise<number[]> {
  const { rows } = await sql<{ passage: number; vector: Buffer }>`
    select v.passage, v.vector
    from (
      select c.passage from passage_codes as c
      where c.space = ${id} and ${isSeen(sql`c.vis`)}
      order by bit_count(c.code # ${codeOf(vector)}::bit varying), c.passage
      limit ${limit}
    ) as c
    join passage_vectors as v on v.space = ${id} and v.passage = c.passage`.execute(db)
  return rows
    .map(({ passage, vector: stored }) => ({ passage, score: similarity(vector, stored) }))
    .sort((a, b) => b.score - a.score || a.passage - b.passage)
    .map(({ passage }) => passage)
}
