import { sql } from 'kysely'
import { z } from 'zod'
import { computed, Field, int, ref, text, timestamp } from '../../engine/field.ts'
import { type AnyRow, type Context, defineResource, type Operations } from '../../engine/resource.ts'
import { standard } from '../../engine/standard.ts'
import { blockRoutes } from './routes.ts'

const PATH = '/api/v2/export-blocks/'

const runId = new Field({
  ...text().readOnly().describe('The task run that wrote it.').props,
  storage: { kind: 'column', type: 'uuid' } as const,
})

/** The address of something that belongs to a block; null where a condition does not hold. */
const below = (name: string, condition = 'true') =>
  computed('text', z.url().nullable(), `case when ${condition} then '${PATH}' || t.id || '/${name}' end`)

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

export const exportBlocks = defineResource({
  collection: 'export_blocks',
  title: 'Export block',
  doc: 'A document that somebody exported. Only they see it, until it is too old.',
  key: [],
  // Who may export must be able to fetch what came of it.
  permission: 'entities',
  fields: {
    content_type: text().readOnly().describe('What the document is, as a URN.'),
    filename: text().readOnly(),
    run_id: runId,
    size: computed('bigint', z.int(), 'select b.size from stored_blobs as b where b.key = t.sha256'),
    sha256: text().readOnly().describe('The hash of the document.'),
    items_count: int().readOnly().describe('How many entities went into it.'),
    losses_count: int().readOnly().describe('How often something could not be written in this form.'),
    is_signed: computed('boolean', z.boolean(), 't.signature is not null'),
    download_url: below('download'),
    signature_url: below('signature', 't.signature is not null').describe('A detached OpenPGP signature.'),
    losses_url: below('losses').describe('What was lost, one JSON object a line.'),
    created_at: timestamp().stamped('created-at'),
    created_by: ref('users').nullable().stamped('created-by'),
  },
  visible: (ctx, t) => sql`${sql.ref(`${t}.created_by`)} = ${ctx.caller.id}`,
  operations,
  routes: blockRoutes,
})
