import { sql } from 'kysely'
import { z } from 'zod'
import { computed, int, oneOf, ref, text, timestamp } from '../../engine/field.ts'
import { defineResource } from '../../engine/resource.ts'
import { readOnly } from '../../engine/standard.ts'
import { blockFields } from '../../exchange/block-fields.ts'
import { mayReadContent } from '../outgoing/content-access.ts'
import { contentBlockRoutes } from './content-block-routes.ts'
import { DELIVERY_STATUSES } from './store-content-block.ts'

const META = `jsonb_build_object(
  'destination', t.destination, 'original_content_type', t.content_type, 'signed_with_key_id', t.signed_with_key_id)`

export const contentBlocks = defineResource({
  collection: 'content_blocks',
  title: 'Content block',
  doc: 'Content that an outgoing feed wrote for its consumers. Visible to users who may read the content of the feed.',
  key: [],
  fields: {
    ...blockFields('/content-blocks', 't.sha256 is not null'),
    size: computed('bigint', z.int(), 't.size'),
    items_count: int().readOnly().describe('Number of entities or rows in it.'),
    delivery_status: oneOf(DELIVERY_STATUSES)
      .readOnly()
      .describe(
        'READY: clients can download it. PENDING: it waits to be delivered. SUPERSEDED: a newer block replaced it before delivery. FAILED: it was purged before delivery.',
      ),
    delivery_error: text().nullable().readOnly(),
    delivered_at: timestamp().nullable().readOnly(),
    attempts: int().readOnly().describe('Number of delivery attempts.'),
    outgoing_feed: ref('outgoing_feeds').readOnly(),
    meta: computed(
      'jsonb',
      z.object({
        destination: z.uuid(),
        original_content_type: z.string(),
        signed_with_key_id: z.string().nullable(),
      }),
      META,
    ),
    purged_at: timestamp().nullable().readOnly().describe('When its content was purged.'),
    created_at: timestamp().stamped('created-at'),
  },
  visible: (ctx, t) => sql`exists (
    select from outgoing_feeds as v where v.id = ${sql.ref(`${t}.outgoing_feed`)} and ${mayReadContent(ctx, 'v')})`,
  operations: readOnly,
  routes: (standard) => [...contentBlockRoutes, ...standard],
})
