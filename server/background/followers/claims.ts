import { type Kysely, type RawBuilder, sql } from 'kysely'
import { storableText } from '../../domain/storable-text.ts'
import { messageForReaders } from '../task.ts'
import { lastChange } from './change-log.ts'
import type { Position } from './position.ts'

/** The key of a row of `followers`: a follower and, if it has several, an owner. */
export interface FollowerKey {
  readonly name: string
  readonly owner: number
}

/** A follower that this process has claimed. */
export interface ClaimedKey extends FollowerKey {
  readonly claim: string
}

/** The end of a lease that begins now. It is longer than one step of a follower, including calls to other servers. */
export const LEASE = sql`now() + interval '90 seconds'`

/** Registers new followers. They start after everything that can be read now. */
export async function startFollowing(
  db: Kysely<unknown>,
  name: string,
  owners: readonly unknown[] = [0],
): Promise<void> {
  await sql`
    with tip as (${lastChange})
    insert into followers (name, owner, change, item)
    select ${name}, i.owner, coalesce((select change from tip), 0), coalesce((select item from tip), 0)
    from unnest(${owners}::integer[]) as i(owner)
    on conflict do nothing`.execute(db)
}

export async function stopFollowing(db: Kysely<unknown>, name: string, owners: readonly unknown[]): Promise<void> {
  await sql`delete from followers where name = ${name} and owner = any(${owners}::integer[])`.execute(db)
}

/** Claims rows of a follower that have something to read, and gives their owners. `due` is a condition on the row `f`. */
export async function claimFollowers(
  db: Kysely<unknown>,
  { name, claim }: Omit<ClaimedKey, 'owner'>,
  most: number,
  due: RawBuilder<unknown> = sql`true`,
): Promise<number[]> {
  const { rows } = await sql<{ owner: number }>`
    with tip as materialized (${lastChange})
    update followers
    set claim = ${claim}, claimed_until = ${LEASE}
    where name = ${name} and owner in (
      select f.owner
      from followers as f
      where f.name = ${name} and f.next_attempt_at <= now() and (f.claimed_until is null or f.claimed_until < now())
        and exists (select from tip where tip.change <> f.change or tip.item > f.item)
        and ${due}
      order by f.next_attempt_at
      limit ${most}
      for no key update of f skip locked)
    returning owner`.execute(db)
  return rows.map(({ owner }) => owner)
}

/** Whether the row `f` is still claimed by this process. */
export const isClaimed = ({ name, owner, claim }: ClaimedKey): RawBuilder<unknown> =>
  sql`f.name = ${name} and f.owner = ${owner} and f.claim = ${claim}`

/** Renews the lease and gives the position; undefined if another process has taken over the follower. */
export async function renewClaim(db: Kysely<unknown>, key: ClaimedKey): Promise<Position | undefined> {
  const { rows } = await sql<Position>`
    update followers as f set claimed_until = ${LEASE}
    where ${isClaimed(key)} and f.next_attempt_at <= now()
    returning f.change, f.item`.execute(db)
  return rows[0]
}

/** Moves a position. False if it has changed or the claim is lost, which means that another process has handled these changes. */
export async function movePosition(
  db: Kysely<unknown>,
  key: ClaimedKey,
  from: Position,
  to: Position,
): Promise<boolean> {
  const { rows } = await sql`
    update followers as f
    set change = ${to.change}, item = ${to.item}, failures = 0, next_attempt_at = now(), last_error = null, failed_at = null
    where ${isClaimed(key)} and f.change = ${from.change} and f.item = ${from.item}
    returning f.owner`.execute(db)
  return rows.length > 0
}

const MAX_PAUSE_SECONDS = 300

const MAX_ERROR_LENGTH = 500

/** Records why an attempt failed, for the system status. */
export async function recordError(db: Kysely<unknown>, key: ClaimedKey, error: unknown): Promise<void> {
  await sql`
    update followers as f set last_error = ${messageOf(error)}, failed_at = now() where ${isClaimed(key)}`.execute(db)
}

const messageOf = (error: unknown): string =>
  storableText(messageForReaders(error, 'An internal error; the log of the server has more.'), MAX_ERROR_LENGTH)

/** Records a failed attempt. The next one follows after one second, then two, four, and at most five minutes. */
export async function postpone(db: Kysely<unknown>, key: ClaimedKey, error: unknown): Promise<void> {
  await sql`
    update followers as f
    set failures = f.failures + 1, last_error = ${messageOf(error)}, failed_at = now(),
      next_attempt_at = now() + make_interval(secs => least(${MAX_PAUSE_SECONDS}, 2 ^ least(f.failures, 20)))
    where ${isClaimed(key)}`.execute(db)
}

/** Releases a claim to other processes. */
export async function releaseClaim(db: Kysely<unknown>, key: ClaimedKey): Promise<void> {
  await sql`update followers as f set claim = null, claimed_until = null where ${isClaimed(key)}`.execute(db)
}
