import { type Kysely, sql } from 'kysely'
import { lastChange } from '../../streams/changes.ts'
import type { Subscription } from '../../streams/events.ts'
import type { Position } from '../../streams/position.ts'
import type { Outcome, Receiver } from '../send.ts'

/** A process that has said nothing for so long is taken for dead. Longer than a call and the reading for it may take. */
const CLAIM = sql`now() + interval '90 seconds'`

/** A webhook that this process is at. */
export interface Claimed extends Receiver, Subscription {
  readonly created_by: number
  readonly base_url: string
  readonly told_change: number
  readonly told_item: number
  readonly failures: number
  /** The delivery that is to be tried again. */
  readonly waiting: { readonly id: string; readonly last_change: number; readonly last_item: number } | null
}

/** Nothing is sent for users who may not sign in: it waits for them. */
const mayBeTold = sql`
  w.is_active and w.suspended_at is null and w.next_attempt_at <= now()
  and exists (select from users as u where u.id = w.created_by and u.is_active and not u.is_locked)`

/** Takes webhooks for which there is something to read, and that no process is at. */
export async function claimWebhooks(db: Kysely<unknown>, claim: string, room: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    with tip as materialized (${lastChange})
    update webhooks
    set claim = ${claim}, claimed_until = ${CLAIM}
    where id in (
      select w.id
      from webhooks as w
      where ${mayBeTold} and (w.claimed_until is null or w.claimed_until < now())
        and exists (select from tip where tip.change <> w.told_change or tip.item > w.told_item)
      order by w.next_attempt_at
      limit ${room}
      for no key update of w skip locked)
    returning id`.execute(db)
  return rows.map(({ id }) => id)
}

/** The webhook as it is now, held for as long again; undefined when it is no longer this process's to tell. */
export async function hold(db: Kysely<unknown>, id: number, claim: string): Promise<Claimed | undefined> {
  const { rows } = await sql<Claimed>`
    update webhooks as w
    set claimed_until = ${CLAIM}
    where w.id = ${id} and w.claim = ${claim} and ${mayBeTold}
    returning w.id, w.url, w.secret, w.collections, w.kinds, w.query, w.include_object, w.created_by, w.base_url,
      w.told_change, w.told_item, w.failures, (
        select json_build_object('id', d.id, 'last_change', d.last_change, 'last_item', d.last_item)
        from webhook_deliveries as d where d.owner = w.id and d.state = 'WAITING'
      ) as waiting`.execute(db)
  return rows[0]
}

/** Lets others have it. */
export async function release(db: Kysely<unknown>, id: number, claim: string): Promise<void> {
  await sql`
    update webhooks set claim = null, claimed_until = null where id = ${id} and claim = ${claim}`.execute(db)
}

/** Notes that there is nothing to tell up to a place. */
export async function passBy(db: Kysely<unknown>, { id }: Claimed, claim: string, end: Position): Promise<void> {
  await sql`
    with own as (
      update webhooks set told_change = ${end.change}, told_item = ${end.item}
      where id = ${id} and claim = ${claim}
      returning id
    )
    update webhook_deliveries set state = 'SKIPPED', events = 0
    where state = 'WAITING' and owner in (select id from own)`.execute(db)
}

/** Writes down what is going to be sent, before it is; false when another process has the webhook by now. */
export async function begin(
  db: Kysely<unknown>,
  { id, told_change, told_item }: Claimed,
  claim: string,
  delivery: { readonly id: string; readonly end: Position; readonly events: number },
): Promise<boolean> {
  const { end, events } = delivery
  const { rows } = await sql`
    with own as (
      update webhooks set claimed_until = ${CLAIM} where id = ${id} and claim = ${claim} returning id
    )
    insert into webhook_deliveries as d (id, owner, first_change, first_item, last_change, last_item, events)
    select ${delivery.id}::uuid, id, ${told_change}::bigint, ${told_item}::integer, ${end.change}::bigint,
      ${end.item}::integer, ${events}::integer
    from own
    on conflict (id) do update
    set last_change = excluded.last_change, last_item = excluded.last_item, events = excluded.events
    returning d.id`.execute(db)
  return rows.length > 0
}

/** So many deliveries of a webhook are kept, and for so long. */
const KEPT = 1000
const KEPT_DAYS = 30

/** The place moves on when the receiver has what came before it, and not sooner. */
export async function noteSuccess(
  db: Kysely<unknown>,
  { id }: Claimed,
  claim: string,
  deliveryId: string,
  end: Position,
  { status, milliseconds }: Outcome,
): Promise<void> {
  await sql`
    with own as (
      update webhooks
      set told_change = ${end.change}, told_item = ${end.item}, last_delivery_at = now(), last_status = ${status},
        failures = 0, failing_since = null, next_attempt_at = now()
      where id = ${id} and claim = ${claim}
      returning id
    ), forgotten as (
      delete from webhook_deliveries
      where owner = ${id} and state <> 'WAITING' and (
        created_at < now() - make_interval(days => ${KEPT_DAYS}::integer)
        or id in (
          select id from webhook_deliveries where owner = ${id} order by created_at desc, id desc offset ${KEPT - 1}))
    )
    update webhook_deliveries
    set state = 'DELIVERED', attempts = attempts + 1, status = ${status}, reason = null, last_attempt_at = now(),
      milliseconds = ${milliseconds}::real
    where id = ${deliveryId}::uuid and owner in (select id from own)`.execute(db)
}

/** What becomes of a webhook after a failure. */
export interface Consequence {
  /** Seconds until it is tried again; null when it is not. */
  readonly pause: number | null
  /** Whether its receiver never wants to hear anything again. */
  readonly isEnded: boolean
}

export async function noteFailure(
  db: Kysely<unknown>,
  { id }: Claimed,
  claim: string,
  deliveryId: string | null,
  { status, reason, milliseconds }: Outcome,
  { pause, isEnded }: Consequence,
): Promise<void> {
  await sql`
    with own as (
      update webhooks
      set last_status = ${status}::integer, failures = failures + 1, failing_since = coalesce(failing_since, now()),
        next_attempt_at = now() + make_interval(secs => ${pause ?? 0}), is_active = is_active and not ${isEnded}::boolean,
        suspended_at = case when ${pause}::float8 is null then now() end,
        suspended_reason = case when ${pause}::float8 is null then ${reason}::text end
      where id = ${id} and claim = ${claim}
      returning id
    )
    update webhook_deliveries
    set attempts = attempts + 1, status = ${status}::integer, reason = ${reason}::text, last_attempt_at = now(),
      milliseconds = ${milliseconds}::real
    where id = ${deliveryId}::uuid and owner in (select id from own)`.execute(db)
}
