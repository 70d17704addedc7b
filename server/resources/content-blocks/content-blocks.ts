import { sql } from 'kysely'
import { z } from 'zod'
import { computed, Field, int, oneOf, ref, text, timestamp } from '../../engine/field.ts'
import { type AnyRow, type Context, defineResource, type Operations } from '../../engine/resource.ts'
import { standard } from '../../engine/standard.ts'
import { mayRead } from '../outgoing-feeds/access.ts'
import { contentBlockRoutes } from './routes.ts'
import { DELIVERY_STATUSES } from './store.ts'

const PATH = '/api/v2/content-blocks/'

const runId = new Field({
  ...text().readOnly().describe('The task run that wrote it.').props,
  storage: { kind: 'column', type: 'uuid' } as const,
})

/** The address of something that belongs to a block; null where it has none, or was purged. */
const below = (name: string, condition = 'true') =>
  computed(
    'text',
    z.url().nullable(),
    `case when t.sha256 is not null and ${condition} then '${PATH}' || t.id || '/${name}' end`,
  )

const ADDRESSES = ['download_url', 'signature_url', 'losses_url'] as const

/** The statement that reads a row does not know under which address the caller knows us. */
function shown({ baseUrl }: Context, row: AnyRow): AnyRow {
  const addresses = ADDRESSES.flatMap((name) =>
    typeof row[name] === 'string' ? [[name, `${baseUrl}${row[name]}`]] : [],
  )
  return { ...row, ...Object.fromEntries(addresses) }
}

const operations: Operations = {
  list: async (ctx, resource, plan) => {
    const page = await standard.list(ctx, resource, plan)
    return { ...page, rows: page.rows.map((row) => shown(ctx, row)) }
  },
  get: async (ctx, resource, id) => shown(ctx, await standard.get(ctx, resource, id)),
}

const META = `jsonb_build_object(
  'destination', t.destination, 'original_content_type', t.content_type, 'signed_with_key_id', t.signed_with_key_id)`

export const contentBlocks = defineResource({
  collection: 'content_blocks',
  title: 'Content block',
  doc: 'What an outgoing feed wrote for its consumers. Whoever may read the content of the feed sees it.',
  key: [],
  fields: {
    content_type: text().readOnly().describe('What the document is, as a URN.'),
    filename: text().readOnly(),
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
    run_id: runId,
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
    losses_count: int().readOnly().describe('How often something could not be written in this form.'),
    download_url: below('download'),
    signature_url: below('signature', 't.signature is not null').describe('A detached OpenPGP signature.'),
    losses_url: below('losses').describe('What was lost, one JSON object a line.'),
    purged_at: timestamp().nullable().readOnly().describe('Since when its content is no longer kept.'),
    created_at: timestamp().stamped('created-at'),
  },
  visible: (ctx, t) => sql`exists (
    select from outgoing_feeds as v where v.id = ${sql.ref(`${t}.outgoing_feed`)} and ${mayRead(ctx, 'v')})`,
  operations,
  routes: contentBlockRoutes,
})
