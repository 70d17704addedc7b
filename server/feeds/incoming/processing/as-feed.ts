import { sql } from 'kysely'
import { TaskError } from '../../../background/task.ts'
import type { Context } from '../../../engine/context.ts'
import { retried } from '../../../engine/retried.ts'
import type { Import } from '../../../exchange/importing/import-batch.ts'
import type { Seeing } from '../../../identity/access/sight.ts'
import { keysOf } from '../../../identity/access/visibility.ts'
import type { Server } from '../../../server.ts'
import type { Feed } from './feed.ts'

/** The permissions with which a feed imports. */
const PERMISSIONS: ReadonlySet<string> = new Set(['modify entities', 'modify extracts', 'modify taxonomies'])

/** The server, or a run with the cause that its changes carry. */
type ServerOrRun = Server & Pick<Context, 'cause'>

/**
 * Runs work as a feed instead of a user. It sees all sources, so that imported objects can be related to existing ones, and what it
 * writes belongs to its own source. The feed cannot be deleted while it writes.
 */
export const asFeed =
  (server: ServerOrRun, { id, name, source }: Feed): Import['act'] =>
  (run) =>
    retried(() =>
      server.db.transaction().execute(async (db) => {
        const { rows } = await sql`select from incoming_feeds where id = ${id} for key share`.execute(db)
        if (rows.length === 0) throw new TaskError(`The incoming feed '${name}' was deleted.`, { isFinal: true })
        return run(await feedContext(server, db, source))
      }),
    )

interface FeedContextOptions {
  /** Whether it sees only its own source. */
  readonly isOwnOnly?: boolean
  /** The user to whom the history attributes the changes. */
  readonly callerId?: number
  /** Limits its sight to its own source and what this user sees. */
  readonly user?: Seeing
}

/** The context in which a feed works in the transaction `db`; `home` is its source. */
export async function feedContext(
  { vault, resources, taskTypes, cause }: ServerOrRun,
  db: Server['db'],
  home: string,
  { isOwnOnly = false, callerId = 0, user }: FeedContextOptions = {},
): Promise<Context> {
  const { rows } = await sql<{ id: string; number: number }>`
    select id, number from sources where id = ${home} or ${!isOwnOnly && !user} order by number`.execute(db)
  const caller: Seeing = {
    id: callerId,
    permissions: PERMISSIONS,
    sight: {
      keys: [...new Set([...rows.flatMap(({ number }) => keysOf(number)), ...(user?.sight.keys ?? [])])],
      sources: [...new Set([...rows.map(({ id }) => id), ...(user?.sight.sources ?? [])])],
      home,
      own: [home],
      ownNumbers: rows.flatMap(({ id, number }) => (id === home ? [number] : [])),
    },
  }
  return { db, vault, resources, taskTypes, cause, caller, baseUrl: '' }
}
