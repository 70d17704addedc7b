import { sql } from 'kysely'
import type { Context } from '../../engine/context.ts'
import { problemOf } from './problems.ts'

/** The result of something that depends on rules, or why a rule prevents it. */
export type Attempt<T> = { readonly value: T } | { readonly problem: string }

/** Tries something in a transaction that continues if a rule prevents it. Other errors are thrown. */
export async function attempt<T>({ db }: Context, run: () => Promise<T>): Promise<Attempt<T>> {
  await sql`savepoint attempt`.execute(db)
  try {
    const value = await run()
    // Otherwise the savepoints of many rules would nest.
    await sql`release savepoint attempt`.execute(db)
    return { value }
  } catch (error) {
    const problem = problemOf(error)
    if (problem === undefined) throw error
    await sql`rollback to savepoint attempt`.execute(db)
    await sql`release savepoint attempt`.execute(db)
    return { problem }
  }
}
