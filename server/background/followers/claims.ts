import { type Kysely, type RawBuilder, sql } from 'kysely'
import { lastChange } from './change-log.ts'
import type { Position } from './position.ts'

/** A row of `followers`: the follower, and for which owner where there are many. */
export interface FollowerKey {
  readonly name: string
  readonly owner: number
}

/** A follower that this process has claimed. */
export interface ClaimedKey extends FollowerKey {
  readonly claim: string
}

/** The end of a lease, from now on. Longer than one step of a follower may take, calls to other servers included. */
export const LEASE = sql`now() + interval '90 seconds'`

/** Registers followers that are not known yet. They start behind everything that can be read now. */
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

/** Claims rows of a follower for which there is something to read; gives their owners. `due` is a condition on the row `f`. */
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

/** The condition on the row `f` that it is still claimed by this process. */
export const isClaimed = ({ name, owner, claim }: ClaimedKey): RawBuilder<unknown> =>
  sql`f.name = ${name} and f.owner = ${owner} and f.claim = ${claim}`

/** Renews the lease and gives the position; undefined when another process has the follower by now. */
export async function renewClaim(db: Kysely<unknown>, key: ClaimedKey): Promise<Position | undefined> {
  const { rows } = await sql<Position>`
    update followers as f set claimed_until = ${LEASE}
    where ${isClaimed(key)} and f.next_attempt_at <= now()
    returning f.change, f.item`.execute(db)
  return rows[0]
}

/** Moves a position on. False when it is not where it was or the claim is lost: another process has handled these changes. */
export async function movePosition(
  db: Kysely<unknown>,
  key: ClaimedKey,
  from: Position,
  to: Position,
): Promise<boolean> {
  const { rows } = await sql`
    update followers as f
    set change = ${to.change}, item = ${to.item}, failures = 0, next_attempt_at = now()
    where ${isClaimed(key)} and f.change = ${from.change} and f.item = ${from.item}
    returning f.owner`.execute(db)
  return rows.length > 0
}

const LONGEST_PAUSE_SECONDS = 300

/** Notes a failed attempt: the next one waits one second, then two, four, and at most five minutes. */
export async function postpone(db: Kysely<unknown>, key: ClaimedKey): Promise<void> {
  await sql`
    update followers as f
    set failures = f.failures + 1,
      next_attempt_at = now() + make_interval(secs => least(${LONGEST_PAUSE_SECONDS}, 2 ^ least(f.failures, 20)))
    where ${isClaimed(key)}`.execute(db)
}

/** Lets other processes have it. */
export async function releaseClaim(db: Kysely<unknown>, key: ClaimedKey): Promise<void> {
  await sql`update followers as f set claim = null, claimed_until = null where ${isClaimed(key)}`.execute(db)
}
