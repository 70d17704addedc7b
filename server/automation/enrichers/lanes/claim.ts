import { type Kysely, sql } from 'kysely'
import { isOpen, MAX_FAULTS } from '../../circuit.ts'
import { isDue, isHeld } from '../../claims.ts'

/** A look-up that this process has claimed. */
export interface Claimed {
  readonly enricher: number
  readonly observable: number
  /** From 1; higher if earlier attempts failed or lost their process. */
  readonly attempt: number
  /** Fences the effects: only the process that holds the request under this value may store them. */
  readonly claim: string
}

/** Longer than a look-up may take. */
const LEASE = sql`now() + interval '120 seconds'`

/**
 * Claims a number of look-ups that are due, up to the concurrency of each enricher in all processes together. An enricher whose circuit
 * was open gets a single one, as a probe. Enrichers that this process is not `busy` with get one beyond `most`: slow ones that occupy all
 * places do not delay others.
 */
export const claimLookUps = (
  db: Kysely<unknown>,
  claim: string,
  most: number,
  busy: readonly number[] = [],
): Promise<Claimed[]> =>
  db.transaction().execute(async (trx) => {
    // Locked, so that two processes do not count the same free places.
    const { rows: lanes } = await sql<{ id: number }>`
      select e.id
      from enrichers as e
      where ${isOpen('e')} and exists (select from enrichment_requests as q where q.enricher = e.id and ${isDue('q')})
      order by e.id
      for no key update skip locked`.execute(trx)
    if (lanes.length === 0) return []
    const { rows } = await sql<Claimed>`
      with places as materialized (
        select e.id, case when e.faults >= ${sql.lit(MAX_FAULTS)} then 1 else e.concurrency end - (
          select count(*) from enrichment_requests as q where q.enricher = e.id and ${isHeld('q')}
        )::integer as room
        from enrichers as e where e.id = any(${lanes.map(({ id }) => id)}::integer[])
      ), chosen as materialized (
        select next.enricher, next.observable, next.turn, row_number() over (order by next.turn, next.enricher) as place
        from places
        cross join lateral (
          select q.enricher, q.observable, row_number() over (order by q.number) as turn
          from enrichment_requests as q
          where q.enricher = places.id and ${isDue('q')}
          order by q.number
          limit greatest(0, places.room)
        ) as next
      )
      update enrichment_requests as q
      set claim = ${claim}::uuid, claimed_until = ${LEASE}, attempts = q.attempts + 1
      from chosen as c
      where q.enricher = c.enricher and q.observable = c.observable and ${isDue('q')}
        and (c.place <= ${most} or (c.turn = 1 and c.enricher <> all(${busy}::integer[])))
      returning q.enricher, q.observable, q.attempts as attempt, q.claim`.execute(trx)
    return rows
  })

/** Gives a look-up back. An attempt that was not the fault of the look-up does not count. */
export async function release(
  db: Kysely<unknown>,
  { enricher, observable, claim }: Claimed,
  { isCounted, pauseSeconds = 0 }: { readonly isCounted: boolean; readonly pauseSeconds?: number },
): Promise<void> {
  await sql`
    update enrichment_requests
    set claim = null, claimed_until = null, attempts = attempts - ${isCounted ? 0 : 1}::integer,
      due_at = now() + make_interval(secs => ${pauseSeconds})
    where enricher = ${enricher} and observable = ${observable} and claim = ${claim}::uuid`.execute(db)
}
