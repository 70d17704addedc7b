import { sql } from 'kysely'
import type { Context } from '../../engine/context.ts'
import { ApiError } from '../../engine/errors.ts'
import { parseId } from '../../engine/reference.ts'
import { defineEndpoint, taxiiAnswer, timeOf } from './endpoint.ts'
import type { Sent } from './envelope.ts'
import * as resources from './resources.ts'
import { ROOT } from './server-information.ts'

interface Stored {
  readonly id: string
  readonly requested_at: string
  readonly total_count: number
  readonly objects: readonly Sent[] | null
  readonly state: string
  readonly reason: string | null
  readonly file: number | null
}

/** The outcome of an object of an envelope, by its index. */
interface ObjectOutcome {
  readonly index: number
  readonly is_failed: boolean
  readonly message: string | null
}

interface Detail {
  readonly id: string
  readonly version: string
  readonly message?: string
}

const MAX_MESSAGE_LENGTH = 2000

/** 4.3: the status of objects that the caller added. */
export const getStatus = defineEndpoint({
  path: `${ROOT}/status/:id`,
  permission: null,
  doc: {
    operationId: 'get_taxii_status',
    summary: 'TAXII: get the status of objects that you added',
    success: { 200: resources.status },
    refusals: [404],
  },
  run: (ctx, { params }) => readStatus(ctx, params.id ?? ''),
  answer: (status) => taxiiAnswer(status),
})

/** The TAXII resource of a status; a 404 for the status of another user. */
export async function readStatus(ctx: Context, id: string): Promise<object> {
  const { rows } = await sql<Stored>`
    select s.id, s.requested_at, s.total_count, s.objects, b.state, b.reason, b.file
    from taxii_statuses as s join incoming_blobs as b on b.id = s.blob
    where s.id = ${parseId('uuid', id) ?? null}::uuid and s.owner = ${ctx.caller.id}
      and (b.purged_at is null or b.purged_at < s.requested_at)`.execute(ctx.db)
  const [stored] = rows
  if (!stored) throw new ApiError(404, `There is no status '${id.slice(0, 200)}'.`)
  const { total_count, state } = stored
  const about = { id: stored.id, request_timestamp: timeOf(stored.requested_at), total_count }
  if (state === 'PENDING') {
    return { ...about, status: 'pending', success_count: 0, failure_count: 0, pending_count: total_count }
  }
  const outcomes = state === 'FAILURE' ? failedAll(stored) : await readOutcomes(ctx, stored)
  const failed = outcomes.filter(({ is_failed }) => is_failed).length
  return {
    ...about,
    status: 'complete',
    success_count: total_count - failed,
    ...listed('successes', stored, outcomes, false),
    failure_count: failed,
    ...listed('failures', stored, outcomes, true),
    pending_count: 0,
  }
}

const failedAll = ({ total_count, reason }: Stored): ObjectOutcome[] =>
  Array.from({ length: total_count }, (_, index) => ({ index, is_failed: true, message: reason }))

/**
 * Reads the outcomes of objects that failed or have a message. The outcome of an embedded relationship belongs to its object and is not
 * a failure by itself.
 */
async function readOutcomes({ db }: Context, { file, total_count }: Stored): Promise<ObjectOutcome[]> {
  const { rows } = await sql<ObjectOutcome>`
    select index, bool_or(is_failed) as is_failed,
      left(string_agg(message, ' ' order by position) filter (where message <> ''), ${MAX_MESSAGE_LENGTH}) as message
    from (
      select substring(o.place from '^objects\\[(\\d{1,9})\\]$')::integer as index, o.position,
        o.outcome in ('refused', 'lost')
          and (o.kind <> 'relationship' or not bool_or(o.kind = 'entity') over (partition by o.place)) as is_failed,
        array_to_string(o.details || o.notes, ' ') as message
      from file_outcomes as o
      where o.owner = ${file}
    ) as told
    where index < ${total_count} and (is_failed or message <> '')
    group by index`.execute(db)
  return rows
}

/** The objects that succeeded or failed; omitted if there are none, or too many to list. */
function listed(
  name: string,
  { objects, requested_at }: Stored,
  outcomes: readonly ObjectOutcome[],
  isFailed: boolean,
): object {
  if (!objects) return {}
  const known = new Map(outcomes.map((outcome) => [outcome.index, outcome]))
  const details = objects.flatMap(({ id, version }, index): Detail[] => {
    const { is_failed = false, message = null } = known.get(index) ?? {}
    if (is_failed !== isFailed) return []
    return [{ id, version: version ?? timeOf(requested_at), ...(message !== null && { message }) }]
  })
  return details.length > 0 ? { [name]: details } : {}
}
