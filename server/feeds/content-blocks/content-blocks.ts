import { sql } from 'kysely'
import { z } from 'zod'
import { computed, int, oneOf, ref, text, timestamp } from '../../engine/field.ts'
import { defineResource } from '../../engine/resource.ts'
import { readOnly } from '../../engine/standard.ts'
import { blockFields } from '../../exchange/block-fields.ts'
import { mayRead } from '../outgoing/access.ts'
import { contentBlockRoutes } from './routes.ts'
import { DELIVERY_STATUSES } from './store.ts'

const META = `jsonb_build_object(
  'destination', t.destination, 'original_content_type', t.content_type, 'signed_with_key_id', t.signed_with_key_id)`

export const contentBlocks = defineResource({
  collection: 'content_blocks',
  title: 'Content block',
  doc: 'What an outgoing feed wrote for its consumers. Whoever may read the content of the feed sees it.',
  key: [],
  fields: {
    ...blockFields('/content-blocks', 't.sha256 is not null'),
    size: computed('bigint', z.int(), 't.size'),
    items_count: int().readOnly().describe('How many entities or rows went into it.'),
    delivery_status: oneOf(DELIVERY_STATUSES)
      .readOnly()
      .describe(
        'READY: clients can download it. PENDING: it waits to be brought to them. SUPERSEDED: a newer block came before it was brought. FAILED: it was purged before.',
      ),
    delivery_error: text().nullable().readOnly(),
    delivered_at: timestamp().nullable().readOnly(),
    attempts: int().readOnly().describe('How often it was tried to deliver it.'),
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
    purged_at: timestamp().nullable().readOnly().describe('Since when its content is no longer kept.'),
    created_at: timestamp().stamped('created-at'),
  },
  visible: (ctx, t) => sql`exists (
    select from outgoing_feeds as v where v.id = ${sql.ref(`${t}.outgoing_feed`)} and ${mayRead(ctx, 'v')})`,
  operations: readOnly,
  routes: contentBlockRoutes,
})
