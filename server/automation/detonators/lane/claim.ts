import { type Kysely, sql } from 'kysely'
import type { Server } from '../../../server.ts'
import { isOpen, MAX_FAULTS } from '../../circuit.ts'
import { isDue } from '../../claims.ts'
import { IS_UNDER_WAY } from '../detonations/ask.ts'
import type { State } from '../detonations/states.ts'

/** A detonation that this process has claimed. */
export interface Claimed {
  readonly id: string
  readonly detonator: number
  /** From 1; higher if earlier attempts failed or lost their process. */
  readonly attempt: number
  /** Fences the effects: only the process that holds the row under this value may change it. */
  readonly claim: string
}

/** A process that lives extends its claims before they end. */
const LEASE = sql`now() + interval '60 seconds'`
export const EXTEND_MS = 15_000

/** How many samples of one detonator a process works on at the same time. */
const MOST_PER_DETONATOR = 5

const isWaiting = sql`t.${IS_UNDER_WAY} and ${isDue('t')}`

/** Claims detonations that are due, those of each detonator in turn. A detonator whose circuit was open gets a single one, as a probe. */
export async function claimDue(
  db: Kysely<unknown>,
  claim: string,
  most: number,
  installed: readonly string[],
): Promise<Claimed[]> {
  if (most <= 0) return []
  const { rows } = await sql<Claimed>`
    with next as materialized (
      select t.id, t.due_at, e.faults, row_number() over (partition by t.detonator order by t.due_at, t.id) as turn
      from detonations as t join detonators as e on e.id = t.detonator
      where ${isWaiting} and ${isOpen('e')} and e.adapter = any(${installed}::text[])
    ), locked as materialized (
      select t.id
      from detonations as t join next on next.id = t.id
      where next.turn <= case when next.faults >= ${sql.lit(MAX_FAULTS)} then 1 else ${sql.lit(MOST_PER_DETONATOR)} end and ${isWaiting}
      order by next.turn, next.due_at
      limit ${most}
      for update of t skip locked
    )
    update detonations as t
    set claim = ${claim}::uuid, claimed_until = ${LEASE}, attempts = t.attempts + 1
    from locked
    where locked.id = t.id
    returning t.id, t.detonator, t.attempts as attempt, t.claim`.execute(db)
  return rows
}

/** Extends claims, and returns those that are still held. */
export async function extend(db: Kysely<unknown>, held: readonly Claimed[]): Promise<Set<string>> {
  if (held.length === 0) return new Set()
  const { rows } = await sql<{ claim: string; id: string }>`
    update detonations as t set claimed_until = ${LEASE}
    from unnest(${held.map(({ id }) => id)}::uuid[], ${held.map(({ claim }) => claim)}::uuid[]) as i(id, claim)
    where t.id = i.id and t.claim = i.claim
    returning t.id, t.claim`.execute(db)
  return new Set(rows.map(({ id, claim }) => `${id} ${claim}`))
}

/** Another process has the detonation now, or it was cancelled. */
export class ClaimLost extends Error {
  constructor() {
    super('The detonation is no longer held by this process.')
  }
}

interface Changes {
  readonly state?: State
  readonly state_reason?: string | null
  readonly vendor_id?: string
  readonly vendor_url?: string | null
  readonly was_known?: boolean
  readonly polls?: number
  readonly rank?: number
  readonly name?: string
}

interface Next {
  /** The detonation is given back, and continues after this time. */
  readonly afterSeconds?: number
  /** Whether it is given back and waits for the next day. */
  readonly isForTomorrow?: boolean
  /** The seconds within which a report is expected from now on. */
  readonly deadlineSeconds?: number
  readonly isSubmitted?: boolean
  /** Whether the attempt counts as failed. */
  readonly isFailure?: boolean
  /** Whether the attempt was not the fault of the detonation, and does not count. */
  readonly isFree?: boolean
}

const ENDED: readonly State[] = ['FINISHED', 'FAILED', 'REFUSED', 'CANCELLED']

/** Changes a claimed detonation. Throws if it is no longer held. */
export async function change(
  db: Server['db'],
  { id, claim }: Claimed,
  changes: Changes,
  next: Next = {},
): Promise<void> {
  const isEnd = changes.state !== undefined && ENDED.includes(changes.state)
  const isGivenBack = isEnd || next.afterSeconds !== undefined || next.isForTomorrow === true
  const assignments = [
    ...Object.entries(changes).map(([name, value]) => sql`${sql.ref(name)} = ${value}`),
    next.isFailure ? sql`attempts = attempts` : next.isFree ? sql`attempts = attempts - 1` : sql`attempts = 0`,
    ...(isGivenBack ? [sql`claim = null, claimed_until = null`] : []),
    ...(next.afterSeconds !== undefined ? [sql`due_at = now() + make_interval(secs => ${next.afterSeconds})`] : []),
    ...(next.isForTomorrow
      ? [sql`due_at = (date_trunc('day', now() at time zone 'UTC') + interval '1 day') at time zone 'UTC'`]
      : []),
    ...(next.deadlineSeconds !== undefined
      ? [sql`deadline_at = now() + make_interval(secs => ${next.deadlineSeconds})`]
      : []),
    ...(next.isSubmitted ? [sql`submitted_at = now()`] : []),
    ...(isEnd ? [sql`finished_at = now()`] : []),
  ]
  const { rows } = await sql`
    update detonations set ${sql.join(assignments)}
    where id = ${id}::uuid and claim = ${claim}::uuid and ${IS_UNDER_WAY}
    returning id`.execute(db)
  if (rows.length === 0) throw new ClaimLost()
}
