import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Context } from '../../engine/context.ts'
import { ApiError } from '../../engine/errors.ts'
import type { Ready } from '../asking/ready.ts'
import { vectorsOf } from '../asking/vectors.ts'
import { CallError } from '../calling/call-error.ts'
import { codeOf, similarity } from './codes.ts'
import { currentSpace, type Space } from './spaces.ts'

/** What a query means, in the space that is searched. */
export interface Meaning {
  readonly space: Pick<Space, 'id'>
  readonly vector: readonly number[]
}

/** The meaning of a query. Undefined if the provider cannot be asked now, so that words have to do. */
export async function meaningOf(
  ctx: Context,
  embedder: Ready,
  query: string,
  signal: AbortSignal,
): Promise<Meaning | undefined> {
  const space = await currentSpace(ctx.db, embedder)
  if (!space || query.trim() === '') return undefined
  const vector = await vectorOf(ctx, { ...embedder, model: space.model }, query, signal)
  if (vector?.length !== space.width) return undefined
  return { space, vector }
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

/** How many passages of the nearest codes are compared by their vectors, */
const USUAL = 200
/** and how many if many are about equally near, so that codes alone could leave out a nearest one. */
const MANY = 2_000

/** The nearest passages that the caller sees: those whose codes differ in the fewest bits, then by their vectors. */
export async function nearest(
  { db }: Pick<Context, 'db'>,
  { space: { id }, vector }: Meaning,
  isSeen: (key: RawBuilder<unknown>) => RawBuilder<SqlBool>,
  limit: number,
): Promise<number[]> {
  const compare = async (count: number): Promise<Scored[]> => {
    const { rows } = await sql<{ passage: number; vector: Buffer }>`
      select v.passage, v.vector
      from unnest(array(
        select c.passage from passage_codes as c
        where c.space = ${id} and ${isSeen(sql`c.vis`)}
        order by bit_count(c.code # ${codeOf(vector)}::bit varying), c.passage
        limit ${count}
      )) with ordinality as i(passage, n)
      join passage_vectors as v on v.space = ${id} and v.passage = i.passage
      order by i.n`.execute(db)
    return rows.map(({ passage, vector: stored }) => ({ passage, score: similarity(vector, stored) }))
  }
  const usual = await compare(USUAL)
  const scored = standOut(usual) ? usual : await compare(MANY)
  return scored
    .sort((a, b) => b.score - a.score || a.passage - b.passage)
    .slice(0, limit)
    .map(({ passage }) => passage)
}

interface Scored {
  readonly passage: number
  readonly score: number
}

/** As many as are given to a model. */
const NEEDED = 12
/** By how many standard deviations they must be nearer than the second half of what was compared. */
const DISTANCE = 3

/** Whether the nearest are so much nearer than those at the end of the list that none beyond it is likely to be as near. */
function standOut(scored: readonly Scored[]): boolean {
  if (scored.length < USUAL) return true
  const last = scored.slice(scored.length / 2).map(({ score }) => score)
  const middle = meanOf(last)
  const deviation = Math.sqrt(meanOf(last.map((score) => (score - middle) ** 2)))
  const [least = 0] = scored
    .map(({ score }) => score)
    .toSorted((a, b) => b - a)
    .slice(NEEDED - 1)
  return least > middle + DISTANCE * deviation
}

const meanOf = (numbers: readonly number[]): number => numbers.reduce((sum, number) => sum + number, 0) / numbers.length
