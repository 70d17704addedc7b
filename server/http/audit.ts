import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Kysely, sql } from 'kysely'
import type { Logger } from 'pino'
import { refusal } from '../engine/errors.ts'

const COLLECT_MS = 1000
const BATCH = 500
/** The maximum number of entries kept while the database is down; about 5 MB. */
const MAX_WAITING_ENTRIES = 10_000
const MAX_PATH_LENGTH = 1000
const MAX_USER_AGENT_LENGTH = 300

/** A finished request, as recorded in the audit trail. */
export interface AuditEntry {
  readonly id: string
  readonly at: string
  readonly user: number | null
  readonly method: string
  readonly route: string
  readonly path: string
  readonly status: number
  readonly address: string
  readonly user_agent: string
  readonly milliseconds: number
}

/** Records requests for the audit trail in batches, outside the requests. */
export interface Audit {
  note(entry: AuditEntry): void
  close(): Promise<void>
}

/**
 * Whether a request is recorded. Health checks, metrics and documentation pages are not. The route decides if there
 * is one, because a path can be spelled in many ways.
 */
export const isAudited = (request: FastifyRequest): boolean =>
  /^\/(api|private|taxii2)(?![^/?#])/.test(routeOf(request) || request.url)

const routeOf = (request: FastifyRequest): string => request.pattern || (request.routeOptions.url ?? '')

/** The recorded data of a request. Query, body and headers are left out because they may contain secrets. */
export function entryOf(request: FastifyRequest, reply: FastifyReply): AuditEntry {
  const milliseconds = Math.round(reply.elapsedTime * 10) / 10
  return {
    id: request.id,
    at: new Date(Date.now() - milliseconds).toISOString(),
    user: request.caller?.id || null,
    method: request.method,
    route: routeOf(request),
    path: storable(request.originalUrl.split(/[?#]/, 1)[0] ?? '', MAX_PATH_LENGTH),
    status: reply.statusCode,
    address: request.ip,
    user_agent: storable(request.headers['user-agent'] ?? '', MAX_USER_AGENT_LENGTH),
    milliseconds,
  }
}

const storable = (text: string, longest: number): string =>
  text.slice(0, longest).replaceAll('\u0000', '').toWellFormed()

/** Writes every second, or sooner when a batch is full. While the database is down, entries wait up to a limit. */
export function openAudit(db: Kysely<unknown>, log: Logger, maxWaiting = MAX_WAITING_ENTRIES): Audit {
  let waiting: AuditEntry[] = []
  let dropped = 0
  let timer: NodeJS.Timeout | undefined
  let writing: Promise<void> | undefined

  const plan = () => {
    timer ??= setTimeout(() => void write(), COLLECT_MS).unref()
  }

  /** Drops the oldest entries, many at a time, to keep the cost per entry constant. */
  const makeRoom = () => {
    if (waiting.length <= maxWaiting) return
    const surplus = waiting.length - maxWaiting + Math.floor(maxWaiting / 10)
    dropped += surplus
    waiting = waiting.slice(surplus)
  }

  const writeBatch = async (): Promise<boolean> => {
    const batch = waiting.slice(0, BATCH)
    waiting = waiting.slice(BATCH)
    try {
      await insert(db, batch)
      return true
    } catch (error) {
      // If the database is down or its disk is full, the batch can be written later.
      const isBatchBad = ![503, 507].includes(refusal(error)?.status ?? 500)
      // A batch that can never be written must not block the others.
      if (isBatchBad) dropped += batch.length
      else waiting = [...batch, ...waiting]
      log.warn(error, 'cannot write the audit trail')
      return isBatchBad
    }
  }

  const writeAll = async (): Promise<void> => {
    clearTimeout(timer)
    timer = undefined
    while (waiting.length > 0 && (await writeBatch())) {}
    makeRoom()
    if (dropped > 0) log.error({ dropped }, 'audit trail entries were lost')
    dropped = 0
    if (waiting.length > 0) plan()
  }

  const write = (): Promise<void> => {
    // Not inside `writeAll`, which returns before it is assigned if nothing is waiting.
    writing ??= writeAll().finally(() => {
      writing = undefined
    })
    return writing
  }

  return {
    note(entry) {
      waiting.push(entry)
      makeRoom()
      // While the database is down, the timer retries.
      if (waiting.length === BATCH) void write()
      else plan()
    },
    async close() {
      await writing
      await write()
      clearTimeout(timer)
      if (waiting.length > 0) log.error({ dropped: waiting.length }, 'audit trail entries were lost')
    },
  }
}

/** Inserts many entries in one statement. Usernames are copied, so that they outlive their users. */
async function insert(db: Kysely<unknown>, entries: readonly AuditEntry[]): Promise<void> {
  await sql`
    insert into audit_trail
      (id, at, "user", username, method, route, path, status, address, user_agent, milliseconds)
    select i.id, i.at, i."user", u.username, i.method, i.route, i.path, i.status, i.address, i.user_agent, i.milliseconds
    from jsonb_to_recordset(${JSON.stringify(entries)}::jsonb) as i(
      id uuid, at timestamptz, "user" integer, method text, route text, path text, status integer, address text,
      user_agent text, milliseconds real)
    left join users as u on u.id = i."user"
    on conflict do nothing`.execute(db)
}
