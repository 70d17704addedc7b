import { Kysely, PostgresDialect } from 'kysely'
import type pg from 'pg'
import type { Context } from '../server/engine/context.ts'
import { findToken } from '../server/identity/access/callers.ts'
import { resourceMap } from '../server/registry.ts'
import { taskTypes } from '../server/tasks.ts'

interface Statement {
  readonly sql: string
  readonly parameters: readonly unknown[]
}

/** Runs work in this process as the owner of a token, and returns the statements that it sends. */
export async function recorder(
  pool: pg.Pool,
  token: string,
): Promise<(work: (ctx: Context) => Promise<unknown>) => Promise<readonly Statement[]>> {
  let statements: Statement[] = []
  // biome-ignore lint/suspicious/noExplicitAny: tables are known by their definitions
  const db = new Kysely<any>({
    dialect: new PostgresDialect({ pool }),
    log: ({ query }) => void statements.push(query),
  })
  const caller = (await findToken(db, token))?.caller
  if (!caller) throw new Error('The token is unknown.')
  const vault = { seal: (text: string) => text, open: (text: string) => text }
  const ctx: Context = { db, vault, resources: resourceMap, taskTypes, caller, baseUrl: '' }
  return async (work) => {
    statements = []
    await work(ctx)
    return statements
  }
}

/** Sends the same statements by the bare driver. */
export async function replay(pool: pg.Pool, statements: readonly Statement[]): Promise<void> {
  const client = await pool.connect()
  try {
    for (const { sql, parameters } of statements) await client.query(sql, [...parameters])
  } finally {
    client.release()
  }
}

/** How many milliseconds some work takes. */
export async function timed(run: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await run()
  return performance.now() - start
}

/** The time that a share of all is below. */
export const at = (times: readonly number[], share: number): number =>
  times.toSorted((a, b) => a - b)[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0
