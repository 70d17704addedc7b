import { sql } from 'kysely'
import type { Context } from '../../engine/context.ts'
import { type Noun, problemOf } from './problem-of.ts'

/** The result of something that depends on stored queries, or why one of them prevents it. */
export type Attempt<T> = { readonly value: T } | { readonly problem: string }

/** Tries something in a transaction that continues if a stored query prevents it. Other errors are thrown. */
export async function attempt<T>({ db }: Context, run: () => Promise<T>, noun?: Noun): Promise<Attempt<T>> {
  await sql`savepoint attempt`.execute(db)
  try {
    const value = await run()
    // Otherwise the savepoints of many queries would nest.
    await sql`release savepoint attempt`.execute(db)
    return { value }
  } catch (error) {
    const problem = problemOf(error, noun)
    if (problem === undefined) throw error
    await sql`rollback to savepoint attempt`.execute(db)
    await sql`release savepoint attempt`.execute(db)
    return { problem }
  }
}
