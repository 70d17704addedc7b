import { type Kysely, sql } from 'kysely'
import type { Context } from '../../engine/context.ts'
import { makeId } from '../../engine/ids.ts'
import { NOBODY } from '../../engine/route.ts'
import { rankOf } from '../../identity/access/visibility.ts'
import type { Server } from '../../server.ts'
import type { Ready } from '../asking/ready.ts'
import { vectorsOf } from '../asking/vectors.ts'
import { CallError } from '../calling/call-error.ts'
import { bytesOf, codeOf } from './codes.ts'
import { lockPassages } from './refresh-passages.ts'
import { readSetup } from './setup.ts'
import { type Space, spaceFor, switchTo } from './spaces.ts'

/** How many texts are sent at a time. */
const BATCH = 64
/** Then other work of the process has its turn. */
const MAX_BATCHES = 50

/** Longer than a working provider takes for a batch. */
const TIMEOUT_MS = 60_000
/** Longer than a batch takes. */
const LEASE = sql`now() + interval '90 seconds'`
const MAX_PAUSE_SECONDS = 300

/**
 * Embeds passages that have no vectors yet, without a transaction while the provider is asked. One process does so at a time; another
 * one continues where it ended.
 */
export async function embedPassages(server: Server, signal: AbortSignal): Promise<void> {
  const { db } = server
  const claim = makeId()
  if (!(await renewClaim(db, claim))) return
  try {
    for (let batch = 0; batch < MAX_BATCHES && !signal.aborted; batch++) {
      // An administrator may have withdrawn the consent, lowered the ceiling or selected another model in the meantime.
      const { embedder } = await readSetup(server)
      if (!embedder || !(await embedBatch(server, embedder, signal)) || !(await renewClaim(db, claim))) break
    }
  } catch (error) {
    if (signal.aborted) return
    if (!(error instanceof CallError)) throw error
    await noteFailure(db, claim, error)
  } finally {
    await sql`update passage_index set claim = null, claimed_until = null where claim = ${claim}`.execute(db)
  }
}

async function renewClaim(db: Kysely<unknown>, claim: string): Promise<boolean> {
  const { rows } = await sql`
    update passage_index set claim = ${claim}, claimed_until = ${LEASE}
    where (claim is null or claim = ${claim} or claimed_until < now()) and next_attempt_at <= now()
    returning claim`.execute(db)
  return rows.length > 0
}

async function noteFailure(db: Kysely<unknown>, claim: string, { message, retryAfter }: CallError): Promise<void> {
  await sql`
    update passage_index
    set failures = failures + 1, last_error = ${message},
      next_attempt_at = now() + make_interval(secs => greatest(${retryAfter ?? 0}, least(${MAX_PAUSE_SECONDS}, 2 ^ least(failures, 20))))
    where claim = ${claim}`.execute(db)
}

interface Waiting {
  readonly id: number
  readonly entity: string
  readonly revision: number
  readonly hash: Buffer
  readonly heading: string
  readonly text: string
}

/** Embeds the next passages; gives whether there may be more. */
async function embedBatch(server: Server, embedder: Ready, signal: AbortSignal): Promise<boolean> {
  const { db } = server
  const space = await spaceFor(db, embedder)
  const { waiting, last } = await readWaiting(db, space)
  if (waiting.length > 0) {
    const ctx: Context = { ...server, caller: NOBODY, baseUrl: '' }
    // Budgets are those of users; the index belongs to all of them, and what it costs is counted under its own name.
    const paid = { ...embedder, feature: 'passages', budget: null } as const
    const texts = waiting.map(({ heading, text }) => `${heading}\n\n${text}`)
    const entities = [...new Set(waiting.map(({ entity }) => entity))]
    const vectors = await vectorsOf(ctx, paid, texts, { signal, timeoutMs: TIMEOUT_MS, entities })
    await storeVectors(db, space, waiting, vectors)
    await sql`update passage_index set failures = 0, last_error = null where failures > 0`.execute(db)
    return true
  }
  await sql`update passage_spaces set reached = ${last} where id = ${space.id}`.execute(db)
  if (!space.is_current && (await isEverythingRead(db))) await switchTo(db, space)
  return false
}

/** What comes next, and the last revision if nothing does. Passages that are too restricted for the provider are passed by. */
async function readWaiting(db: Kysely<unknown>, { id, ceiling }: Space): Promise<{ waiting: Waiting[]; last: number }> {
  const { rows } = await sql<{ last: number } & (Waiting | { id: null })>`
    select s.last, p.id, p.entity, p.revision, p.hash, p.heading, p.text
    from (
      select sp.reached, greatest(sp.reached, (select max(revision) from passages)) as last
      from passage_spaces as sp where sp.id = ${id}
    ) as s
    left join lateral (
      select p.* from passages as p join entities as e on e.id = p.entity
      where p.revision > s.reached and ${rankOf(sql`p.vis`)} <= ${ceiling} and ${rankOf(sql`e.vis`)} <= ${ceiling}
        and not exists (select from passage_vectors as v where v.space = ${id} and v.passage = p.id and v.hash = p.hash)
      order by p.revision
      limit ${BATCH}
    ) as p on true`.execute(db)
  const waiting = rows.filter((row) => row.id !== null)
  return { waiting, last: rows[0]?.last ?? 0 }
}

async function storeVectors(
  db: Kysely<unknown>,
  space: Space,
  waiting: readonly Waiting[],
  vectors: readonly (readonly number[])[],
): Promise<void> {
  const width = vectors[0]?.length ?? 0
  await db.transaction().execute(async (trx) => {
    await lockPassages(trx)
    const { rows } = await sql<{ width: number }>`
      update passage_spaces set reached = ${waiting.at(-1)?.revision ?? 0}, width = coalesce(width, ${width})
      where id = ${space.id}
      returning width`.execute(trx)
    // Another model may have been selected in the meantime.
    if (!rows[0]) return
    if (rows[0].width !== width)
      throw new CallError(
        `The vectors of ${space.model} have ${width} numbers, and had ${rows[0].width} before.`,
        'malformed',
      )
    // A text that changed while its vector was made is embedded again.
    await sql`
      with i as materialized (
        select p.id, p.vis, p.hash, i.code, i.vector
        from unnest(${waiting.map(({ id }) => id)}::bigint[], ${waiting.map(({ hash }) => hash)}::bytea[],
          ${vectors.map(codeOf)}::text[], ${vectors.map(bytesOf)}::bytea[]) as i(id, hash, code, vector)
        join passages as p on p.id = i.id and p.hash = i.hash
      ), coded as (
        insert into passage_codes (space, passage, vis, code)
        select ${space.id}, i.id, i.vis, i.code::bit varying from i
        on conflict (space, passage) do update set vis = excluded.vis, code = excluded.code
      )
      insert into passage_vectors (space, passage, hash, vector)
      select ${space.id}, i.id, i.hash, i.vector from i
      on conflict (space, passage) do update set hash = excluded.hash, vector = excluded.vector`.execute(trx)
  })
}

async function isEverythingRead(db: Kysely<unknown>): Promise<boolean> {
  const { rows } = await sql`select from passage_index where is_complete`.execute(db)
  return rows.length > 0
}
