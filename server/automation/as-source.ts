import { sql } from 'kysely'
import type { Cause } from '../engine/cause.ts'
import type { Context } from '../engine/context.ts'
import type { Seeing } from '../identity/access/sight.ts'
import { keysOf } from '../identity/access/visibility.ts'
import type { Server } from '../server.ts'

/** The permissions with which findings are stored. */
const PERMISSIONS: ReadonlySet<string> = new Set(['modify entities', 'modify extracts'])

/** A context in the transaction `db` that sees and writes only the given sources, the first of which is its own. */
export async function sourceContext(
  { vault, resources, taskTypes }: Pick<Server, 'vault' | 'resources' | 'taskTypes'>,
  db: Server['db'],
  sources: readonly string[],
  cause?: Cause,
): Promise<Context> {
  const { rows } = await sql<{ number: number }>`
    select number from sources where id = any(${sources}::uuid[]) order by number`.execute(db)
  const caller: Seeing = {
    id: 0,
    permissions: PERMISSIONS,
    sight: {
      keys: rows.flatMap(({ number }) => keysOf(number)),
      sources: [...sources],
      home: sources[0] ?? null,
      own: [...sources],
      ownNumbers: rows.map(({ number }) => number),
    },
  }
  return { db, vault, resources, taskTypes, cause, caller, baseUrl: '' }
}
