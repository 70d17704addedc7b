import { sql } from 'kysely'
import { z } from 'zod'
import { isKept } from '../../background/followers/change-log.ts'
import { defineAction } from '../../engine/action.ts'
import type { Context } from '../../engine/context.ts'
import type { Resource } from '../../engine/definition.ts'
import { ApiError, conflict, notFound } from '../../engine/errors.ts'
import { int, oneOf, real, ref, text, timestamp } from '../../engine/field.ts'
import { makeId } from '../../engine/ids.ts'
import { routesBelow } from '../../engine/nested-routes.ts'
import { readId } from '../../engine/query.ts'
import type { Id } from '../../engine/reference.ts'
import { defineResource } from '../../engine/resource.ts'
import type { Route } from '../../engine/route.ts'
import { resourceOf, visible } from '../../engine/select.ts'
import { readOnly } from '../../engine/standard.ts'
import { asUser } from '../../identity/access/as-user.ts'
import type { Subscription } from '../streams/events.ts'
import { bodyOf, compose } from './compose.ts'
import { type Outcome, type Receiver, send } from './send.ts'

const deliveries = defineResource({
  collection: 'webhook_deliveries',
  title: 'Webhook delivery',
  doc: 'A request that a webhook sent, and its outcome.',
  key: ['id'],
  permission: 'webhooks',
  fields: {
    owner: ref('webhooks').hidden(),
    state: oneOf(['WAITING', 'DELIVERED', 'SKIPPED'])
      .readOnly()
      .describe('SKIPPED: when it was retried, its owner no longer saw any of the objects.'),
    events: int().readOnly().describe('The number of events in it.'),
    attempts: int().readOnly(),
    status: int().nullable().readOnly().describe('The last status of the receiver; null if it did not respond.'),
    reason: text().nullable().readOnly().describe('Why the last attempt failed.'),
    milliseconds: real().nullable().readOnly().describe('How long the last attempt took.'),
    created_at: timestamp().stamped('created-at'),
    last_attempt_at: timestamp().nullable().readOnly(),
  },
  search: { filters: { owner: ref('webhooks') } },
  visible: (ctx, t) => sql`exists (
    select from webhooks as about
    where about.id = ${sql.ref(`${t}.owner`)} and ${visible(ctx, resourceOf(ctx, 'webhooks'), 'about')})`,
  operations: readOnly,
})

const outcome = z.object({
  is_delivered: z.boolean(),
  status: z.int().nullable(),
  reason: z.string().nullable(),
  milliseconds: z.number(),
})

const about = {
  tag: 'webhooks',
  method: 'POST' as const,
  permission: 'modify webhooks',
  // Calls the receiver, which may take long.
  isDetached: true,
  result: outcome,
}

/** The deliveries of a webhook, and the endpoints to test and redeliver. */
export const deliveryRoutes: readonly Route[] = [
  ...routesBelow(
    { owners: 'webhooks', segment: 'deliveries', verbs: ['list', 'get'], check: requireBelow },
    deliveries,
  ),
  defineAction({
    ...about,
    name: 'test_webhooks',
    doc: 'Send a signed request without events to a webhook immediately, and return the outcome',
    path: '/webhooks/:id/test',
    refusals: [404],
    run: async (ctx, _, { params }) => {
      const webhook = await find(ctx, idIn(ctx, 'webhooks', params.id))
      const id = makeId()
      const body = bodyOf(ctx.baseUrl, webhook.id, id, { events: [], hasGap: false }, true)
      return send(ctx, webhook, id, body)
    },
  }),
  defineAction({
    ...about,
    name: 'redeliver_webhook_deliveries',
    doc: 'Send a delivery again under its id, with the objects that the owner of the webhook sees now',
    path: '/webhooks/:id/deliveries/:delivery_id/redeliver',
    refusals: [404, 409, 410],
    run: (ctx, _, { params }) => redeliver(ctx, idIn(ctx, 'webhooks', params.id), params.delivery_id ?? ''),
  }),
]

const idIn = (ctx: Context, collection: Resource['collection'], given = ''): Id =>
  readId(resourceOf(ctx, collection), given)

interface Webhook extends Receiver, Subscription {
  /** Null if they may not sign in. */
  readonly owner: number | null
}

async function find(ctx: Context, id: Id): Promise<Webhook> {
  const { rows } = await sql<Webhook>`
    select t.id, t.url, t.secret, t.collections, t.kinds, t.query, t.include_object,
      (select u.id from users as u where u.id = t.created_by and u.is_active and not u.is_locked) as owner
    from webhooks as t
    where t.id = ${id} and ${visible(ctx, resourceOf(ctx, 'webhooks'))}`.execute(ctx.db)
  if (!rows[0]) throw notFound(id)
  return rows[0]
}

async function requireBelow(ctx: Context, owner: Id, id: Id): Promise<void> {
  const { rows } = await sql`
    select from webhook_deliveries where id = ${id} and owner = ${owner}`.execute(ctx.db)
  if (rows.length === 0) throw notFound(id)
}

interface Past {
  readonly state: string
  readonly first_change: number
  readonly first_item: number
  readonly last_change: number
  readonly last_item: number
}

async function redeliver(ctx: Context, webhookId: Id, given: string): Promise<Outcome> {
  const webhook = await find(ctx, webhookId)
  const id = String(readId(deliveries, given))
  const { rows } = await sql<Past>`
    select state, first_change, first_item, last_change, last_item
    from webhook_deliveries where id = ${id} and owner = ${webhook.id}`.execute(ctx.db)
  const [past] = rows
  if (!past) throw notFound(given)
  if (past.state === 'WAITING') throw conflict('The delivery is already waiting to be retried.')
  const caller = webhook.owner === null ? undefined : await asUser(ctx, webhook.owner)
  if (!caller) throw conflict('The owner of the webhook is inactive or locked, so nothing is sent.')
  const span = {
    after: { change: past.first_change, item: past.first_item },
    upTo: { change: past.last_change, item: past.last_item },
  }
  const composed = await compose({ ...ctx, caller }, webhook, span)
  if (composed.hasGap || !(await isKept(ctx.db, span.upTo)))
    throw new ApiError(410, 'The delivery is older than the retained history.')
  const sent = await send(ctx, webhook, id, bodyOf(ctx.baseUrl, webhook.id, id, composed))
  await sql`
    update webhook_deliveries
    set attempts = attempts + 1, status = ${sent.status}::integer, reason = ${sent.reason}, last_attempt_at = now(),
      milliseconds = ${sent.milliseconds}::real
    where id = ${id}`.execute(ctx.db)
  return sent
}
