import { type Kysely, type RawBuilder, sql } from 'kysely'

/**
 * Withdraws requests of runs: the rows `r` of `enrichment_requesters` that fulfil a condition. Look-ups that others asked for stay, and
 * so do those that are in progress, whose results are stored.
 */
export async function withdraw(db: Kysely<unknown>, which: RawBuilder<unknown>, reason: string): Promise<number> {
  const { rows } = await sql<{ enricher: number; observable: number }>`
    with gone as (
      delete from enrichment_requesters as r where ${which} returning r.run, r.enricher, r.observable
    ), told as (
      update enrichment_outcomes as o set state = 'NOT_DONE', reason = ${reason}
      from gone
      where o.run = gone.run and o.enricher = gone.enricher and o.observable = gone.observable and o.state = 'PENDING'
    )
    select enricher, observable from gone`.execute(db)
  if (rows.length > 0) await dropUnwanted(db)
  return rows.length
}

/** Removes requests without a requester, and the rows of their pending results. */
async function dropUnwanted(db: Kysely<unknown>): Promise<void> {
  await sql`
    with gone as (
      delete from enrichment_requests as q
      where q.claim is null and not exists (
        select from enrichment_requesters as r where r.enricher = q.enricher and r.observable = q.observable)
      returning q.enricher, q.observable
    )
    delete from enrichments as f using gone
    where f.enricher = gone.enricher and f.observable = gone.observable and f.state = 'PENDING'`.execute(db)
}
