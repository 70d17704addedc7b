import { type Kysely, sql } from 'kysely'
import { type ClaimedKey, isClaimed, LEASE } from '../../../background/followers/claims.ts'
import type { Position } from '../../../background/followers/position.ts'
import type { Subscription } from '../../streams/events.ts'
import type { Outcome, Receiver } from '../send.ts'
import { WEBHOOKS } from '../webhook-operations.ts'

/** A webhook that this process has claimed. */
export interface Claimed extends Receiver, Subscription {
  readonly created_by: number
  readonly base_url: string
  /** The position up to which everything was delivered. */
  readonly change: number
  readonly item: number
  readonly failures: number
  /** The delivery to retry. */
  readonly waiting: { readonly id: string; readonly last_change: number; readonly last_item: number } | null
}

/** Deliveries wait while the owner may not sign in. */
const isActive = sql`
  w.is_active and w.suspended_at is null
  and exists (select from users as u where u.id = w.created_by and u.is_active and not u.is_locked)`

/** Whether the row `f` of followers belongs to a webhook that can be delivered. */
export const isDue = sql`exists (select from webhooks as w where w.id = f.owner and ${isActive})`

const keyOf = ({ id }: Pick<Claimed, 'id'>, claim: string): ClaimedKey => ({ name: WEBHOOKS, owner: id, claim })

/** Reads the webhook and renews its lease; undefined if this process may no longer deliver it. */
export async function hold(db: Kysely<unknown>, id: number, claim: string): Promise<Claimed | undefined> {
  const { rows } = await sql<Claimed>`
    update followers as f
    set claimed_until = ${LEASE}
    from webhooks as w
    where ${isClaimed(keyOf({ id }, claim))} and f.next_attempt_at <= now() and w.id = f.owner and ${isActive}
    returning w.id, w.url, w.secret, w.collections, w.kinds, w.query, w.include_object, w.created_by, w.base_url,
      f.change, f.item, f.failures, (
        select json_build_object('id', d.id, 'last_change', d.last_change, 'last_item', d.last_item)
        from webhook_deliveries as d where d.owner = w.id and d.state = 'WAITING'
      ) as waiting`.execute(db)
  return rows[0]
}

/** Records that there is nothing to deliver up to a position. */
export async function passBy(db: Kysely<unknown>, webhook: Claimed, claim: string, end: Position): Promise<void> {
  await sql`
    with own as (
      update followers as f set change = ${end.change}, item = ${end.item}, last_error = null, failed_at = null
      where ${isClaimed(keyOf(webhook, claim))}
      returning f.owner
    )
    update webhook_deliveries set state = 'SKIPPED', events = 0
    where state = 'WAITING' and owner in (select owner from own)`.execute(db)
}

/** Records a delivery before it is sent; false if another process has taken over the webhook. */
export async function begin(
  db: Kysely<unknown>,
  webhook: Claimed,
  claim: string,
  delivery: { readonly id: string; readonly end: Position; readonly events: number },
): Promise<boolean> {
  const { end, events } = delivery
  const { rows } = await sql`
    with own as (
      update followers as f set claimed_until = ${LEASE}
      where ${isClaimed(keyOf(webhook, claim))}
      returning f.owner
    )
    insert into webhook_deliveries as d (id, owner, first_change, first_item, last_change, last_item, events)
    select ${delivery.id}::uuid, owner, ${webhook.change}::bigint, ${webhook.item}::integer, ${end.change}::bigint,
      ${end.item}::integer, ${events}::integer
    from own
    on conflict (id) do update
    set last_change = excluded.last_change, last_item = excluded.last_item, events = excluded.events
    returning d.id`.execute(db)
  return rows.length > 0
}

/** How many deliveries of a webhook are kept, and for how long. */
const MAX_DELIVERIES_KEPT = 1000
const DELIVERY_RETENTION_DAYS = 30

/** Records a successful delivery. Only then does the position move, so that no event is lost. */
export async function noteSuccess(
  db: Kysely<unknown>,
  webhook: Claimed,
  claim: string,
  deliveryId: string,
  end: Position,
  { status, milliseconds }: Outcome,
): Promise<void> {
  await sql`
    with own as (
      update followers as f
      set change = ${end.change}, item = ${end.item}, failures = 0, next_attempt_at = now(), last_error = null,
        failed_at = null
      where ${isClaimed(keyOf(webhook, claim))}
      returning f.owner
    ), noted as (
      update webhooks set last_delivery_at = now(), last_status = ${status}, failing_since = null
      where id in (select owner from own)
    ), purged as (
      delete from webhook_deliveries
      where owner = ${webhook.id} and state <> 'WAITING' and (
        created_at < now() - make_interval(days => ${DELIVERY_RETENTION_DAYS}::integer)
        or id in (
          select id from webhook_deliveries where owner = ${webhook.id} order by created_at desc, id desc offset ${MAX_DELIVERIES_KEPT - 1}))
    )
    update webhook_deliveries
    set state = 'DELIVERED', attempts = attempts + 1, status = ${status}, reason = null, last_attempt_at = now(),
      milliseconds = ${milliseconds}::real
    where id = ${deliveryId}::uuid and owner in (select owner from own)`.execute(db)
}

/** What happens to a webhook after a failure. */
export interface Consequence {
  /** Seconds until the next attempt; null if there is none. */
  readonly pause: number | null
  /** Whether the receiver asked never to be called again. */
  readonly isEnded: boolean
}

/** Records a failed delivery. */
export async function noteFailure(
  db: Kysely<unknown>,
  webhook: Claimed,
  claim: string,
  deliveryId: string | null,
  { status, reason, milliseconds }: Outcome,
  { pause, isEnded }: Consequence,
): Promise<void> {
  await sql`
    with own as (
      update followers as f
      set failures = f.failures + 1, next_attempt_at = now() + make_interval(secs => ${pause ?? 0}),
        last_error = ${reason}::text, failed_at = now()
      where ${isClaimed(keyOf(webhook, claim))}
      returning f.owner
    ), noted as (
      update webhooks
      set last_status = ${status}::integer, failing_since = coalesce(failing_since, now()),
        is_active = is_active and not ${isEnded}::boolean,
        suspended_at = case when ${pause}::float8 is null then now() end,
        suspended_reason = case when ${pause}::float8 is null then ${reason}::text end
      where id in (select owner from own)
    )
    update webhook_deliveries
    set attempts = attempts + 1, status = ${status}::integer, reason = ${reason}::text, last_attempt_at = now(),
      milliseconds = ${milliseconds}::real
    where id = ${deliveryId}::uuid and owner in (select owner from own)`.execute(db)
}
