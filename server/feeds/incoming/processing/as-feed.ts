import { sql } from 'kysely'
import { TaskError } from '../../../background/task.ts'
import type { Context } from '../../../engine/resource.ts'
import { retried } from '../../../engine/retried.ts'
import type { Import } from '../../../exchange/importing/import-batch.ts'
import type { Seeing } from '../../../identity/access/sight.ts'
import { keysOf } from '../../../identity/access/visibility.ts'
import type { Server } from '../../../server.ts'
import type { Feed } from './feed.ts'

/** What a feed may do with what it brings. */
const PERMISSIONS: ReadonlySet<string> = new Set(['modify entities', 'modify extracts', 'modify taxonomies'])

/** The server, or a run with the cause that it hands on. */
type Working = Server & Pick<Context, 'cause'>

/**
 * A feed writes as itself, for nobody. It sees all sources, so that what it brings can be related to what is known, and what it
 * writes belongs to its own. While it writes, it is not deleted.
 */
export const asFeed =
  (server: Working, { id, name, source }: Feed): Import['act'] =>
  (run) =>
    retried(() =>
      server.db.transaction().execute(async (db) => {
        const { rows } = await sql`select from incoming_feeds where id = ${id} for key share`.execute(db)
        if (rows.length === 0) throw new TaskError(`The incoming feed '${name}' is gone.`, { isFinal: true })
        return run(await contextOf(server, db, source))
      }),
    )

interface Manner {
  /** Whether it sees nothing but what belongs to its own source. */
  readonly isOwnOnly?: boolean
  /** For whom it works, in the records of what happened. */
  readonly callerId?: number
  /** Limits its sight to its own source and what this user sees. */
  readonly user?: Seeing
}

/** What a feed works with in the transaction `db`; `home` is its source. */
export async function contextOf(
  { vault, resources, taskTypes, cause }: Working,
  db: Server['db'],
  home: string,
  { isOwnOnly = false, callerId = 0, user }: Manner = {},
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
