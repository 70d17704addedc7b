import { type Kysely, sql } from 'kysely'
import type { Logger } from 'pino'

const COLLECT_MS = 1000

/** Records when tokens and sessions were last used, in batches and outside requests. */
export interface LastSeen {
  note(kind: 'token' | 'session', id: number): void
  close(): Promise<void>
}

/** Collects uses for a second, then writes one statement for all tokens and one for all sessions. */
export function openLastSeen(db: Kysely<unknown>, log: Logger): LastSeen {
  const noted = { token: new Map<number, number>(), session: new Map<number, number>() }
  let timer: NodeJS.Timeout | undefined
  let writing: Promise<void> = Promise.resolve()

  const write = async (): Promise<void> => {
    clearTimeout(timer)
    timer = undefined
    const [tokens, sessions] = [[...noted.token], [...noted.session]]
    noted.token.clear()
    noted.session.clear()
    try {
      if (tokens.length > 0) await update(db, 'tokens', 'last_used_at', tokens)
      if (sessions.length > 0) await update(db, 'sessions', 'last_seen_at', sessions)
    } catch (error) {
      log.warn(error, 'cannot record the last use of tokens and sessions')
    }
  }

  return {
    note(kind, id) {
      noted[kind].set(id, Date.now())
      timer ??= setTimeout(() => {
        writing = write()
      }, COLLECT_MS).unref()
    },
    async close() {
      await writing
      await write()
    },
  }
}

async function update(db: Kysely<unknown>, table: string, column: string, uses: [id: number, at: number][]) {
  const ids = uses.map(([id]) => id)
  const times = uses.map(([, at]) => at / 1000)
  await sql`
    update ${sql.table(table)} as t
    set ${sql.ref(column)} = greatest(t.${sql.ref(column)}, to_timestamp(i.at))
    from unnest(${ids}::integer[], ${times}::float8[]) as i(id, at)
    where t.id = i.id`.execute(db)
}
